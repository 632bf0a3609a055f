import Glibc
package import MediaModel

// How a finished file gets its mode and its time; its name is given by `OpenFolder`.

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
  /// Removes a file, or the name of one; it is no error if nothing has the name.
  package func removeFile() throws(SystemError) {
    do {
      try unsafe call("unlink") { unsafe unlink($0) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }
}
