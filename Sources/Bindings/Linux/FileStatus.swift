import CLinux
import Glibc
package import MediaModel

/// The result of `stat` for a name in the file system.
package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  package var kind: Kind
  package var device: UInt64
  package var stamp: FileStamp
  /// When content or attributes last changed (`st_ctime`), nanoseconds since 1970 UTC. No program can set it.
  package var changed: Int64

  /// A folder's identity.
  package var folderIdentity: FolderIdentity {
    FolderIdentity(device: device, inode: stamp.inode)
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    device = UInt64(status.st_dev)
    changed = Self.nanoseconds(status.st_ctim)
    stamp = FileStamp(
      size: Int64(status.st_size), modified: Self.nanoseconds(status.st_mtim),
      inode: UInt64(status.st_ino))
  }

  /// Nanoseconds since 1970; times before 1677 or after 2262 are clamped.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isFarther) = whole.addingReportingOverflow(Int64(time.tv_nsec))
    if isTooFar || isFarther { return time.tv_sec < 0 ? .min : .max }
    return sum
  }

  /// When the file at `path` was created, nanoseconds since 1970 UTC; nil if the file system does not record it. No program
  /// can set it.
  package static func birth(of path: BytePath, followingLinks: Bool = false) -> Int64? {
    var time = timespec()
    let isKnown = unsafe path.withCString {
      unsafe birth_time(AT_FDCWD, $0, followingLinks ? 1 : 0, &time)
    }
    return isKnown == 1 ? nanoseconds(time) : nil
  }

  /// The status of `path`; a symbolic link's own unless `followingLinks`.
  package init(of path: BytePath, followingLinks: Bool = false) throws(SystemError) {
    var status = stat()
    try unsafe path.call("stat") { text in
      followingLinks ? unsafe stat(text, &status) : unsafe lstat(text, &status)
    }
    self.init(status)
  }
}
