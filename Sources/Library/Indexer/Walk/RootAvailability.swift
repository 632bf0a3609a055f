import Catalog
import Linux
import MediaModel

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
    let isSameFolder = directory.identity == root.identity
    if isSameFolder, directory.hasVisibleEntries { return nil }
    let known = try presentFileCount(root: root.id)
    guard known > 0, let top = try knownTopFolder(ofRoot: root.id) else { return nil }
    guard directory.hasVisibleEntries else {
      if isSameFolder && known < believableLoss { return nil }
      return "the folder is empty, but \(known) files were in it: is its disk mounted?"
    }
    let familiarity = try familiarity(of: directory, in: top)
    let isUnmounted = top.isMountPoint && !directory.isMountPoint
    if isUnmounted ? familiarity.isMost : familiarity.found > 0 { return nil }
    return
      "only \(familiarity.found) of \(familiarity.known) known entries are present: "
      + "is its disk mounted?"
  }

  /// Whether the disk that was mounted at a folder inside a root is away: most of what was known on it
  /// would be there if it had been copied here for good.
  func isUnmounted(_ folder: FolderRecord, _ directory: Directory) throws -> Bool {
    guard folder.isMountPoint, !directory.isMountPoint else { return false }
    let familiarity = try familiarity(of: directory, in: folder)
    return familiarity.known > 0 && !familiarity.isMost
  }

  private func familiarity(
    of directory: Directory, in folder: FolderRecord
  ) throws -> Familiarity {
    let names = try namesInUse(in: folder.id)
    return Familiarity(
      found: names.intersection(directory.entries.map(\.name)).count, known: names.count)
  }
}

/// How much of what is known in a folder it shows now.
private struct Familiarity {
  /// The names that are there.
  var found: Int
  /// All names under which files are known in it.
  var known: Int

  /// More than half of them.
  var isMost: Bool { found * 2 > known }
}

extension Directory {
  /// Whether there is anything in it that is not hidden.
  fileprivate var hasVisibleEntries: Bool {
    entries.contains { $0.name.first != UInt8(ascii: ".") }
  }
}

/// A folder by which one sees whether the disk that things were read from is still there: that at which
/// it is mounted, or the root's own where it is mounted further up.
struct DiskWitness: Sendable, Hashable {
  let path: BytePath
  private let device: UInt64
  /// Of a mount point alone: some file systems number other folders anew whenever they like, and what is
  /// below a folder that is mounted twice has one device in both places.
  private let inode: UInt64?

  init(_ path: BytePath, _ directory: Directory) {
    self.path = path
    device = directory.identity.device
    inode = directory.isMountPoint ? directory.identity.inode : nil
  }

  /// Whether the path still leads to the disk.
  var isInPlace: Bool {
    guard let status = try? FileStatus(of: path) else { return false }
    return status.device == device && (inode.map { $0 == status.stamp.inode } ?? true)
  }
}
