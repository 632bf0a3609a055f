import Glibc
package import MediaModel

/// A lock, exclusive unless it was taken as a shared one, which the kernel releases when the process ends.
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
  ///
  /// - Parameter isShared: whether several processes may hold the lock, while none holds it exclusively.
  package static func take(
    _ name: [UInt8], in folder: OpenFolder, isShared: Bool = false
  ) throws(SystemError) -> FileLock? {
    let descriptor = try openOwnFile(name, in: folder, O_RDWR | O_CREAT, 0o600).descriptor
    let kind = isShared ? LOCK_SH : LOCK_EX
    if flock(descriptor, kind | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    // ``isHeld(_:evenShared:)`` in another process holds the lock for a moment.
    usleep(20_000)
    if flock(descriptor, kind | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    let error = SystemError.last("flock", folder.path.appending(name))
    close(descriptor)
    if error.code == EWOULDBLOCK { return nil }
    throw error
  }

  /// Makes a shared lock exclusive. If another process holds the lock too, this one loses it. Of several processes that
  /// do so at the same time, the last one gets the exclusive lock: flock(2) does not guarantee that if they convert the
  /// lock, and NFS lets each keep its shared one, so this process releases its own and tries again.
  ///
  /// - Returns: whether the lock is exclusive now.
  package func makeExclusive() throws(SystemError) -> Bool {
    for attempt in 0..<5 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { throw .last("flock", BytePath(bytes: [])) }
      _ = flock(descriptor, LOCK_UN)
      if attempt < 4 { usleep(UInt32.random(in: 5_000...30_000)) }
    }
    return false
  }

  /// Whether a process holds the lock now. A process that tries to take it at this very moment finds it
  /// held.
  ///
  /// - Parameter evenShared: whether shared locks count too.
  package static func isHeld(_ path: BytePath, evenShared: Bool = false) -> Bool {
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    // NFS gives an exclusive lock only to a file that is open for writing.
    var descriptor: Int32 = -1
    if evenShared { descriptor = unsafe path.withCString { unsafe open($0, O_RDWR | flags) } }
    if descriptor < 0 { descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | flags) } }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, (evenShared ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0
      && errno == EWOULDBLOCK
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
