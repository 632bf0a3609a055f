import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Places in parts of files that few programs show.
struct HiddenPlaceTests {
  private static let place = Array("GPS 47.37, 8.54".utf8)
  /// SOI, a comment, the frame, the scan, EOI (ITU-T T.81 §B.2).
  private static let picture: [UInt8] =
    [0xFF, 0xD8] + segment(0xFE, place) + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0xD9]
  private static let cleaned: [UInt8] =
    [0xFF, 0xD8] + segment(0xFE, [UInt8](repeating: 0x20, count: place.count))
    + picture.dropFirst(6 + place.count)

  // MARK: IPTC

  /// The preview of the object (2:202), the object (8:10), and datasets of unknown meaning (IIM 4.2 §6 and §9).
  @Test func `previews in IPTC are changed`() {
    func dataset(_ record: UInt8, _ number: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0x1C, record, number] + be16(content.count) + content
    }
    let title = dataset(2, 5, Array("Lake".utf8))
    // An extended dataset has its length after the length of that.
    let long: [UInt8] = [0x1C, 2, 202, 0x80, 4] + be32(Int64(Self.picture.count))
    let own =
      title + long + Self.picture + dataset(8, 10, Self.picture) + dataset(2, 202, Self.place)
      + dataset(240, 1, Self.place) + dataset(240, 2, Array("Kept".utf8))
    let kept =
      title + long + Self.cleaned + dataset(8, 10, Self.cleaned)
      + dataset(240, 2, Array("Kept".utf8))
    #expect(
      IPTCRedaction.removing(.withoutLocation, from: own)
        == kept + zeros(own.count - kept.count))
  }

  /// The name of a resource, and a text in UTF-16 in one of unknown kind.
  @Test func `texts in Photoshop's resources are removed`() {
    let wide: [UInt8] = "47.3711, 8.5422".utf8.flatMap { [0, $0] }
    let name = Array("47.3711, 8.5422".utf8)
    let named: [UInt8] =
      Array("8BIM".utf8) + be16(2000) + [UInt8(name.count)] + name + be32(2) + [1, 2]
    let own = named + PhotoshopResource.made(4001, wide)
    #expect(
      IPTCRedaction.removing(.withoutLocation, fromResources: own)
        == named[..<7] + zeros(name.count) + named[(7 + name.count)...]
        + PhotoshopResource.made(4001, zeros(wide.count)))
  }

  // MARK: Maker notes

  /// An Exif block with a maker, and a note at 70 (TIFF 6.0 §2).
  private func block(make: String, _ note: [UInt8]) -> [UInt8] {
    var block = Array("II".utf8) + le16(42) + le32(8) + le16(2)
    block += entry(0x010F, 2, 16, le32(38)) + entry(0x8769, 4, 1, le32(54)) + le32(0)
    block += (Array(make.utf8) + zeros(16)).prefix(16)
    return block + le16(1) + entry(0x927C, 7, note.count, le32(72)) + le32(0) + note
  }

  /// Two entries of Panasonic's notes, the second of which is a country (exiftool's Panasonic.pm).
  private func panasonicNote(_ start: [UInt8], at offset: Int, order: ByteOrder) -> [UInt8] {
    let values = offset + start.count + 2 + 24 + 4
    func number(_ value: Int, _ width: Int) -> [UInt8] { encoded(value, width: width, order) }
    return start + number(2, 2) + number(0x25, 2) + number(7, 2) + number(8, 4) + number(values, 4)
      + number(0x69, 2) + number(7, 2) + number(12, 4) + number(values + 8, 4) + number(0, 4)
      + Array("serial 1Switzerland\0".utf8)
  }

  @Test(arguments: [
    ("Panasonic", "Panasonic\0\0\0"), ("LEICA", "LEICA\0\0\0"),
    ("Leica Camera AG", "LEICA CAMERA AG\0\u{1}\0"),
  ])
  func `countries in maker notes are removed`(make: String, start: String) {
    for order in [ByteOrder.big, .little] {
      let note = panasonicNote(Array(start.utf8), at: 72, order: order)
      let own = block(make: make, note)
      #expect(own.firstIndex(of: "Switzerland") != nil)
      let stripped = ExifBlockRedaction.removing(.withoutLocation, from: own)
      #expect(stripped.count == own.count)
      #expect(stripped.firstIndex(of: "Switzerland") == nil, "\(make)")
      #expect(stripped.firstIndex(of: "serial 1") != nil)
    }
  }

  /// Adobe's converter moves the note, whose offsets still count from where it was (exiftool's DNG.pm).
  @Test func `countries in the private data of a DNG are removed`() throws {
    let note = panasonicNote(Array("Panasonic\0\0\0".utf8), at: 5000, order: .little)
    let record = Array("II".utf8) + be32(5000) + note
    let data = Array("Adobe\0MakN".utf8) + be32(Int64(record.count)) + record
    var own = Array("II".utf8) + le16(42) + le32(8) + le16(2)
    own += entry(0xC612, 1, 4, [1, 4, 0, 0]) + entry(0xC634, 1, data.count, le32(38)) + le32(0)
    own += data
    let stripped = try Redaction.of(.dng, ArraySource(own), .withoutLocation).applied(to: own)
    #expect(stripped.count == own.count)
    #expect(stripped.firstIndex(of: "Switzerland") == nil)
    #expect(stripped.firstIndex(of: "serial 1") != nil)
  }

  @Test func `coordinates in the text of any note are removed`() {
    let own = block(make: "ACME", Array("a=1\0\u{1}at 47.3711 8.5422\0b=2".utf8))
    let expected = block(make: "ACME", Array("a=1\0\u{1}                 \0b=2".utf8))
    #expect(ExifBlockRedaction.removing(.withoutLocation, from: own) == expected)
    #expect(ExifBlockRedaction.removing(.withoutCaptions, from: own) == own)
  }

  // MARK: JPEG

  /// Fields of Photoshop's “Save for Web”: quality, comment, copyright, and one of unknown kind (exiftool's APP12.pm).
  @Test func `texts of Save for Web are removed`() throws {
    func field(_ tag: Int, _ content: [UInt8]) -> [UInt8] {
      be16(tag) + be16(content.count) + content
    }
    func text(_ text: String) -> [UInt8] {
      be32(Int64(text.utf8.count)) + text.utf8.flatMap { [0, $0] }
    }
    func file(_ comment: String, _ copyright: String, _ other: [UInt8], _ end: [UInt8]) -> [UInt8] {
      let fields =
        field(1, [0, 0, 0, 60]) + field(2, text(comment)) + field(3, text(copyright))
        + field(9, other) + be16(0)
      return [0xFF, 0xD8] + segment(0xEC, Array("Ducky".utf8) + fields + end)
        + Self.cleaned.dropFirst(2)
    }
    let place = "47.3711, 8.5422"
    let blank = String(repeating: " ", count: place.utf8.count)
    let own = file(place, "(c) " + place, Self.place, Self.place)
    let (gone, end) = (zeros(Self.place.count), zeros(Self.place.count))
    #expect(
      try Redaction.of(.jpeg, ArraySource(own), .withoutLocation).applied(to: own)
        == file(blank, "    " + blank, gone, end))
    let harmless = file("Lake", "(c) me", [], [])
    #expect(
      try Redaction.of(.jpeg, ArraySource(harmless), .withoutLocation).applied(to: harmless)
        == harmless)
    #expect(
      try Redaction.of(.jpeg, ArraySource(harmless), .withoutCaptions).applied(to: harmless)
        == file("    ", "(c) me", [], []))
  }

  /// A frame of Motion JPEG in an AVI has two fields, and a comment on its colours (FFmpeg's mjpegdec.c).
  @Test(arguments: [MetadataPolicy.withoutLocation, .withoutCaptions, .appearanceOnly])
  func `metadata of both fields of a frame is removed`(policy: MetadataPolicy) throws {
    let head =
      segment(0xE0, Array("AVI1".utf8) + zeros(10)) + segment(0xFE, Array("CS=ITU601\0".utf8))
    let index = segment(0xE1, zeros(4) + Array("mjpg".utf8) + [UInt8](repeating: 9, count: 32))
    func field(_ picture: [UInt8]) -> [UInt8] {
      [0xFF, 0xD8] + head + index + picture.dropFirst(2)
    }
    let own = field(Self.picture) + zeros(4) + field(Self.picture) + Self.place
    let made = try #require(try PictureFrame.removing(policy, from: own))
    #expect(made.count == own.count)
    #expect(made.firstIndex(of: "47.37") == nil)
    let second = field(Self.picture).count + 4
    for start in [0, second] {
      #expect(made.hasBytes([0xFF, 0xD8] + head + index, at: start))
      #expect(made.hasBytes(Self.picture.suffix(27), at: start + second - 4 - 27))
    }
    #expect(made.hasBytes(zeros(4), at: second - 4))
  }

  // MARK: PNG

  private func png(_ chunks: [UInt8]) -> [UInt8] {
    PNGChunk.signature + PNGChunk.made("IHDR", be32(1) + be32(1) + [8, 0, 0, 0, 0]) + chunks
      + PNGChunk.made("IDAT", storedZlib([0, 7])) + PNGChunk.made("IEND", [])
  }

  private func stripped(_ chunks: [UInt8]) throws -> [UInt8] {
    let file = png(chunks)
    return try Redaction.of(.png, ArraySource(file), .withoutLocation).applied(to: file)
  }

  @Test func `blocks in digits are searched`() throws {
    let international = { (keyword: String, text: [UInt8]) in
      PNGChunk.made("iTXt", Array(keyword.utf8) + zeros(5) + text)
    }
    let exif = PNGRawProfile.text("exif", block(make: "ACME", Array("at 47.3711 8.5422".utf8)))
    let clean = PNGRawProfile.text("exif", block(make: "ACME", Array("                 ".utf8)))
    let keyword = "Raw profile type exif"
    #expect(
      try stripped(international(keyword, exif))
        == png(PNGChunk.made("tEXt", Array(keyword.utf8) + [0] + clean)))
    #expect(try stripped(international("raw profile type other", exif)) == png([]))
    // The digits continue after the length, or have other characters between them.
    for end in [Array("34372e333731312c".utf8), Array("47.3711, 8.5422".utf8)] {
      let text = PNGChunk.made("tEXt", Array(keyword.utf8) + [0] + clean + end)
      #expect(
        try stripped(text) == png(PNGChunk.made("tEXt", Array(keyword.utf8) + [0] + clean)))
    }
    let plain = PNGChunk.made("tEXt", Array(keyword.utf8) + [0] + clean)
    #expect(try stripped(plain) == png(plain))
    #expect(MetadataPolicy.withoutLocation.removes(PictureText(keyword: keyword, text: "")))
  }

  @Test func `bytes after compressed texts are removed`() throws {
    let text = storedZlib(Array("Lake".utf8))
    for (type, start) in [
      ("zTXt", Array("Title\0\0".utf8)), ("iTXt", Array("Title\0\u{1}\0\0\0".utf8)),
      ("iCCP", Array("Title\0\0".utf8)),
    ] {
      let type = FourCC(stringLiteral: type)
      #expect(
        try stripped(PNGChunk.made(type, start + text + Self.place))
          == png(PNGChunk.made(type, start + text)))
    }
  }

  @Test(arguments: [MetadataPolicy.withoutLocation, .appearanceOnly])
  func `a frame keeps its length`(policy: MetadataPolicy) throws {
    let own =
      png(
        PNGChunk.made("eXIf", MadeFile.exifBlock)
          + PNGChunk.made("tEXt", Array("GPS\0".utf8) + Self.place))
      + Self.place
    let made = try #require(try PictureFrame.removing(policy, from: own))
    #expect(made.count == own.count)
    #expect(made.firstIndex(of: Self.place) == nil)
    #expect(try PNGFile(ArraySource(made)).warnings == [])
    #expect(made.hasBytes(png([]).suffix(12), at: own.count - Self.place.count - 12))
  }
}
