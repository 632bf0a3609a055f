/// A part of a file.
package struct ByteRange: Sendable, Hashable {
  /// Bytes from the file's start.
  package var offset: UInt64
  /// Bytes.
  package var length: UInt64

  package init(offset: UInt64, length: UInt64) {
    self.offset = offset
    self.length = length
  }
}
