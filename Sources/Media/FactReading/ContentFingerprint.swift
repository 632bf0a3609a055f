import ByteReading
import MediaModel
import WorkerProtocol

extension Fingerprint {
  /// The fingerprint of a file.
  ///
  /// `source` may cache; `base` is the source without a cache, used where caching would read too much.
  static func of(_ source: any ByteSource, base: any ByteSource) throws -> Fingerprint {
    let size = source.count
    return try of(size: size) { offset, count in
      // Of the middle, nothing else is read.
      try (count == middle ? base : source).bytes(at: offset, count: count)
    }
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
