/// What one `stat` tells of a file: enough to know that it has not changed.
package struct FileStamp: Sendable, Hashable {
  /// Bytes.
  package var size: Int64
  /// Modification time, nanoseconds since 1970 UTC.
  package var modified: Int64
  package var inode: UInt64

  package init(size: Int64, modified: Int64, inode: UInt64) {
    self.size = size
    self.modified = modified
    self.inode = inode
  }
}

/// A folder as the file system knows it, whatever its name.
package struct FolderIdentity: Sendable, Hashable {
  /// `st_dev` and `st_ino`.
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }
}

/// A short digest of a file's size, beginning, middle and end, by which a moved file is known again.
///
/// It is not cryptographic: it tells files apart that nobody made to collide.
package struct Fingerprint: Sendable, Hashable {
  /// ``length`` of them.
  package var bytes: [UInt8]

  /// Bytes.
  package static let length = 16
  /// Bytes that go into it from the beginning of a file, and as many from its end.
  package static let edge = 16 << 10
  /// Bytes that go into it from the middle.
  package static let middle = 4 << 10
  /// The size up to which a file's fingerprint is a digest of all of it, so that files with equal ones
  /// need not be read again to know that they are copies.
  package static let wholeFileLimit = edge * 2 + middle

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
