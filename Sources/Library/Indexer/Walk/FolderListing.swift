import Catalog
import Linux
import MediaModel

/// What the walk found in one folder.
struct FolderListing: Sendable {
  var folder: FolderRecord
  /// The full path.
  var path: BytePath
  /// The regular files that are part of the library, in no order.
  private(set) var files: ListedFiles
  private(set) var digest = FolderDigest()
  /// Files left out.
  private(set) var ignored = 0
  /// Whether the walk has read the folder before, and it has changed since: only what has come into it counts.
  var isRevisit = false
  /// Names that exist but that the file system could not examine, as on a disk with errors: their files are
  /// not missing.
  private(set) var unseen: Set<[UInt8]> = []
  /// The names of the subfolders that are part of the library.
  private(set) var folders: [[UInt8]] = []
  /// Whether a file was changed right before the folder was read.
  private var hasYoungFiles = false

  /// Selects the entries of a folder that belong to the library, and digests its files. Leaves out camera
  /// thumbnails and proxies of videos.
  ///
  /// - Parameters:
  ///   - exclusions: those inside the folder.
  ///   - now: a time before the folder was read.
  init(
    _ directory: Directory, at pending: PendingFolder, _ exclusions: Exclusions, now: Int64
  ) {
    (folder, path) = (pending.folder, pending.path)
    let entries = directory.entries
    files = ListedFiles(entries, now: now)
    for index in entries.indices {
      let kind = entries.kind(at: index)
      let isExcluded = exclusions.excludes(
        entries.name(at: index), isFolder: kind == .directory,
        below: pending.components)
      if !isExcluded, entries.failure(at: index) != nil {
        unseen.insert(entries[index].name)
      } else if kind == .directory {
        if !isExcluded { folders.append(entries[index].name) }
      } else if kind == .regular, !isExcluded {
        files.append(index)
      } else {
        ignored += 1
      }
    }
    ignored += files.removeStandIns()
    for index in files.indices {
      let (stamp, changed) = files.state(at: index)
      digest.add(files.name(at: index), stamp, changed)
      if changed == FileRecord.young { hasYoungFiles = true }
    }
  }

  /// The digest for the next scan to compare; nil if some names could not be examined.
  var digestIfComplete: Int64? { unseen.isEmpty ? Int64(bitPattern: digest.value) : nil }

  /// Whether the files are those of the last scan. Young ones may not be, although they look the same.
  var isUnchanged: Bool {
    guard let digest = digestIfComplete, digest == folder.digest else { return false }
    return !hasYoungFiles
  }
}

/// A number that identifies the state of all files in a folder: their names, sizes, times and inodes.
///
/// The order in which the file system lists them does not matter. A change goes unnoticed once in 2^64.
struct FolderDigest {
  private(set) var value: UInt64 = 0

  /// Adds one file's state.
  mutating func add(_ name: ArraySlice<UInt8>, _ stamp: FileStamp, _ changed: Int64) {
    var hash = FNV1a(name).value
    hash = Self.mix(hash ^ UInt64(bitPattern: stamp.size))
    hash = Self.mix(hash ^ UInt64(bitPattern: stamp.modified))
    hash = Self.mix(hash ^ stamp.inode)
    value &+= Self.mix(hash ^ UInt64(bitPattern: changed))
  }

  /// The finalizer of SplitMix64: every bit of the input reaches every bit of the output.
  private static func mix(_ input: UInt64) -> UInt64 {
    var mixed = input &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
