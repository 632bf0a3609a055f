import CLinux
import Glibc
package import MediaModel

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
  package var isMountPoint: Bool { isMountPoint(automounting: true) }

  /// As ``isMountPoint``.
  ///
  /// - Parameter automounting: whether a file system that is mounted on access (autofs) is mounted.
  package func isMountPoint(automounting: Bool) -> Bool {
    let state = unsafe withCString {
      unsafe mount_root_state(AT_FDCWD, $0, automounting ? 1 : 0)
    }
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

  /// Removes a file name; it is not an error if it does not exist.
  package func removeFile() throws(SystemError) {
    do {
      try unsafe call("unlink") { unsafe unlink($0) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }
}

/// The path of the running program's own file.
package func executablePath() throws(SystemError) -> BytePath {
  try BytePath("/proc/self/exe").linkTarget()
}
