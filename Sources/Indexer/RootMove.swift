package import Catalog
package import MediaModel
import Recognition

extension Catalog {
  /// Says that a root lies somewhere else now; where its new name tells something else of the pictures
  /// in it (a folder named Screenshots does), the next scan judges them anew.
  ///
  /// - Parameters:
  ///   - device: `st_dev` of the new folder.
  ///   - inode: `st_ino` of the new folder.
  /// - Returns: whether there is something to judge anew.
  /// - Throws: ``RootError``, ``CatalogError``.
  package func relocateRoot(
    _ old: BytePath, to new: BytePath, device: UInt64, inode: UInt64
  ) throws -> Bool {
    let isTelling = RecognitionSubject.isTelling(new.lastComponent, insteadOf: old.lastComponent)
    try moveRoot(old, to: new, device: device, inode: inode, isTelling: isTelling)
    return isTelling
  }
}
