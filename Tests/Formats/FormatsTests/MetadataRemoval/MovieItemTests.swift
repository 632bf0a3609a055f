import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Parts of a movie's header that are built byte by byte (ISO/IEC 14496-12, QuickTime File Format, exiftool's Canon.pm).
struct MovieItemTests {
  private static let place = Array("47.3600, 8.5400 ".utf8)
  private static let blank = zeros(place.count)
  /// EXIF with a directory of GPS.
  private static let exif: [UInt8] =
    Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x8825, 4, 1, le32(26)) + le32(0)
    + le16(1) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + le32(0)

  private func movie(_ content: [UInt8]) -> [UInt8] {
    box("ftyp", Array("isom".utf8) + be32(0) + Array("isom".utf8))
      + box("moov", box("mvhd", zeros(100)) + content)
  }

  private func stripped(_ content: [UInt8]) throws -> [UInt8] {
    let own = movie(content)
    return try Redaction.of(.mpeg4, ArraySource(own), .withoutLocation).applied(to: own)
  }

  private func expectKept(_ content: [UInt8], _ comment: Comment? = nil) throws {
    #expect(try stripped(content) == movie(content), comment)
  }

  // MARK: Items

  private static func data(_ kind: Int64, _ content: [UInt8]) -> [UInt8] {
    box("data", be32(kind) + be32(0) + content)
  }

  private static func text(_ text: String) -> [UInt8] { data(1, Array(text.utf8)) }

  private static func free(_ mean: [UInt8], _ name: [UInt8], _ more: [UInt8]) -> [UInt8] {
    box("----", box("mean", be32(0) + mean) + box("name", be32(0) + name) + more)
  }

  private static let artist = [0xA9] + Array("ART".utf8)

  private func userData(_ items: [UInt8]) -> [UInt8] {
    let handler = box("hdlr", zeros(8) + Array("mdirappl".utf8) + zeros(9))
    return box("udta", box("meta", be32(0) + handler + box("ilst", items)))
  }

  private static let program = Array("com.apple.iTunes".utf8)
  private static let other = Array("foo".utf8)

  private static let keptItems: [[UInt8]] = [
    box(artist, text("Me")),
    box("trkn", data(0, [0, 0, 0, 3, 0, 9, 0, 0])),
    box("disk", data(0, [0, 0, 0, 1, 0, 1])),
    box("gnre", data(0, [0, 17])),
    box("tmpo", data(21, [0, 120])),
    box("cpil", data(21, [1])),
    free(program, Array("iTunNORM".utf8), text(" 00000A")),
  ]

  private static func values(_ count: Int) -> [UInt8] {
    [[UInt8]](repeating: text("a"), count: count).flatMap { $0 }
  }

  private static let placedItems: [[UInt8]] = [
    free(program, other + place, text("a")),
    free(other + place, other, text("a")),
    box(artist, box("name", be32(0) + place) + text("a")),
    box(artist, box("itif", be32(0) + place) + text("a")),
    box(artist, data(0x0100_0001, place)),
    box(artist, values(64) + data(1, place)),
    box(artist, values(1100) + data(1, place)),
    box(artist, data(1, other + exif)),
    box("trkn", data(3, place)),
    box("trkn", data(13, place)),
    box("cnID", data(0, place)),
    box("tmpo", data(21, place)),
  ]

  @Test func `items without a place stay`() throws {
    for (index, item) in Self.keptItems.enumerated() {
      try expectKept(userData(item), "\(index)")
    }
  }

  @Test func `items with a place are removed`() throws {
    for (index, item) in Self.placedItems.enumerated() {
      let made = try stripped(userData(item))
      #expect(made == movie(userData(box("free", zeros(item.count - 8)))), "\(index)")
    }
  }

  @Test(
    arguments: ["SETT", "LOOP", "WLOC", "smta", "kind", "ludt", "auth", "yrrc", "tsel", "date"])
  func `binary user data with a place is removed`(type: String) throws {
    try expectKept(box("udta", box(type, [0, 1, 2, 3])))
    #expect(
      try stripped(box("udta", box(type, [0, 1, 2, 3] + Self.exif)))
        == movie(box("udta", box("free", zeros(4 + Self.exif.count)))))
  }

  // MARK: Canon

  /// SOI, a comment, the frame, the scan, EOI (ITU-T T.81 §B.2).
  private func picture(_ comment: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8] + segment(0xFE, comment) + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0xD9]
  }

  private func canon(_ content: [UInt8]) -> [UInt8] {
    box("uuid", CanonRaw3.identifier + content)
  }

  @Test func `pictures in Canon's boxes are changed`() throws {
    let spaces = [UInt8](repeating: 0x20, count: Self.place.count)
    func boxes(_ comment: [UInt8]) -> [UInt8] {
      canon(
        box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8))
          + box("THMB", zeros(16) + picture(comment))
          + box("CNTH", box("CNDA", picture(comment))))
        + box(
          "uuid", ISORedaction.canonPreview + zeros(8) + box("PRVW", zeros(16) + picture(comment)))
    }
    #expect(try stripped(boxes(Self.place)) == movie(boxes(spaces)))
    try expectKept(boxes(Array("Lake".utf8)))
  }

  @Test func `unknown parts of Canon's boxes are removed`() throws {
    let known = box("CNCV", Array("CanonCR3".utf8)) + box("THMB", Array("<no picture>".utf8))
    #expect(
      try stripped(canon(known + box("quux", Self.place) + [0, 0, 0, 3]))
        == movie(canon(known + box("free", Self.blank) + zeros(4))))
    #expect(
      try stripped(canon(box("THMB", zeros(4) + Self.place)))
        == movie(canon(box("free", zeros(4) + Self.blank))))
    let preview = ISORedaction.canonPreview + zeros(8) + Self.place
    #expect(
      try stripped(box("uuid", preview)) == movie(box("free", zeros(preview.count))))
  }

  // MARK: Sample descriptions

  private func track(_ handler: String, _ entry: [UInt8]) -> [UInt8] {
    let media =
      box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13))
      + box("minf", box("stbl", box("stsd", be32(0) + be32(1) + entry)))
    return box("trak", box("tkhd", zeros(84)) + box("mdia", media))
  }

  /// Four more bytes of fields precede the boxes of a RAW image.
  @Test(arguments: [78, 82])
  func `unknown boxes of Canon's RAW images are removed`(length: Int) throws {
    func entry(_ last: [UInt8]) -> [UInt8] {
      track("vide", box("CRAW", zeros(length) + box("CMP1", [1, 2, 3, 4]) + last))
    }
    #expect(
      try stripped(entry(box("quux", Self.place))) == movie(entry(box("free", Self.blank))))
    try expectKept(entry(box("CDI1", [5, 6, 7, 8])))
  }

  /// Boxes of other codecs than the description's, and one that cannot be parsed.
  @Test(arguments: ["vp09 avcC", "vp09 glbl", "mp4v esds", "mp4a esds", "avc1 avcC"])
  func `texts in decoder configurations are cleared`(types: String) throws {
    let (entry, type) = (String(types.prefix(4)), String(types.suffix(4)))
    func made(_ text: [UInt8]) -> [UInt8] {
      let isSound = entry == "mp4a"
      return track(
        isSound ? "soun" : "vide",
        box(entry, zeros(isSound ? 28 : 78) + box(type, zeros(8) + text + [1])))
    }
    #expect(try stripped(made(Self.place)) == movie(made(Self.blank)))
    try expectKept(made(Array("Kept 12 34".utf8)))
  }

  /// ISO/IEC 23001-7 §8.1: the length of the data follows the identifier of the system.
  @Test func `places in boxes of content protection are removed`() throws {
    let damaged = box("pssh", zeros(20) + be32(1000) + Self.place)
    #expect(try stripped(damaged) == movie(box("free", zeros(24) + Self.blank)))
    try expectKept(box("pssh", zeros(20) + be32(4) + [1, 2, 3, 4]))
  }
}
