import Glibc
package import MediaModel

/// A file that is being written; only its writer reads it back.
///
/// Originals are never opened here. A result is written under a temporary name and renamed when it is
/// complete and on the disk.
package struct OutputFile: ~Copyable, Sendable {
  /// For libraries that write themselves; closed with this value.
  package let descriptor: Int32
  package let path: BytePath

  /// Creates a file that other users cannot read until it is published; throws if the name is taken.
  package static func create(_ name: [UInt8], in folder: OpenFolder) throws(SystemError)
    -> OutputFile
  {
    let descriptor = try unsafe folder.call("open", name) {
      unsafe openat(
        $0, $1, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
    }
    return OutputFile(descriptor: descriptor, path: folder.path.appending(name))
  }

  /// Creates a file without a name (`O_TMPFILE`), which other processes cannot open, and which vanishes with the last
  /// descriptor unless ``link(as:in:)`` gives it a name.
  ///
  /// - Parameter name: for messages.
  /// - Returns: nil if this folder's file system or the kernel does not support it.
  package static func createUnnamed(
    _ name: [UInt8], in folder: OpenFolder
  ) throws(SystemError) -> OutputFile? {
    guard folder.supportsUnnamedFiles else { return nil }
    do {
      let descriptor = try unsafe folder.call("open", [0x2E]) {
        unsafe openat($0, $1, O_RDWR | unnamedFile | O_CLOEXEC, 0o600)
      }
      let file = OutputFile(descriptor: descriptor, path: folder.path.appending(name))
      guard try file.canBeLinked() else { return nil }
      return file
    } catch {
      // Kernels before Linux 3.11 take it for a folder that is opened for writing.
      guard [EISDIR, EINVAL, EOPNOTSUPP, ENOENT, ENOSYS].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Creates a file as ``create(_:in:)`` does, by a path whose folders may be links.
  package static func create(_ path: BytePath) throws(SystemError) -> OutputFile {
    try create(path.lastComponent, in: OpenFolder(path.parent))
  }

  /// An empty file that another process has opened for writing and sent.
  ///
  /// - Throws: `SystemError`: `EINVAL` for anything that is not a regular file.
  package init(received file: SharedFile) throws(SystemError) {
    let name = BytePath(bytes: [])
    guard try descriptorStatus(file.descriptor, name).kind == .regular else {
      throw SystemError(code: EINVAL, operation: "open", path: name)
    }
    self.init(descriptor: file.take(), path: name)
  }

  private init(descriptor: Int32, path: BytePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    close(descriptor)
  }

  /// Prevents other processes from taking a ``FileLock`` on the file while it is open, if locks are supported.
  package func lock() {
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Creates a file that is locked: if another process has taken it for one that is not in use and has removed it before the
  /// lock was there, another one is created.
  package static func createLocked(
    _ name: [UInt8], in folder: OpenFolder
  ) throws(SystemError) -> OutputFile {
    for _ in 0..<8 {
      let file = try create(name, in: folder)
      file.lock()
      let (own, named) = (try file.status(), try folder.status(of: name))
      if own.stamp.inode == named?.stamp.inode { return file }
    }
    throw SystemError(code: EAGAIN, operation: "open", path: folder.path.appending(name))
  }

  /// Writes all of the bytes at `offset`.
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

  /// Reads up to `count` bytes at `offset`.
  package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    try readBytes(of: descriptor, path, at: offset, count: count)
  }

  /// Removes all bytes.
  package func empty() throws(SystemError) {
    guard ftruncate(descriptor, 0) == 0 else { throw .last("ftruncate", path) }
  }

  /// The file's size in bytes.
  package func size() throws(SystemError) -> UInt64 {
    UInt64(max(0, try status().stamp.size))
  }

  /// Waits until everything written is on the disk.
  package func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}

/// `O_TMPFILE` of `fcntl.h`, which Swift does not import: a flag of its own, and `O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20000000 | O_DIRECTORY

extension OutputFile {
  /// The link to the open file by which `linkat` finds it. `AT_EMPTY_PATH` would need a capability.
  private var linkPath: BytePath { BytePath("/proc/self/fd/\(descriptor)") }

  /// Whether ``linkPath`` leads to this file: there may be no `/proc`.
  private func canBeLinked() throws(SystemError) -> Bool {
    guard let found = try? FileStatus(of: linkPath, followingLinks: true) else { return false }
    let own = try status()
    return found.stamp.inode == own.stamp.inode && found.device == own.device
  }

  /// Gives a file without a name one.
  ///
  /// - Throws: `SystemError` with ``SystemError/isTaken`` if something has the name.
  package func link(as name: [UInt8], in folder: OpenFolder) throws(SystemError) {
    _ = try unsafe folder.call("link", name) { folder, name in
      unsafe linkPath.withCString { own in
        unsafe linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW)
      }
    }
  }
}

extension OutputFile {
  /// Sets the file's mode and time, and waits until it is on the disk.
  ///
  /// - Parameter modified: nanoseconds since 1970 UTC.
  package func seal(modified: Int64) throws(SystemError) {
    setModeAndTime(modified: modified)
    try sync()
  }

  /// Gives the file the mode that the user's umask allows, and its modification time. File systems without
  /// modes or with coarse times keep what they can.
  ///
  /// - Parameter modified: nanoseconds since 1970 UTC.
  package func setModeAndTime(modified: Int64) {
    _ = fchmod(descriptor, 0o666 & ~FileMode.mask)
    // Times before 1970 are rounded down to a second, as their nanoseconds count upwards.
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    _ = unsafe [time, time].withUnsafeBufferPointer { times in
      unsafe futimens(descriptor, times.baseAddress)
    }
  }

  /// The file's current status.
  package func status() throws(SystemError) -> FileStatus {
    try descriptorStatus(descriptor, path)
  }
}

/// The process's file mode creation mask.
private enum FileMode {
  static let mask: mode_t = {
    // The mask can only be read by setting it. This happens once, and new files are private anyway.
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
