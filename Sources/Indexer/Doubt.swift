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
  /// of the last scan and the loss is small. Another folder, which has been put in its place or by which a
  /// file system is mounted anew, must show something of what was known in it; and most of it where a disk
  /// was mounted and is not: programs that know of no disks make the first folders of a path as they like.
  func doubt(about directory: Directory, asRoot root: RootRecord) throws -> String? {
    let isSameFolder = directory.device == root.device && directory.inode == root.inode
    if isSameFolder, !directory.isEmpty { return nil }
    let known = try presentFileCount(root: root.id)
    guard known > 0, let top = try knownTopFolder(ofRoot: root.id) else { return nil }
    if directory.isEmpty {
      if isSameFolder && known < believableLoss { return nil }
      return "the folder is empty, but \(known) files were in it: is its disk mounted?"
    }
    let (found, all) = try familiarNames(directory, in: top)
    let isUnmounted = top.isMountPoint && !directory.isMountPoint
    if isUnmounted ? found * 2 > all : found > 0 { return nil }
    return "of the \(all) files and folders known in it \(found) are there: is its disk mounted?"
  }

  /// Whether the disk that was mounted at a folder inside a root is away: most of what was known on it
  /// would be there if it had been copied here for good.
  func isUnmounted(_ folder: FolderRecord, _ directory: Directory) throws -> Bool {
    guard folder.isMountPoint, !directory.isMountPoint else { return false }
    let (found, all) = try familiarNames(directory, in: folder)
    return all > 0 && found * 2 <= all
  }

  /// How many of the names under which files are known in a folder it has now.
  private func familiarNames(
    _ directory: Directory, in folder: FolderRecord
  ) throws -> (found: Int, all: Int) {
    let names = try namesInUse(in: folder.id)
    return (names.intersection(directory.entries.map(\.name)).count, names.count)
  }
}

extension Directory {
  /// Whether there is nothing in it that is not hidden.
  var isEmpty: Bool { entries.allSatisfy { $0.name.first == UInt8(ascii: ".") } }
}
