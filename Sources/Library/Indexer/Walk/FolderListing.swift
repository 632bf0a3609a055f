import Catalog
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
  var isSecondLook = false
  /// Names that are there but of which the file system tells nothing now, as on a disk with errors:
  /// what is known by them is not taken for gone.
  var unseen: Set<[UInt8]> = []

  /// Leaves out what stands for a video beside it, and digests what is left.
  mutating func finish() {
    let standIns = CameraStandIns.among(files.map { $0.name })
    if !standIns.isEmpty { files.removeAll { standIns.contains($0.name) } }
    ignored += standIns.count
    for file in files { digest.add(file) }
  }

  /// What may stand for the folder when the next scan comes; nil if not all of it was seen.
  var digestIfSeen: Int64? { unseen.isEmpty ? Int64(bitPattern: digest.value) : nil }

  /// Whether the files are those of the last scan. Young ones may not be, although they look the same.
  var isUnchanged: Bool {
    guard let digest = digestIfSeen, digest == folder.digest else { return false }
    return !files.contains { $0.changed == FileRecord.young }
  }
}
