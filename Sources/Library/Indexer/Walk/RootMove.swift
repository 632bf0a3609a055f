package import Catalog
import Linux
package import MediaModel
import Recognition

extension Catalog {
  /// Says that a root lies somewhere else now; where its new name tells something else of the pictures
  /// in it (a folder named Screenshots does), the next scan judges them anew.
  ///
  /// - Returns: whether there is something to judge anew; and the roots that lay inside it, with where
  ///   they lie now: nil for those that are not there.
  /// - Throws: ``RootError``, ``CatalogError``.
  package func relocateRoot(
    _ old: BytePath, to new: BytePath
  ) throws -> (affectsLabels: Bool, inside: [(old: BytePath, new: BytePath?)]) {
    let affectsLabels = RecognitionSubject.affectsLabels(new.lastComponent, insteadOf: old.lastComponent)
    let inside = try moveRoot(old, to: new, affectsLabels: affectsLabels) { path in
      guard let status = try? FileStatus(of: path, followingLinks: true), status.kind == .directory
      else { return nil }
      return status.folderIdentity
    }
    return (affectsLabels, inside)
  }
}
