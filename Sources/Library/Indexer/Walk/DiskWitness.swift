import Linux
import MediaModel

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
