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
  /// The disk that the folder is on; nil until the walk knows it.
  var disk: MountIdentity?
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
  ///   - foldersOnly: leaves out the files, whose stamps may be unknown.
  init(
    _ directory: Directory, at pending: PendingFolder, _ exclusions: Exclusions, now: Int64,
    foldersOnly: Bool = false
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
      } else if foldersOnly {
        continue
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

  /// The digest, if the folder is new to the catalog and has files whose times prove that they are unchanged.
  var digestIfNew: Int64? {
    folder.digest == nil && !files.isEmpty && !hasYoungFiles ? digestIfComplete : nil
  }

  /// Whether the files are those of the last scan. Young ones may not be, although they look the same.
  var isUnchanged: Bool {
    guard let digest = digestIfComplete, digest == folder.digest else { return false }
    return !hasYoungFiles
  }
}

/// A number that identifies the state of all files in a folder: the sum of ``FileStamp/digest(name:changed:)``.
///
/// The order in which the file system lists them does not matter. A change goes unnoticed once in 2^64.
struct FolderDigest {
  private(set) var value: UInt64 = 0

  /// Adds one file's state.
  mutating func add(_ name: ArraySlice<UInt8>, _ stamp: FileStamp, _ changed: Int64) {
    value &+= stamp.digest(name: name, changed: changed)
  }
}
