package import MediaModel

extension Fingerprint {
  /// The digest of a file's size (8 bytes, little-endian), its first 16 KiB, the 4 KiB at its middle
  /// and its last 16 KiB; for a file that is not longer than these together, of its whole content.
  ///
  /// - Parameters:
  ///   - size: the file's, in bytes.
  ///   - read: the bytes at an offset.
  package static func of<Failure: Error>(
    size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Fingerprint {
    var digest = MurmurHash3()
    digest.update((0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64($0 * 8)) })
    if size <= UInt64(wholeFileLimit) {
      digest.update(try read(0, Int(size)))
    } else {
      digest.update(try read(0, edge))
      digest.update(try read(size / 2, middle))
      digest.update(try read(size - UInt64(edge), edge))
    }
    return Fingerprint(bytes: digest.finish())
  }
}
