import MediaModel
import ShoeboxKit
import Terminal

extension CommandContext {
  /// The assets that arguments name, each once. Those that do not exist are reported.
  func assets(
    named arguments: [String], in library: PhotoLibrary
  ) throws -> (assets: [NamedAsset], unknownCount: Int) {
    var wanted: [NamedAsset] = []
    var known: [Int64: Int] = [:]
    var unknownCount = 0
    for argument in arguments {
      do {
        let named = try library.asset(named: argument, paths: catalogPaths)
        if let index = known[named.asset.rowID] {
          wanted[index].merge(named)
        } else {
          known[named.asset.rowID] = wanted.count
          wanted.append(named)
        }
      } catch PhotoLibraryError.unknownAsset(let reason) {
        complain(reason.terminalSafe)
        unknownCount += 1
      }
    }
    return (wanted, unknownCount)
  }
}
