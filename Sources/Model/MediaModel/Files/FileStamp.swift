/// The result of `stat` for a file, which shows whether it has changed.
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

  /// Whether two states differ in nothing but the inode, as those of a file and of a copy that kept its time.
  package func hasSizeAndTime(of other: FileStamp) -> Bool {
    size == other.size && modified == other.modified
  }
}

extension FileStamp {
  /// A number that identifies the state of a file: its name, size, times and inode. Two states have the same number
  /// once in 2^64.
  ///
  /// - Parameter changed: when content or attributes last changed, nanoseconds since 1970 UTC.
  package func digest(name: ArraySlice<UInt8>, changed: Int64) -> UInt64 {
    var hash = FNV1a(name).value
    hash = Self.mix(hash ^ UInt64(bitPattern: size))
    hash = Self.mix(hash ^ UInt64(bitPattern: modified))
    hash = Self.mix(hash ^ inode)
    return Self.mix(hash ^ UInt64(bitPattern: changed))
  }

  /// The finalizer of SplitMix64: every bit of the input reaches every bit of the output.
  private static func mix(_ input: UInt64) -> UInt64 {
    var mixed = input &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// A folder's identity in the file system, independent of its name.
package struct FolderIdentity: Sendable, Hashable {
  /// `st_dev` and `st_ino`.
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }
}

/// A short digest of a file's size, beginning, middle and end, by which a moved file is recognised.
///
/// It is not cryptographic: it distinguishes files that were not made to collide.
package struct Fingerprint: Sendable, Hashable {
  /// ``length`` bytes.
  package var bytes: [UInt8]

  /// Bytes.
  package static let length = 16
  /// Bytes from the beginning of a file, and as many from its end.
  package static let edge = 16 << 10
  /// Bytes from the middle.
  package static let middle = 4 << 10
  /// The size up to which the fingerprint covers the whole file. Such files with equal fingerprints are copies
  /// and need not be read again.
  package static let wholeFileLimit = edge * 2 + middle

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
