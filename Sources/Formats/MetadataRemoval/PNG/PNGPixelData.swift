import ByteReading

/// The chunks of a PNG that together contain one zlib stream of pixels: `IDAT`, or the `fdAT` of a frame.
struct PNGPixelData {
  private struct Chunk {
    /// Its compressed bytes.
    var content: Range<UInt64>
    /// False for a chunk that the end of the file cuts off.
    var hasChecksum: Bool
  }

  /// Bytes of each chunk's content in front of the compressed ones: the sequence number of `fdAT`.
  private let skipped: UInt64
  private var chunks: [Chunk] = []

  init(skipped: UInt64) {
    self.skipped = skipped
  }

  var isEmpty: Bool { chunks.isEmpty }

  /// - Parameters:
  ///   - range: the chunk in the file, from its length to its CRC or the end of the file.
  ///   - length: of its content, as the chunk states it.
  mutating func append(_ range: Range<UInt64>, length: UInt32) {
    let start = range.lowerBound + 8 + skipped
    let end = range.lowerBound + 8 + UInt64(length)
    guard start <= min(end, range.upperBound) else { return }
    chunks.append(
      Chunk(
        content: start..<min(end, range.upperBound), hasChecksum: end + 4 <= range.upperBound))
  }

  /// Writes zeros over everything after the stream's end, and corrects the CRCs of the changed chunks. No chunk
  /// moves. A damaged stream stays as it is, since its end is not known.
  ///
  /// - Throws: what the source throws.
  func clearRest(in source: any ByteSource, _ redaction: inout Redaction) throws {
    guard !chunks.isEmpty,
      var left = try zlibLength(in: source, chunks.map(\.content))
    else { return }
    for chunk in chunks {
      let kept = min(left, chunk.content.upperBound - chunk.content.lowerBound)
      left -= kept
      let rest = (chunk.content.lowerBound + kept)..<chunk.content.upperBound
      guard !rest.isEmpty else { continue }
      redaction.fill(rest)
      guard chunk.hasChecksum else { continue }
      let type = chunk.content.lowerBound - skipped - 4
      let sum = try checksum(of: type..<rest.lowerBound, zeros: rest.count, in: source)
      redaction.overwrite(at: rest.upperBound, with: encoded(sum, width: 4))
    }
  }

  /// The CRC of a range followed by zeros.
  private func checksum(
    of range: Range<UInt64>, zeros: Int, in source: any ByteSource
  ) throws -> UInt32 {
    var bytes = SpannedBytes(source, [range])
    var zerosLeft = zeros
    let found = crc32(
      AnyIterator<UInt8> {
        if let byte = bytes.next() { return byte }
        guard zerosLeft > 0 else { return nil }
        zerosLeft -= 1
        return 0
      })
    if let failure = bytes.failure { throw failure }
    return found
  }
}
