import Glibc
package import MediaModel

// The mode and time of a finished file. `OpenFolder` gives it its name.

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
    var nanoseconds = modified % 1_000_000_000
    if nanoseconds < 0 { nanoseconds += 1_000_000_000 }
    let time = timespec(
      tv_sec: Int((modified - nanoseconds) / 1_000_000_000), tv_nsec: Int(nanoseconds))
    _ = unsafe [time, time].withUnsafeBufferPointer { times in
      unsafe futimens(descriptor, times.baseAddress)
    }
  }

  /// The file's current status.
  package func status() throws(SystemError) -> FileStatus {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("stat", path) }
    return FileStatus(found)
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

extension BytePath {
  /// Removes a file name; it is not an error if it does not exist.
  package func removeFile() throws(SystemError) {
    do {
      try unsafe call("unlink") { unsafe unlink($0) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }
}
