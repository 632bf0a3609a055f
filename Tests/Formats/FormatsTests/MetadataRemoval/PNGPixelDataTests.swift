import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// The bytes of a PNG's pixel data that a redaction clears.
struct PNGPixelDataTests {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Compressed by Python's zlib.compress(b"abcabcabcabc\0" * 3), with the checksum.
  private static let stream: [UInt8] = [
    0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x4E, 0x84, 0x21, 0x86, 0x44, 0x9C, 0x1C, 0x00, 0x1A, 0xA2, 0x0D,
    0xC9,
  ]

  private func file(_ chunks: [UInt8]) -> [UInt8] {
    Self.signature
      + PNGChunk.made("IHDR", encoded(12, width: 4) + encoded(3, width: 4) + [8, 0, 0, 0, 0])
      + chunks
      + PNGChunk.made("IEND", [])
  }

  private func cleared(_ chunks: [UInt8]) throws -> [UInt8] {
    let bytes = file(chunks)
    return try PNGRedaction.find(.withoutLocation, in: ArraySource(bytes)).applied(to: bytes)
  }

  @Test func `bytes after the stream are cleared`() throws {
    let zeros = [UInt8](repeating: 0, count: 6)
    let (start, rest) = (Array(Self.stream[..<5]), Array(Self.stream[5...]))
    #expect(
      try cleared(
        PNGChunk.made("IDAT", start) + PNGChunk.made("IDAT", rest + Array("hidden".utf8))
          + PNGChunk.made("IDAT", Array("hidden".utf8)))
        == file(
          PNGChunk.made("IDAT", start) + PNGChunk.made("IDAT", rest + zeros)
            + PNGChunk.made("IDAT", zeros)))
  }

  @Test func `whole and damaged streams stay`() throws {
    let hidden = Array("hidden".utf8)
    for content in [
      Self.stream, Array(Self.stream.dropLast(9)), [0x78, 0x01, 0x07] + hidden, hidden,
    ] {
      let chunks = PNGChunk.made("IDAT", content)
      #expect(try cleared(chunks) == file(chunks))
    }
  }

  @Test func `bytes after the stream of each frame are cleared`() throws {
    let zeros = [UInt8](repeating: 0, count: 6)
    func chunks(_ rest: [UInt8]) -> [UInt8] {
      let control = PNGChunk.made("fcTL", [UInt8](repeating: 0, count: 26))
      return PNGChunk.made("acTL", [UInt8](repeating: 0, count: 8))
        + PNGChunk.made("IDAT", Self.stream)
        + control + PNGChunk.made("fdAT", encoded(1, width: 4) + Self.stream + rest)
        + control + PNGChunk.made("fdAT", encoded(3, width: 4) + Self.stream + rest)
    }
    #expect(try cleared(chunks(Array("hidden".utf8))) == file(chunks(zeros)))
  }
}
