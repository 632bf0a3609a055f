import CLinux
import Glibc
package import MediaModel

// How a finished file gets its place: its mode and time, its name, and the disk's word that both stay.

extension OutputFile {
  /// Dresses the file and waits until it is on the disk.
  ///
  /// - Parameter modified: nanoseconds since 1970 UTC.
  package func seal(modified: Int64) throws(SystemError) {
    dress(modified: modified)
    try sync()
  }

  /// Lets everybody read the file that the user's umask lets, and gives it its time. File systems
  /// without modes or with coarse times keep what they can.
  ///
  /// - Parameter modified: nanoseconds since 1970 UTC.
  package func dress(modified: Int64) {
    _ = fchmod(descriptor, 0o666 & ~FileMode.mask)
    var nanoseconds = modified % 1_000_000_000
    if nanoseconds < 0 { nanoseconds += 1_000_000_000 }
    let time = timespec(
      tv_sec: Int((modified - nanoseconds) / 1_000_000_000), tv_nsec: Int(nanoseconds))
    _ = unsafe [time, time].withUnsafeBufferPointer { times in
      unsafe futimens(descriptor, times.baseAddress)
    }
  }

  /// As it is now.
  package func status() throws(SystemError) -> FileStatus {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("stat", path) }
    return FileStatus(found)
  }
}

/// The process's file mode creation mask.
private enum FileMode {
  static let mask: mode_t = {
    // It can only be read by setting it; this happens once, and new files are made private anyway.
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}

extension BytePath {
  /// Gives a file another name in the same file system.
  ///
  /// - Parameter replacing: whether a file that has the name already gives way, in one step; else
  ///   `EEXIST` is thrown.
  package func rename(to name: BytePath, replacing: Bool) throws(SystemError) {
    do {
      try unsafe call("rename", with: name) { old, new in
        replacing
          ? unsafe Glibc.rename(old, new)
          : unsafe renameat2(AT_FDCWD, old, AT_FDCWD, new, 1)  // RENAME_NOREPLACE
      }
    } catch {
      guard !replacing, [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
      try link(as: name)
    }
  }

  /// The older way to take a name only if nobody has it, for file systems without the newer one.
  private func link(as name: BytePath) throws(SystemError) {
    do {
      try unsafe call("link", with: name) { unsafe Glibc.link($0, $1) }
    } catch {
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
      return try rename(claiming: name)
    }
    try removeFile()
  }

  /// Makes a system call with this path and another, of which an error speaks.
  private func call(
    _ operation: String, with other: BytePath,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) {
    let (result, code) = unsafe withCString { own in
      unsafe other.withCString { other in
        let result = unsafe body(own, other)
        return (result, errno)
      }
    }
    if result < 0 { throw SystemError(code: code, operation: operation, path: other) }
  }

  /// The way for file systems that have neither (FAT, some shares): an empty file of this process's own
  /// takes the name, which fails if anything has it, and then gives way. Who is killed between the two
  /// leaves it behind: that is less of a loss than somebody's file.
  func rename(claiming name: BytePath) throws(SystemError) {
    _ = try OutputFile.create(name)
    do {
      try rename(to: name, replacing: true)
    } catch {
      try? name.removeFile()
      throw error
    }
  }

  /// Removes a file, or the name of one; it is no error if nothing has the name.
  package func removeFile() throws(SystemError) {
    do {
      try unsafe call("unlink") { unsafe unlink($0) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  /// Waits until the names in this folder are on the disk, where the file system knows how.
  package func syncFolder() throws(SystemError) {
    let descriptor = try unsafe call("open") {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EBADF else {
      throw .last("fsync", self)
    }
  }
}
