package import Catalog
import Linux
package import MediaModel

extension ExportSubject {
  /// An asset with its files' sizes and times as they are now.
  ///
  /// - Parameters:
  ///   - roots: the library folders, one of which it lies in.
  ///   - request: which of its files may be exported.
  ///   - isNamed: whether the user named this asset.
  ///   - named: the files of it that the user named.
  package init(
    _ asset: Asset, roots: [BytePath], for request: ExportRequest, isNamed: Bool = false,
    named: Set<BytePath> = []
  ) {
    let root = roots.filter { asset.path.isWithin($0) }.max { $0.bytes.count < $1.bytes.count }
    let above = root?.components.count ?? max(0, asset.path.components.count - 1)
    let folder = asset.path.components.dropFirst(above).dropLast()
      .reduce(BytePath(bytes: [])) { $0.appending($1) }
    self.init(asset: asset, folder: folder, stamps: [:], isNamed: isNamed, named: named)
    for path in Set(parts(request).map(\.path)) {
      guard let status = try? FileStatus(of: path), status.kind == .regular else { continue }
      stamps[path] = status.stamp
    }
  }
}
