import Foundation
import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// The bytes of a JPEG's scans that a redaction clears. The pictures are built code by code after ITU-T T.81.
struct JPEGPixelDataTests {
  private static let text = Array("47.123456 8.654321".utf8)
  /// The same place as two big-endian numbers of 64 bits.
  private static let numbers: [UInt8] = [
    0x40, 0x47, 0x8F, 0xCD, 0x64, 0x64, 0xA0, 0x10, 0x40, 0x21, 0x4F, 0x03, 0x2C, 0x2F, 0x15, 0x92,
  ]

  /// The same place as EXIF's rational numbers: degrees, minutes, seconds.
  private static let rationals: [UInt8] = [
    (47, 1), (7, 1), (24_442, 1000), (8, 1), (39, 1), (15_556, 1000),
  ]
  .flatMap { (numerator: UInt32, denominator: UInt32) in
    [numerator, denominator].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
    }
  }

  /// 0: no difference; 10: a difference of 3 bits.
  private static let directTable = table(0x00, [1, 1], [0, 3])
  /// 0: end of the block; 10: a value of 1 bit; 110: a value of 2 bits after a zero.
  private static let sequentialTable = table(0x10, [1, 1, 1], [0x00, 0x01, 0x12])
  /// 0: end of the block; 10: a value of 1 bit; 110: a run of 2 or 3 ends of blocks.
  private static let progressiveTable = table(0x10, [1, 1, 1], [0x00, 0x01, 0x10])

  private static func table(_ kind: UInt8, _ counts: [UInt8], _ symbols: [UInt8]) -> [UInt8] {
    segment(0xC4, [kind] + counts + zeros(16 - counts.count) + symbols)
  }

  /// A frame with 8 bits a sample; factors are sampling factors.
  private static func frame(
    _ marker: UInt8, width: UInt8, height: UInt8, _ factors: [UInt8]
  ) -> [UInt8] {
    let components = factors.enumerated().flatMap { index, factor -> [UInt8] in
      [UInt8(index + 1), factor, 0]
    }
    return segment(marker, [8, 0, height, 0, width, UInt8(factors.count)] + components)
  }

  /// A scan's header with the tables 0.
  private static func scan(
    _ components: Int, _ first: UInt8 = 0, _ last: UInt8 = 63, _ bits: UInt8 = 0
  ) -> [UInt8] {
    let selected = (1...components).flatMap { number -> [UInt8] in [UInt8(number), 0] }
    return segment(0xDA, [UInt8(components)] + selected + [first, last, bits])
  }

  /// Packs a text of ones and zeros into bytes, padded with ones, and with a zero after each byte 0xFF (§F.1.2.3).
  private static func coded(_ bits: String) -> [UInt8] {
    var values = bits.compactMap { $0.wholeNumberValue }.map(UInt8.init)
    while values.count % 8 != 0 { values.append(1) }
    return stride(from: 0, to: values.count, by: 8).flatMap { start in
      let byte = values[start..<(start + 8)].reduce(0) { $0 << 1 | $1 }
      return byte == 0xFF ? [byte, 0] : [byte]
    }
  }

  private func cleared(_ parts: [[UInt8]]) throws -> [UInt8] {
    let bytes = file(parts)
    return try JPEGRedaction.find(.withoutLocation, in: ArraySource(bytes)).applied(to: bytes)
  }

  private func file(_ parts: [[UInt8]]) -> [UInt8] {
    [0xFF, 0xD8] + parts.flatMap { $0 } + [0xFF, 0xD9]
  }

  /// - Parameter make: returns a picture's parts, with the given bytes after each coded part.
  private func expectCleared(
    _ hidden: [UInt8], _ make: ([UInt8]) -> [[UInt8]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try cleared(make([])) == file(make([])), sourceLocation: sourceLocation)
    let filled = [UInt8](repeating: 0xFF, count: hidden.count)
    #expect(try cleared(make(hidden)) == file(make(filled)), sourceLocation: sourceLocation)
  }

  @Test(arguments: [text, numbers])
  func `bytes after a sequential scan are cleared`(hidden: [UInt8]) throws {
    let head = [
      Self.frame(0xC0, width: 16, height: 8, [0x11]), Self.directTable, Self.sequentialTable,
      Self.scan(1),
    ]
    // Two blocks, the second one empty.
    try expectCleared(hidden) { head + [Self.coded("10 101  10 1  110 11  0   0 0"), $0] }
  }

  @Test func `bytes after an interleaved scan are cleared`() throws {
    let head = [
      Self.frame(0xC1, width: 16, height: 16, [0x22, 0x11, 0x11]), Self.directTable,
      Self.sequentialTable, Self.scan(3),
    ]
    // One unit of six blocks, each with four values of 1 bit.
    let block = "10 111  10 1 10 1 10 1 10 1 0 "
    try expectCleared(Self.text) {
      head + [Self.coded(String(repeating: block, count: 6)), $0]
    }
  }

  /// Two scans of a component each: 17 × 9 pixels have 3 × 2 blocks, and 2 × 1 with half of the pixels.
  @Test func `bytes after scans of one component are cleared`() throws {
    let frame = Self.frame(0xC0, width: 17, height: 9, [0x22, 0x11])
    func header(_ component: UInt8) -> [UInt8] { segment(0xDA, [1, component, 0, 0, 63, 0]) }
    let block = "10 111  0 "
    try expectCleared(Self.text) {
      [frame, Self.directTable, Self.sequentialTable, header(1)]
        + [Self.coded(String(repeating: block, count: 6)), $0, header(2)]
        + [Self.coded(String(repeating: block, count: 2)), $0]
    }
  }

  @Test func `bytes before restart markers are cleared`() throws {
    let head = [
      Self.frame(0xC0, width: 24, height: 8, [0x11]), Self.directTable, Self.sequentialTable,
      segment(0xDD, [0, 1]), Self.scan(1),
    ]
    let block = Self.coded("10 101  10 1  110 11  0")
    try expectCleared(Self.text) {
      head + [block, $0, [0xFF, 0xD0], block, $0, [0xFF, 0xD1], block, $0]
    }
  }

  /// The last scan's length depends on the coefficients that are not zero after the second one. Reversed bytes are
  /// little-endian numbers.
  @Test(arguments: [text, numbers, numbers.reversed(), rationals, rationals.reversed()])
  func `bytes after progressive scans are cleared`(place: [UInt8]) throws {
    let head = [
      Self.frame(0xC2, width: 16, height: 8, [0x11]), Self.directTable, Self.progressiveTable,
    ]
    let values = String(repeating: "10 1 ", count: 8)
    for refinement in ["10 1 11111111 0  0", "110 0 11111111"] {
      try expectCleared(place) { hidden in
        head + [
          Self.scan(1, 0, 0, 0x01), Self.coded("10 101  0"), hidden,
          Self.scan(1, 1, 63, 0x01), Self.coded(values + "110 0"), hidden,
          Self.scan(1, 0, 0, 0x10), Self.coded("1 0"), hidden,
          Self.scan(1, 1, 63, 0x10), Self.coded(refinement), hidden,
        ]
      }
    }
  }

  /// Arithmetic coding, a missing table, a code that is not defined, and a scan that ends too early.
  @Test func `scans that cannot be counted stay`() throws {
    let data = Self.coded("10 101  10 1  110 11  0   0 0") + Self.text
    let tables = [Self.directTable, Self.sequentialTable]
    let frame = Self.frame(0xC0, width: 16, height: 8, [0x11])
    for parts in [
      [Self.frame(0xC9, width: 16, height: 8, [0x11])] + tables + [Self.scan(1), data],
      [frame, Self.directTable, Self.scan(1), data],
      [frame] + tables + [Self.scan(1), [0xF7] + Self.text],
      [Self.frame(0xC0, width: 250, height: 250, [0x11])] + tables + [Self.scan(1), data],
    ] {
      #expect(try cleared(parts) == file(parts))
    }
  }

  /// Scans of real encoders are counted up to their last byte.
  @Test(.enabled(if: Corpus.isPresent)) func `bytes after the scans of real pictures are cleared`()
    throws
  {
    let corpus = try #require(Corpus.shared)
    var (pictures, missed) = (0, [String]())
    for url in corpus.files(in: "library")
    where ["jpg", "jpeg"].contains(fileExtension(of: url.path)) {
      let bytes = Array(try Data(contentsOf: url))
      let source = ArraySource(bytes)
      guard bytes.count < 64 << 10, let file = try? JPEGMetadata(source),
        let scan = file.scanOffset,
        let end = try JPEGScans(from: scan, in: source).end.map({ Int($0) - 2 })
      else { continue }
      let planted = ArraySource(bytes[..<end] + Self.text + bytes[end...])
      let scans = try JPEGScans(from: scan, in: planted)
      let unused = try JPEGPixelData.unused(file.segments, scans, in: planted)
      pictures += 1
      if unused != [UInt64(end)..<UInt64(end + Self.text.count)] { missed.append(url.path) }
    }
    #expect(pictures > 50)
    #expect(missed == [])
  }
}
