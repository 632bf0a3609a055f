import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// The data of a GIF's pictures that a redaction drops.
struct GIFPixelDataTests {
  /// The data of 10 × 10 pixels in 4 colours from the description of GIF by Matthew Flickinger, without the
  /// code size of 2: `convert` reads the same 100 pixels from it.
  private static let data: [UInt8] = [
    0x8C, 0x2D, 0x99, 0x87, 0x2A, 0x1C, 0xDC, 0x33, 0xA0, 0x02, 0x75, 0xEC, 0x95, 0xFA, 0xA8, 0xDE,
    0x60, 0x8C, 0x04, 0x91, 0x4C, 0x01,
  ]
  private static let hidden = Array("47.123456 8.654321".utf8)

  /// A GIF of one picture with these blocks of data.
  private func file(_ blocks: [[UInt8]], height: UInt8 = 10, codeSize: UInt8 = 2) -> [UInt8] {
    Array("GIF89a".utf8) + [10, 0, height, 0, 0x91, 0, 0] + [UInt8](repeating: 0x80, count: 12)
      + [0x2C, 0, 0, 0, 0, 10, 0, height, 0, 0, codeSize]
      + blocks.flatMap { [UInt8($0.count)] + $0 } + [0, 0x3B]
  }

  private func cleared(_ bytes: [UInt8]) throws -> [UInt8] {
    try GIFRedaction.find(.withoutLocation, in: ArraySource(bytes)).applied(to: bytes)
  }

  @Test func `data up to the end code stays`() throws {
    for size in [1, 5, 21, 22] {
      let blocks = stride(from: 0, to: Self.data.count, by: size).map {
        Array(Self.data[$0..<min($0 + size, Self.data.count)])
      }
      #expect(try cleared(file(blocks)) == file(blocks))
    }
  }

  @Test func `data after the end code is dropped`() throws {
    #expect(try cleared(file([Self.data + Self.hidden])) == file([Self.data]))
    #expect(try cleared(file([Self.data, Self.hidden])) == file([Self.data]))
    #expect(
      try cleared(file([Array(Self.data[..<7]), Self.data[7...] + Self.hidden, Self.hidden]))
        == file([Array(Self.data[..<7]), Array(Self.data[7...])]))
  }

  /// A picture of one row needs the first codes of the data: 4, 1, 6, 6 of 3 bits each, and 2, 9, 9 of 4 bits each.
  @Test func `data after the last pixel is dropped`() throws {
    let needed = Array(Self.data[..<3])
    #expect(try cleared(file([Self.data, Self.hidden], height: 1)) == file([needed], height: 1))
  }

  @Test func `damaged data stays`() throws {
    // Codes that are not defined yet, an impossible code size, and data that is cut off.
    for bytes in [
      file([[0xFC] + Self.hidden]), file([Self.data + Self.hidden], codeSize: 12),
      file([Array(Self.data.dropLast(3))]),
    ] {
      #expect(try cleared(bytes) == bytes)
    }
  }

  /// A full table of codes is used until a clear code, with codes of 12 bits.
  @Test func `a full table of codes is read`() throws {
    var writer = CodeWriter()
    writer.write(4, width: 3)
    var (count, width) = (6, 3)
    for index in 0..<5000 {
      writer.write(0, width: width)
      if index > 0, count < 4096 { count += 1 }
      if count == 1 << width, width < 12 { width += 1 }
    }
    writer.write(5, width: width)
    let data = writer.bytes
    let blocks = stride(from: 0, to: data.count, by: 255).map {
      Array(data[$0..<min($0 + 255, data.count)])
    }
    let clean = file(blocks, height: 250).replacingSize(5000)
    #expect(try cleared(clean) == clean)
    let planted = file(blocks + [Self.hidden], height: 250).replacingSize(5000)
    #expect(try cleared(planted) == clean)
  }
}

/// Writes numbers of some bits, the lowest first.
private struct CodeWriter {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  mutating func write(_ value: Int, width: Int) {
    for bit in 0..<width {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(8 - free)
      free -= 1
    }
  }
}

extension [UInt8] {
  /// The picture of the file with another width and a height of 1.
  fileprivate func replacingSize(_ width: Int) -> [UInt8] {
    var changed = self
    changed.replaceSubrange(
      30..<34, with: [UInt8(width & 0xFF), UInt8(width >> 8), 1, 0])
    return changed
  }
}
