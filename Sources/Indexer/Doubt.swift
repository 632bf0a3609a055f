import Catalog
import POSIX

// What a folder shows is not always what is in it: a disk that is not mounted leaves an empty folder
// behind, or one in which somebody has put something meanwhile.

/// How many files a root may have for an emptied folder to be believed.
private let believableLoss = 1000

extension CatalogTransaction {
  /// Why what a root's folder shows now is not believed; nil if it is.
  ///
  /// A folder without entries is not believed when files were known in it, unless it is the very folder
  /// of the last scan and the loss is small.
  func doubt(about directory: Directory, asRoot root: RootRecord) throws -> String? {
    guard directory.isEmpty else { return nil }
    let known = try presentFileCount(root: root.id)
    let isSameFolder = directory.device == root.device && directory.inode == root.inode
    if known == 0 || (isSameFolder && known < believableLoss) { return nil }
    return "the folder is empty, but \(known) files were in it: is its disk mounted?"
  }
}

extension Directory {
  /// Whether there is nothing in it that is not hidden.
  var isEmpty: Bool { entries.allSatisfy { $0.name.first == UInt8(ascii: ".") } }
}
