import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// Rare structures of HEIF files, built after ISO/IEC 14496-12 and 23008-12.
struct HEIFReadingTests {
  private static let profile = Array("prof".utf8) + Array("ICC of the primary".utf8)

  /// A file with a primary picture (1), its EXIF (2), a gain map (3) and two tiles (4, 5).
  ///
  /// - Parameters:
  ///   - associations: the properties of each item: 1 `ispe`, 2 a profile, 3 another profile, 4 and more `others`.
  ///   - references: the content of `iref`.
  private func file(
    associations: [(item: Int, properties: [UInt8])] = [(1, [1])], references: [UInt8] = [],
    others: [UInt8] = [], extentLength: Int64? = nil, padding: Int = 13
  ) -> [UInt8] {
    let ftyp = box("ftyp", Array("mif1".utf8) + be32(0) + Array("mif1heic".utf8))
    func item(_ id: Int, _ type: String) -> [UInt8] {
      box("infe", be32(0x0200_0000) + be16(id) + be16(0) + Array(type.utf8) + [0])
    }
    let properties = box(
      "ipco",
      box("ispe", be32(0) + be32(640) + be32(480)) + box("colr", Self.profile)
        + box("colr", Array("profanother".utf8)) + others)
    let exif = be32(6) + Array("Exif\0\0".utf8) + MadeFile.exifBlock
    func meta(at offset: Int) -> [UInt8] {
      let items = item(1, "grid") + item(2, "Exif") + item(3, "hvc1") + item(4, "hvc1")
      return box(
        "meta",
        be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(padding))
          + box("pitm", be32(0) + be16(1)) + box("iinf", be32(0) + be16(4) + items)
          + (references.isEmpty ? [] : box("iref", be32(0) + references))
          + box(
            "iprp",
            properties
              + box(
                "ipma",
                be32(0) + be32(Int64(associations.count))
                  + associations.flatMap { item, properties in
                    be16(item) + [UInt8(properties.count)] + properties
                  }))
          + box(
            "iloc",
            be32(0) + [0x44, 0] + be16(1) + be16(2) + be16(0) + be16(1) + be32(Int64(offset))
              + be32(extentLength ?? Int64(exif.count))))
    }
    let offset = ftyp.count + meta(at: 0).count + 8
    return ftyp + meta(at: offset) + box("mdat", exif)
  }

  private func reference(_ type: String, _ from: Int, _ to: [Int]) -> [UInt8] {
    box(type, be16(from) + be16(to.count) + to.flatMap { be16($0) })
  }

  /// ISO/IEC 14496-12 §8.11.3: a length of 0 means all bytes up to the end.
  @Test func `extents of length 0 reach the end`() throws {
    let source = ArraySource(file(extentLength: 0))
    #expect(try HEIFContainer(source).exif(from: source) == MadeFile.exifBlock)
  }

  /// ISO/IEC 23008-12 §6.3: transformations apply in the order of association.
  @Test(
    arguments: [
      ([1], 640, 480), ([1, 4], 400, 301), ([1, 5], 480, 640), ([1, 4, 5], 301, 400),
      ([1, 5, 4], 400, 301), ([1, 6], 640, 480), ([1, 6, 5], 480, 640), ([1, 7], 640, 480),
    ] as [([UInt8], Int, Int)])
  func `the size follows the transformations`(
    properties: [UInt8], width: Int, height: Int
  ) throws {
    func aperture(_ width: [Int64], _ height: [Int64]) -> [UInt8] {
      box("clap", (width + height + [0, 1, 0, 1]).flatMap { be32($0) })
    }
    let others =
      aperture([800, 2], [601, 2]) + box("irot", [3]) + box("imir", [1])
      + aperture([1, 0], [1, 1])
    let source = ArraySource(file(associations: [(1, properties)], others: others))
    #expect(try HEIFContainer(source).displaySize == PixelSize(width: width, height: height))
  }

  /// A box after the end that is longer than the file is none; the last box of a file that is cut off is one.
  @Test func `bytes after the boxes do not count`() throws {
    let whole = file()
    let end = { (bytes: [UInt8]) in Int(try HEIFContainer(ArraySource(bytes)).end) }
    for stray in [
      "", "\0\0\0\u{1}Somewhere near the lake", "{\"place\": 1}", "\0\0", "\0\0\0\u{4}abcd",
    ] {
      #expect(try end(whole + Array(stray.utf8)) == whole.count)
    }
    #expect(try end(whole + box("free", [1, 2])) == whole.count + 10)
    #expect(try end(whole.dropLast(3)) == whole.count - 3)
  }

  @Test func `auxiliary pictures are those of the primary one`() throws {
    let others =
      box("auxC", be32(0) + Array("urn:mpeg:hevc:2015:auxid:2\0".utf8) + [1, 2])
      + box("auxC", be32(0) + Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8))
    let associations: [(item: Int, properties: [UInt8])] = [(1, [1]), (3, [1, 4]), (4, [1, 5])]
    func container(_ references: [UInt8]) throws -> HEIFContainer {
      try HEIFContainer(
        ArraySource(file(associations: associations, references: references, others: others)))
    }
    let both = try container(reference("auxl", 4, [1]) + reference("auxl", 3, [1]))
    #expect(
      both.auxiliaryTypes == [
        "urn:mpeg:hevc:2015:auxid:2", "urn:com:apple:photo:2020:aux:hdrgainmap",
      ])
    #expect(both.hasDepthImage)
    let other = try container(reference("auxl", 3, [4]))
    #expect(other.auxiliaryTypes.isEmpty)
    #expect(!other.hasDepthImage)
  }

  @Test func `a grid's colours are those of its first tile`() throws {
    let others = box("colr", Array("nclx".utf8) + be16(9) + be16(16) + be16(9) + [0])
    let tiles = reference("dimg", 1, [4, 4]) + reference("auxl", 3, [1])
    func transfer(_ associations: [(item: Int, properties: [UInt8])]) throws -> Int? {
      try HEIFContainer(
        ArraySource(file(associations: associations, references: tiles, others: others))
      ).codedColor?.transfer
    }
    #expect(try transfer([(1, [1]), (4, [1, 4])]) == 16)
    #expect(try transfer([(1, [1]), (3, [1, 4])]) == nil)
  }

  @Test(arguments: [([], true), ([1], true), ([4], true), ([3], false), ([3, 1], true)])
  func `EXIF of other pictures is left out`(described: [Int], isOurs: Bool) throws {
    let tiles = reference("dimg", 1, [4, 4])
    let source = ArraySource(
      file(references: described.isEmpty ? tiles : tiles + reference("cdsc", 2, described)))
    #expect(try (HEIFContainer(source).exif(from: source) != nil) == isOurs)
  }

  @Test func `the profile is the primary picture's or its tiles'`() throws {
    let tiles = reference("dimg", 1, [4, 4]) + reference("auxl", 3, [1])
    let wanted = Array(Self.profile.dropFirst(4))
    func icc(_ associations: [(item: Int, properties: [UInt8])]) throws -> [UInt8]? {
      try PictureMetadata.read(
        .heic, ArraySource(file(associations: associations, references: tiles))
      ).icc
    }
    #expect(try icc([(1, [1, 2]), (3, [1, 3]), (4, [1, 3])]) == wanted)
    #expect(try icc([(1, [1]), (3, [1, 3]), (4, [1, 2])]) == wanted)
    // A gain map's profile is not the picture's.
    #expect(try icc([(1, [1]), (3, [1, 3]), (4, [1])]) == nil)
  }

  /// Repetitions of an item in a reference are removed; tiles may repeat. Sizes and offsets stay.
  @Test(arguments: [[2], [2, 2, 2, 2, 2, 2]])
  func `repeated references are repaired`(repeated: [Int]) throws {
    let references =
      reference("thmb", 3, [1, 1]) + reference("dimg", 1, [4, 4])
      + reference("cdsc", 2, [1] + repeated)
    let bytes = file(references: references)
    let source = ArraySource(bytes)
    let repaired = try HEIFReferenceRepair.repaired(source, HEIFContainer(source))
    let changed = try repaired.bytes(at: 0, count: bytes.count + 10)
    #expect(changed.count == bytes.count)
    let before = try HEIFContainer(source)
    let after = try HEIFContainer(ArraySource(changed))
    #expect(after.references.map(\.to) == [[1], [4, 4], [1, 2]])
    #expect(after.references.map(\.type) == before.references.map(\.type))
    #expect(after.items == before.items)
    #expect(after.properties == before.properties)
    #expect(try after.exif(from: repaired) == MadeFile.exifBlock)
    // Reading in parts returns the same bytes.
    for start in stride(from: 0, to: bytes.count, by: 7) {
      #expect(
        try repaired.bytes(at: UInt64(start), count: 7)
          == Array(changed[start..<min(start + 7, changed.count)]))
    }
  }

  @Test func `valid references stay`() throws {
    let source = ArraySource(file(references: reference("cdsc", 2, [1])))
    #expect(try HEIFReferenceRepair.repaired(source, HEIFContainer(source)) is ArraySource)
  }

  /// Compressed metadata is inflated. libheif must not inflate data that ends early.
  @Test func `damaged compressed metadata is refused`() throws {
    func obstacle(_ encoding: String, _ content: [UInt8]) throws -> String? {
      let ftyp = box("ftyp", Array("mif1".utf8) + be32(0) + Array("mif1heic".utf8))
      let strings = "\0application/rdf+xml\0\(encoding)\0"
      let entry =
        be32(0x0200_0000) + be16(2) + be16(0) + Array("mime".utf8) + Array(strings.utf8)
      let location = be32(0x0100_0000) + [0x44, 0] + be16(1) + be16(2) + be16(1) + be16(0)
      let bytes =
        ftyp
        + box(
          "meta",
          be32(0) + box("iinf", be32(0) + be16(1) + box("infe", entry))
            + box("iloc", location + be16(1) + be32(0) + be32(Int64(content.count)))
            + box("idat", content))
      let source = ArraySource(bytes)
      let file = try HEIFContainer(source)
      #expect(file.items.first?.contentEncoding == (encoding.isEmpty ? nil : encoding))
      if content.count >= 7 {
        let inflated = try file.xmp(from: source)
        #expect(try inflated == (file.compressionObstacle(in: source) == nil ? [7, 8] : nil))
      }
      return try file.compressionObstacle(in: source)
    }
    // A stored block of two bytes (RFC 1951 §3.2.4), whole and cut off.
    let whole: [UInt8] = [1, 2, 0, 0xFD, 0xFF, 7, 8]
    #expect(try obstacle("", [1]) == nil)
    #expect(try obstacle("deflate", whole) == nil)
    #expect(try obstacle("compress_zlib", [0x78, 0x9C] + whole + zeros(4)) == nil)
    let sentence = "The HEIF picture's compressed metadata is damaged."
    #expect(try obstacle("deflate", Array(whole.dropLast())) == sentence)
    #expect(try obstacle("compress_zlib", [0x78, 0x9C] + whole.dropLast(2)) == sentence)
  }
}
