import Glibc
package import MediaModel

/// A file of Shoebox's own that is only appended to, a line at a time.
package struct AppendFile: ~Copyable, Sendable {
  private let descriptor: Int32
  private let path: BytePath

  /// Opens a regular file in a folder; creates it if it is missing.
  ///
  /// - Throws: `SystemError`: ``SystemError/isLink`` for a symbolic link, `EINVAL` for anything else that is
  ///   not a regular file.
  package init(_ name: [UInt8], in folder: OpenFolder) throws(SystemError) {
    descriptor = try openOwnFile(
      name, in: folder, O_WRONLY | O_CREAT | O_APPEND, 0o644
    ).descriptor
    path = folder.path.appending(name)
  }

  /// Opens an existing file, such as a device or a pipe; symbolic links are followed.
  package init(existing path: BytePath) throws(SystemError) {
    descriptor = try unsafe path.call("open") {
      unsafe open($0, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
    }
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Appends all of the bytes.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    guard writeAll(bytes, to: descriptor) else { throw .last("write", path) }
  }

  /// Waits until everything appended is on the disk.
  package func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}
