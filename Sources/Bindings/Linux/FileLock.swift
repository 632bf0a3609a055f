import Glibc
package import MediaModel

/// An exclusive lock, which the kernel releases when the process ends.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock on a file of Shoebox's own, which is created if it is missing; nil if another process
  /// holds the lock.
  ///
  /// - Throws: `SystemError`: ``SystemError/isLink`` for a symbolic link, `EINVAL` for anything else that is
  ///   not a regular file.
  package static func take(_ path: BytePath) throws(SystemError) -> FileLock? {
    try take(path.lastComponent, in: try OpenFolder(path.parent))
  }

  /// Takes the lock on a file in a folder, created if it is missing; nil if another process holds the lock.
  package static func take(
    _ name: [UInt8], in folder: OpenFolder
  ) throws(SystemError) -> FileLock? {
    let descriptor = try openOwnFile(name, in: folder, O_RDWR | O_CREAT, 0o600).descriptor
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    // ``isHeld(_:)`` in another process holds the lock for a moment.
    usleep(20_000)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    let error = SystemError.last("flock", folder.path.appending(name))
    close(descriptor)
    if error.code == EWOULDBLOCK { return nil }
    throw error
  }

  /// Whether a process holds the lock now. A process that tries to take it at this very moment finds it
  /// held.
  package static func isHeld(_ path: BytePath) -> Bool {
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

/// Opens a regular file of Shoebox's own in a folder that other users may write to. Links are not followed,
/// and opening does not wait for a pipe or device.
///
/// - Parameters:
///   - flags: for `open`.
///   - mode: for a file that is created.
func openOwnFile(
  _ name: [UInt8], in folder: OpenFolder, _ flags: Int32, _ mode: mode_t = 0
) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
  let descriptor = try unsafe folder.call("open", name) {
    unsafe openat($0, $1, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, mode)
  }
  var found = stat()
  guard unsafe fstat(descriptor, &found) == 0 else {
    let error = SystemError.last("stat", folder.path.appending(name))
    close(descriptor)
    throw error
  }
  let status = FileStatus(found)
  guard status.kind == .regular else {
    close(descriptor)
    throw SystemError(code: EINVAL, operation: "open", path: folder.path.appending(name))
  }
  return (descriptor, status)
}
