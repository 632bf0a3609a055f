import Catalog
import Linux
import MediaModel

// A folder does not always show what is in it. A disk that is not mounted leaves an empty folder, or one that
// another program has written into meanwhile.

/// Whether a root's folder and its disk are present.
enum RootAvailability {
  case available(MountIdentity)
  /// The reason, a phrase.
  case unavailable(String)

  /// Reads a root's folder and compares it with what the catalog contains.
  init(of root: RootRecord, in catalog: Catalog) throws {
    var directory: Directory
    do {
      // A few names prove that the folder is not empty; it may have a million.
      directory = try Directory(glancingAt: root.path, limit: 100)
      if directory.identity != root.identity || !directory.hasVisibleEntries {
        directory = try Directory(reading: root.path, namesOnly: true)
      }
    } catch {
      self = .unavailable(Self.reason(error))
      return
    }
    let reason = try catalog.read { try $0.unavailability(of: root, showing: directory) }
    self = reason.map { .unavailable($0) } ?? .available(MountIdentity(root.path, directory))
  }

  /// Why a root whose folder cannot be read is unavailable.
  static func reason(_ error: SystemError) -> String {
    error.isNotFound ? "the folder is not there" : error.reason
  }
}

/// The number of files a root may have for Shoebox to accept that its folder was emptied.
private let plausibleLoss = 1000

extension CatalogTransaction {
  /// Why a root counts as unavailable although its folder can be read; nil if it is available.
  ///
  /// - A folder without entries is unavailable if the catalog has files in it, unless it is the folder of the
  ///   last scan and has fewer than 1000 files.
  /// - Another folder in its place, or a file system that was mounted again, must contain one of the known
  ///   names.
  /// - If a disk was mounted and is not, the folder must contain more than half of the known names: programs
  ///   that know nothing of mounts create the first folders of a path wherever it leads.
  func unavailability(of root: RootRecord, showing directory: Directory) throws -> String? {
    let isSameFolder = directory.identity == root.identity
    if isSameFolder, directory.hasVisibleEntries { return nil }
    let known = try presentFileCount(root: root.id)
    guard known > 0, let top = try knownTopFolder(ofRoot: root.id) else { return nil }
    guard directory.hasVisibleEntries else {
      if isSameFolder && known < plausibleLoss { return nil }
      return "the folder is empty, but \(known) files were in it: is its disk mounted?"
    }
    let overlap = try overlap(of: directory, with: top)
    let isUnmounted = top.isMountPoint && !directory.isMountPoint
    if isUnmounted ? overlap.isMajority : overlap.found > 0 { return nil }
    return
      "only \(overlap.found) of \(overlap.known) known entries are present: is its disk mounted?"
  }

  /// Whether the disk that was mounted at a folder inside a root is not mounted now.
  ///
  /// If its files had been copied into the folder for good, most of the known names would be present.
  func isUnmounted(_ folder: FolderRecord, _ directory: Directory) throws -> Bool {
    guard folder.isMountPoint, !directory.isMountPoint else { return false }
    let overlap = try overlap(of: directory, with: folder)
    return overlap.known > 0 && !overlap.isMajority
  }

  private func overlap(
    of directory: Directory, with folder: FolderRecord
  ) throws -> NameOverlap {
    let names = try namesInUse(in: folder.id)
    return NameOverlap(
      found: names.intersection(directory.entries.lazy.map(\.name)).count, known: names.count)
  }
}

/// How many of a folder's known names it contains now.
private struct NameOverlap {
  /// Known names that are present.
  var found: Int
  /// All names of present files, and of folders with such files, in the catalog.
  var known: Int

  var isMajority: Bool { found * 2 > known }
}

/// The identity of the folder at which a disk is mounted, or of the root's own folder if the disk is mounted
/// further up. It shows whether the disk is still mounted.
struct MountIdentity: Sendable, Hashable {
  let path: BytePath
  private let device: UInt64
  /// Only of a mount point. Some file systems renumber other folders at any time; and the contents of a
  /// folder that is mounted twice have the same device in both places.
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

extension Directory {
  /// Whether it contains an entry that is not hidden.
  fileprivate var hasVisibleEntries: Bool {
    entries.indices.contains { entries.name(at: $0).first != UInt8(ascii: ".") }
  }
}
