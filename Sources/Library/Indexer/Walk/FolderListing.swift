import Catalog
import Linux
import MediaModel
import Recognition

/// A file as the walk found it.
struct ListedFile: Sendable {
  var name: [UInt8]
  var stamp: FileStamp
  /// As ``FileRecord/changed``.
  var changed: Int64
}

extension ListedFile {
  /// - Parameters:
  ///   - changed: `st_ctime`, nanoseconds since 1970 UTC.
  ///   - now: a time before the file system was asked.
  init(name: [UInt8], stamp: FileStamp, changed: Int64, now: Int64) {
    self.init(
      name: name, stamp: stamp,
      changed: isYoung(stamp.modified, at: now) || isYoung(changed, at: now)
        ? FileRecord.young : changed)
  }
}

/// Whether a file with this time may be changed later and keep the time, since the file system's clock has not
/// moved on. FAT counts times in steps of two seconds, other file systems with whole seconds in steps of
/// one; the rest take the time of the kernel's last tick, which is at most 10 ms ago.
///
/// Git distrusts such files, too ("racy git", Documentation/technical/racy-git.adoc).
func isYoung(_ time: Int64, at now: Int64) -> Bool {
  let (age, isFar) = now.subtractingReportingOverflow(time)
  // A time in the future is not that of a change that was just made.
  guard !isFar, abs(age) < 2_000_000_000 + clockStep else { return false }
  return time % 1_000_000_000 == 0 || abs(age) < clockStep
}

/// Nanoseconds; larger than a tick of any kernel.
private let clockStep: Int64 = 100_000_000

/// What the walk found in one folder.
struct FolderListing: Sendable {
  var folder: FolderRecord
  /// The full path.
  var path: BytePath
  /// The regular files that are part of the library, in no order.
  var files: [ListedFile]
  var digest: FolderDigest
  /// Files left out.
  var ignored: Int
  /// Whether the walk has read the folder before, and it has changed since: only what has come into it counts.
  var isRevisit = false
  /// Names that exist but that the file system could not examine, as on a disk with errors: their files are
  /// not missing.
  var unseen: Set<[UInt8]> = []

  /// Leaves out camera thumbnails and proxies of videos, and digests the other files.
  mutating func finish() {
    let standIns = CameraStandIns.among(files.map { $0.name })
    if !standIns.isEmpty { files.removeAll { standIns.contains($0.name) } }
    ignored += standIns.count
    for file in files { digest.add(file) }
  }

  /// The digest for the next scan to compare; nil if some names could not be examined.
  var digestIfComplete: Int64? { unseen.isEmpty ? Int64(bitPattern: digest.value) : nil }

  /// Whether the files are those of the last scan. Young ones may not be, although they look the same.
  var isUnchanged: Bool {
    guard let digest = digestIfComplete, digest == folder.digest else { return false }
    return !files.contains { $0.changed == FileRecord.young }
  }
}

/// A number that identifies the state of all files in a folder: their names, sizes, times and inodes.
///
/// The order in which the file system lists them does not matter. A change goes unnoticed once in 2^64.
struct FolderDigest {
  private(set) var value: UInt64 = 0

  /// Adds one file's state.
  mutating func add(_ file: ListedFile) {
    var hash = FNV1a(file.name).value
    hash = Self.mix(hash ^ UInt64(bitPattern: file.stamp.size))
    hash = Self.mix(hash ^ UInt64(bitPattern: file.stamp.modified))
    hash = Self.mix(hash ^ file.stamp.inode)
    value &+= Self.mix(hash ^ UInt64(bitPattern: file.changed))
  }

  /// The finalizer of SplitMix64: every bit of the input reaches every bit of the output.
  private static func mix(_ input: UInt64) -> UInt64 {
    var mixed = input &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
