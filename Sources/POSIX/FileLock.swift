import Glibc
package import MediaModel

/// An exclusive lock that ends with the process, however it ends.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock on a file of Shoebox's own, made if it is missing; nil if another process holds it.
  package static func take(_ path: BytePath) throws(SystemError) -> FileLock? {
    let descriptor = try unsafe path.call("open") {
      unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    // Who asks whether it is held holds it for a moment.
    usleep(20_000)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    let error = SystemError.last("flock", path)
    close(descriptor)
    if error.code == EWOULDBLOCK { return nil }
    throw error
  }

  /// Whether a process holds the lock now. Whoever tries to take it in this very moment finds it held.
  package static func isHeld(_ path: BytePath) -> Bool {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
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
