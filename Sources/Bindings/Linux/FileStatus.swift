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
  fileprivate static func nanoseconds(_ time: timespec) -> Int64 {
    let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isFarther) = whole.addingReportingOverflow(Int64(time.tv_nsec))
    if isTooFar || isFarther { return time.tv_sec < 0 ? .min : .max }
    return sum
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

extension BytePath {
  /// The status of the path, or of the symbolic link there; nil if nothing exists. A lack of permission is an
  /// error.
  package func status() throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(of: self)
    } catch  where error.isNotFound {
      return nil
    }
  }

  /// The absolute path without symbolic links, `.` or `..`.
  package func resolved() throws(SystemError) -> BytePath {
    var resolved: [UInt8] = []
    try unsafe call("realpath") { text in
      guard let start = unsafe realpath(text, nil) else { return -1 }
      resolved = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      unsafe free(start)
      return 0
    }
    return BytePath(bytes: resolved)
  }

  /// Whether a file system is mounted here; false if nothing is or if this cannot be determined.
  package var isMountPoint: Bool {
    let state = unsafe withCString { unsafe mount_root_state(AT_FDCWD, $0) }
    // Before Linux 5.8 only device numbers are available.
    guard state == -2 else { return state == 1 }
    guard let own = try? FileStatus(of: self), let above = try? FileStatus(of: parent)
    else { return false }
    return own.device != above.device
  }

  /// The path that a symbolic link holds.
  package func linkTarget() throws(SystemError) -> BytePath {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try unsafe call("readlink") { text in
      unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return Int32(
          clamping: unsafe readlink(
            text, start.assumingMemoryBound(to: CChar.self), bytes.count))
      }
    }
    return BytePath(bytes: Array(buffer.prefix(Int(count))))
  }

  /// Creates the folder and its missing parents.
  ///
  /// - Parameter isShared: whether other users may enter them, subject to the umask; otherwise their mode is
  ///   0700.
  package func makeFolders(isShared: Bool = false) throws(SystemError) {
    if let status = try? FileStatus(of: self, followingLinks: true), status.kind == .directory {
      return
    }
    let above = parent
    if !above.bytes.isEmpty, above != self { try above.makeFolders(isShared: isShared) }
    do {
      try unsafe call("mkdir") { unsafe mkdir($0, isShared ? 0o777 : 0o700) }
    } catch {
      guard error.isTaken else { throw error }
    }
  }

  /// This path relative to the working directory, unless it is already absolute.
  ///
  /// - Throws: `SystemError` if the working directory no longer exists.
  package func absolute() throws(SystemError) -> BytePath {
    if bytes.first == UInt8(ascii: "/") { return self }
    guard let start = unsafe getcwd(nil, 0) else { throw .last("getcwd") }
    defer { unsafe free(start) }
    let folder = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    return BytePath(bytes: folder).appending(bytes)
  }
}

/// The path of the running program's own file.
package func executablePath() throws(SystemError) -> BytePath {
  try BytePath("/proc/self/exe").linkTarget()
}

/// Milliseconds since 1970 UTC.
package func millisecondsSince1970() -> Int64 {
  nanosecondsSince1970() / 1_000_000
}

/// Nanoseconds since 1970 UTC.
package func nanosecondsSince1970() -> Int64 {
  var now = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &now)
  return FileStatus.nanoseconds(now)
}
