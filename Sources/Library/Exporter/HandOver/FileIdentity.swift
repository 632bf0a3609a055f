import Linux
import MediaModel

/// What distinguishes a file from all others that exist at the same time, whatever its paths are.
struct FileIdentity: Hashable {
  /// `st_dev` and `st_ino`.
  let device: UInt64
  let inode: UInt64

  init(_ status: FileStatus) {
    (device, inode) = (status.device, status.stamp.inode)
  }
}
