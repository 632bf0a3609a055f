import Catalog
import MediaModel
import Recognition

/// What the walk found in one folder.
struct FolderListing: Sendable {
  var folder: FolderRecord
  /// The full path.
  var path: BytePath
  /// The regular files that are part of the library, in no order.
  var files: [(name: [UInt8], stamp: FileStamp)]
  var digest: FolderDigest
  /// Files left out.
  var ignored: Int
  /// Names that are there but of which the file system tells nothing now, as on a disk with errors:
  /// what is known by them is not taken for gone.
  var unseen: Set<[UInt8]> = []

  /// Leaves out what stands for a video beside it, and digests what is left.
  mutating func finish() {
    let standIns = CameraStandIns.among(files.map { $0.name })
    if !standIns.isEmpty { files.removeAll { standIns.contains($0.name) } }
    ignored += standIns.count
    for file in files { digest.add(name: file.name, stamp: file.stamp) }
  }

  /// What may stand for the folder when the next scan comes; nil if not all of it was seen.
  var digestIfSeen: Int64? { unseen.isEmpty ? Int64(bitPattern: digest.value) : nil }

  /// Whether the files are those of the last scan.
  var isUnchanged: Bool { digestIfSeen.map { $0 == folder.digest } ?? false }
}
