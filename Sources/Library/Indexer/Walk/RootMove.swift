package import Catalog
import Linux
package import MediaModel
import Recognition

extension Catalog {
  /// Changes the path of a root. If its new name affects the labels of its files, as Screenshots does, the
  /// next scan re-evaluates them.
  ///
  /// - Returns: whether the next scan re-evaluates files; and the roots inside it with their new paths: nil
  ///   for those that are not there.
  /// - Throws: ``RootError``, ``CatalogError``.
  package func relocateRoot(
    _ old: BytePath, to new: BytePath
  ) throws -> (affectsLabels: Bool, inside: [(old: BytePath, new: BytePath?)]) {
    let affectsLabels = RecognitionSubject.affectsLabels(
      new.lastComponent, insteadOf: old.lastComponent)
    let inside = try moveRoot(old, to: new, affectsLabels: affectsLabels) { path in
      guard let status = try? FileStatus(of: path, followingLinks: true), status.kind == .directory
      else { return nil }
      return status.folderIdentity
    }
    return (affectsLabels, inside)
  }
}
