import ByteReading
import MediaModel
import WorkerProtocol

extension Fingerprint {
  /// The digest of a file's size (8 bytes, little-endian), its first 16 KiB, the 4 KiB at its middle
  /// and its last 16 KiB; for a file that is not longer than these together, of its whole content.
  ///
  /// `source` may cache; `base` is the source without a cache, used where caching would read too much.
  static func of(_ source: any ByteSource, base: any ByteSource) throws -> Fingerprint {
    let size = source.count
    var digest = MurmurHash3()
    digest.update((0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64($0 * 8)) })
    if size <= UInt64(wholeFileLimit) {
      digest.update(try source.bytes(at: 0, count: Int(size)))
    } else {
      digest.update(try source.bytes(at: 0, count: edge))
      digest.update(try base.bytes(at: size / 2, count: middle))
      digest.update(try source.bytes(at: size - UInt64(edge), count: edge))
    }
    return Fingerprint(bytes: digest.finish())
  }
}

extension MediaFile {
  private static let piece = 1 << 20
  /// The slowest disk reads this many bytes within the time limit for one file.
  private static let reportedBytes = 16 << 20

  /// A digest of the whole file, which is read in pieces.
  ///
  /// It distinguishes files that were not made to collide, and is fast enough for a library that exists
  /// twice: a cryptographic digest would take longer than the rest of the scan. It only decides on a label;
  /// no file is changed because of it.
  func contentDigest(progress: () throws -> Void) throws -> [UInt8] {
    var digest = MurmurHash3()
    var offset: UInt64 = 0
    while offset < count {
      let piece = try bytes(at: offset, count: Self.piece)
      guard !piece.isEmpty else {
        throw ProbeFailure(.inaccessible, "The file was cut off while it was read.")
      }
      digest.update(piece)
      offset += UInt64(piece.count)
      if offset % UInt64(Self.reportedBytes) == 0 { try progress() }
    }
    return digest.finish()
  }
}
