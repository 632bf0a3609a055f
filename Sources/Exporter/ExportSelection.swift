package import Catalog
package import MediaModel
import POSIX

extension ExportSubject {
  /// An asset with its files' sizes and times as they are now.
  ///
  /// - Parameter roots: the library folders, one of which it lies in.
  package init(_ asset: Asset, roots: [BytePath], isNamed: Bool = false) {
    let root = roots.filter { asset.path.isWithin($0) }.max { $0.bytes.count < $1.bytes.count }
    let above = root?.components.count ?? max(0, asset.path.components.count - 1)
    let folder = asset.path.components.dropFirst(above).dropLast()
      .reduce(BytePath(bytes: [])) { $0.appending($1) }
    var stamps: [BytePath: FileStamp] = [:]
    let paths = [asset.path] + asset.resources.filter { $0.type == .pairedVideo }.map(\.path)
    for path in paths where stamps[path] == nil {
      guard let status = try? FileStatus(of: path), status.kind == .regular else { continue }
      stamps[path] = status.stamp
    }
    self.init(asset: asset, folder: folder, stamps: stamps, isNamed: isNamed)
  }
}
