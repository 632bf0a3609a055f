import Glibc
package import MediaModel

/// A file that is being made: opened for writing, read back only by whoever writes it.
///
/// Originals never come here. What is made exists first under a passing name, and gets its final one by
/// a rename when it is whole and on the disk.
package struct OutputFile: ~Copyable, Sendable {
  /// For libraries that write by themselves; closed with this value.
  package let descriptor: Int32
  package let path: BytePath

  /// Makes a new file that other users cannot read until it is published; throws if the name is taken.
  package static func create(_ name: [UInt8], in folder: OpenFolder) throws(SystemError)
    -> OutputFile
  {
    let descriptor = try unsafe folder.call("open", name) {
      unsafe openat(
        $0, $1, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
    }
    return OutputFile(descriptor: descriptor, path: folder.path.appending(name))
  }

  /// Makes a new file as ``create(_:in:)`` does, by a path whose folders may be links.
  package static func create(_ path: BytePath) throws(SystemError) -> OutputFile {
    try create(path.lastComponent, in: OpenFolder(path.parent))
  }

  /// Opens a file that was made before, and empties it.
  ///
  /// - Parameter inode: the number of the file that is meant, if it is known: another one that has its name
  ///   by now is left as it is, and `ESTALE` is thrown.
  package static func open(
    _ path: BytePath, inode: UInt64? = nil
  ) throws(SystemError) -> OutputFile {
    let descriptor = try unsafe path.call("open") {
      unsafe Glibc.open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK)
    }
    let file = OutputFile(descriptor: descriptor, path: path)
    let status = try file.status()
    guard status.kind == .regular, inode == nil || inode == status.stamp.inode else {
      throw SystemError.replaced(path)
    }
    guard ftruncate(descriptor, 0) == 0 else { throw .last("ftruncate", path) }
    return file
  }

  private init(descriptor: Int32, path: BytePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    close(descriptor)
  }

  /// Keeps others from taking a ``FileLock`` on it while it is open, where there are locks.
  package func lock() {
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Writes all of the bytes from `offset` on.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    guard let start = off_t(exactly: offset),
      !start.addingReportingOverflow(off_t(bytes.count)).overflow
    else { throw SystemError(code: EFBIG, operation: "write", path: path) }
    var failure: SystemError?
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, let base = buffer.baseAddress {
        let count = unsafe pwrite(
          descriptor, base + written, buffer.count - written, start + off_t(written))
        if count >= 0 {
          written += count
        } else if errno != EINTR {
          failure = .last("write", path)
          return
        }
      }
    }
    if let failure { throw failure }
  }

  /// Up to `count` of the bytes written before, from `offset` on.
  package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    try readBytes(of: descriptor, path, at: offset, count: count)
  }

  /// Bytes.
  package func size() throws(SystemError) -> UInt64 {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("stat", path) }
    return UInt64(max(0, found.st_size))
  }

  /// Waits until everything written is on the disk.
  package func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}
