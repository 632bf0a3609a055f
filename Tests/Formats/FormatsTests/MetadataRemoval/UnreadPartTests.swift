import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Parts of pictures and of AVI movies that readers skip, and lists that are longer than those of real files.
struct UnreadPartTests {
  private static let place = Array("47.3600, 8.5400 ".utf8)
  private static let blank = zeros(place.count)
  private static let city = Array("Zuerichplatz".utf8)
  /// EXIF with a directory of GPS.
  private static let exif: [UInt8] =
    Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x8825, 4, 1, le32(26)) + le32(0)
    + le16(1) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + le32(0)

  private func stripped(_ type: UniformType, _ file: [UInt8]) throws -> [UInt8] {
    try Redaction.of(type, ArraySource(file), .withoutLocation).applied(to: file)
  }

  // MARK: Long parts

  /// Data is searched in pieces of 4 MiB.
  @Test func `places in long data are cleared`() throws {
    let lead = (4 << 20) - 5
    let data = zeros(lead) + Self.place + zeros(100) + [1]
    var redaction = Redaction()
    try redaction.blankPlaces(
      in: 0..<UInt64(data.count), of: ArraySource(data), .withoutLocation)
    #expect(redaction.applied(to: data) == zeros(data.count - 1) + [1])
  }

  @Test func `data that is too long to be searched is refused`() {
    struct LongSource: ByteSource {
      let count: UInt64 = 1 << 32
      func bytes(at offset: UInt64, count: Int) -> [UInt8] { zeros(count) }
    }
    #expect(throws: RedactionRefusal.self) {
      var redaction = Redaction()
      try redaction.blankPlaces(in: 0..<(1 << 31), of: LongSource(), .withoutLocation)
    }
  }

  @Test func `EXIF in other data is found`() {
    for lead in [[], [1, 2, 3], Array("II*".utf8)] as [[UInt8]] {
      #expect(ExifInData.recordsPlace(lead + Self.exif + [5]))
    }
    let other =
      Array("MM".utf8) + be16(42) + be32(8) + be16(1) + be16(0x0112) + be16(3) + be32(1)
      + be16(6) + be16(0) + be32(0)
    #expect(!ExifInData.recordsPlace(other))
    #expect(ExifInData.recordsPlace(other + Self.exif))
  }

  // MARK: JPEG 2000 and JPEG XL

  private static let signature: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]
  /// The beginning of a codestream and its end.
  private static let codestream = box("jp2c", [0xFF, 0x4F, 0xFF, 0xD9])

  private func jpeg2000(header: [UInt8] = box("ihdr", zeros(14)), _ more: [UInt8]) -> [UInt8] {
    box("jP  ", Self.signature) + box("jp2h", header) + more
  }

  private func jpegXL(_ content: [UInt8]) -> [UInt8] { box("JXL ", Self.signature) + content }

  @Test func `each box of a header is visited`() throws {
    let empty = [[UInt8]](repeating: box("res ", []), count: 1030).flatMap { $0 }
    let made = try stripped(
      .jpeg2000, jpeg2000(header: empty + box("xml ", Self.place), Self.codestream))
    #expect(
      made == jpeg2000(header: empty + box("free", Self.blank), Self.codestream))
    let tail = [0, 0, 0, 3] + Self.place
    #expect(
      try stripped(.jpeg2000, jpeg2000(header: empty + tail, Self.codestream))
        == jpeg2000(header: empty + zeros(tail.count), Self.codestream))
  }

  @Test func `pictures with too many boxes are refused`() {
    let many = [[UInt8]](repeating: box("free", []), count: 10_001).flatMap { $0 }
    #expect(throws: RedactionRefusal.self) { try stripped(.jpegXL, jpegXL(many)) }
    #expect(throws: RedactionRefusal.self) {
      try stripped(.jpeg2000, jpeg2000(header: many, Self.codestream))
    }
  }

  @Test func `a codestream that is none is removed`() throws {
    let other = box("jp2c", Self.place)
    #expect(
      try stripped(.jpeg2000, jpeg2000(Self.codestream + other))
        == jpeg2000(Self.codestream + box("free", Self.blank)))
    let two = jpeg2000(Self.codestream + Self.codestream)
    #expect(try stripped(.jpeg2000, two) == two)
  }

  @Test func `elements of other XML are judged by their names`() throws {
    func file(_ xml: String) -> [UInt8] { jpegXL(box("xml ", Array(xml.utf8))) }
    let spaces = String(repeating: " ", count: "<City>Zuerichplatz</City>".utf8.count)
    #expect(
      try stripped(.jpegXL, file("<a><City>Zuerichplatz</City><b>Kept</b></a>"))
        == file("<a>\(spaces)<b>Kept</b></a>"))
    let picture = jpeg2000(box("xml ", Array("<a><b c=\"d\">Kept</b></a>".utf8)) + Self.codestream)
    #expect(try stripped(.jpeg2000, picture) == picture)
    #expect(try stripped(.jpegXL, file("<a><City>Zuerichplatz")).firstIndex(of: Self.city) == nil)
  }

  /// Its start is not where the box says (ISO/IEC 18181-2 §9.4).
  @Test func `EXIF of a JPEG XL that is not found is removed`() throws {
    for start in [0, 99] as [Int64] {
      let hidden = be32(start) + Array("abc".utf8) + Self.exif
      #expect(
        try stripped(.jpegXL, jpegXL(box("Exif", hidden)))
          == jpegXL(box("free", zeros(hidden.count))))
    }
  }

  /// Programs that look for the first header find another block.
  @Test func `EXIF in front of EXIF is removed`() throws {
    let second =
      Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x0112, 3, 1, le32(6))
      + le32(0)
    func made(_ first: [UInt8]) -> [UInt8] {
      jpegXL(box("Exif", be32(Int64(first.count)) + first + second))
    }
    #expect(try stripped(.jpegXL, made([1] + Self.exif)) == made(zeros(Self.exif.count + 1)))
    #expect(try stripped(.jpegXL, made([1, 2])) == made([1, 2]))
  }

  // MARK: GIF

  @Test func `XMP in sub-blocks of a GIF is removed`() throws {
    let start = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
    let end: [UInt8] = [0x2C] + zeros(4) + [1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0, 0x3B]
    let name = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
    let packet = [UInt8](repeating: 0x20, count: 400) + Self.city
    let hidden = start + name + GIFBlock.subBlocks(packet) + end
    #expect(try stripped(.gif, hidden) == start + end)
    let whole = start + name + MadeFile.xmp.bytes + GIFBlock.xmpTrailer + end
    #expect(try stripped(.gif, whole).count == whole.count)
  }

  // MARK: PNG

  private func picture(_ middle: [UInt8], color: UInt8 = 6) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", be32(1) + be32(1) + [8, color, 0, 0, 0]) + middle
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  @Test func `unexpected chunks of a PNG are removed`() throws {
    let header = chunk("IHDR", be32(1) + be32(1) + [8, 6, 0, 0, 0])
    let palette = chunk("PLTE", zeros(6))
    #expect(try stripped(.png, picture(header)) == picture([]))
    #expect(
      try stripped(.png, picture(palette + chunk("PLTE", Self.place + [0, 0])))
        == picture(palette))
    for unwanted in [
      chunk("tRNS", Self.place), chunk("hIST", Self.place), chunk("cHRM", Self.place + Self.place),
      chunk("mDCV", Self.place + zeros(8)), chunk("iTXt", Array("Comment\0\u{2}\0\0\0abc".utf8)),
    ] {
      #expect(try stripped(.png, picture(unwanted)) == picture([]))
    }
    // Two colours have two opacities and two frequencies.
    let indexed = picture(palette + chunk("tRNS", [1, 2]) + chunk("hIST", [0, 1, 0, 2]), color: 3)
    #expect(try stripped(.png, indexed) == indexed)
    #expect(
      try stripped(.png, picture(palette + chunk("tRNS", [1, 2, 3]), color: 3))
        == picture(palette, color: 3))
    let plain = picture(
      chunk("cHRM", (0..<8).flatMap { be32(31_270 + $0) })
        + chunk("iTXt", Array("Author\0\0\0\0\0Me".utf8)))
    #expect(try stripped(.png, plain) == plain)
  }

  // MARK: BMP

  /// BITMAPV5HEADER of a picture of one pixel.
  @Test func `places in the header of a BMP are cleared`() throws {
    func made(_ text: [UInt8]) -> [UInt8] {
      let fields: [UInt8] = le32(124) + le32(1) + le32(1) + le16(1) + le16(24) + zeros(24)
      return Array("BM".utf8) + le32(142) + le32(0) + le32(138) + fields + zeros(4) + text
        + zeros(80 - text.count) + [1, 2, 3, 0]
    }
    #expect(try stripped(.bmp, made(Self.place)) == made([]))
    #expect(try stripped(.bmp, made([1, 2, 3])) == made([1, 2, 3]))
  }

  // MARK: WebP and AVI

  @Test func `places in the alpha channel of a WebP are cleared`() throws {
    func made(_ alpha: [UInt8]) -> [UInt8] {
      let chunks =
        riff("VP8X", [0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + riff("ALPH", [0] + alpha)
        + riff("VP8 ", zeros(10))
      return Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }
    #expect(try stripped(.webP, made(Self.place)) == made(Self.blank))
    let kept = made((0..<16).map { $0 * 16 })
    #expect(try stripped(.webP, kept) == kept)
  }

  private func movie(format: [UInt8], data: [UInt8] = [], more: [UInt8] = []) -> [UInt8] {
    func list(_ type: String, _ content: [UInt8]) -> [UInt8] {
      riff("LIST", Array(type.utf8) + content)
    }
    let stream = riff("strh", Array("vids".utf8) + zeros(52)) + riff("strf", format)
    return riff(
      "RIFF",
      Array("AVI ".utf8) + list("hdrl", riff("avih", zeros(56)) + list("strl", stream))
        + list("movi", data) + more)
  }

  @Test func `parts of an AVI that players skip are searched`() throws {
    func index(_ text: [UInt8]) -> [UInt8] { movie(format: zeros(40), data: riff("ix00", text)) }
    #expect(try stripped(.avi, index([0] + Self.place + [1])) == index([0] + Self.blank + [1]))
    let kept = index(zeros(8) + le32(3) + le32(400))
    #expect(try stripped(.avi, kept) == kept)
    #expect(throws: RedactionRefusal.self) {
      try stripped(.avi, movie(format: zeros(1_100_000)))
    }
    func named(_ text: [UInt8]) -> [UInt8] {
      movie(format: zeros(40), more: riff("LIST", Array("INFO".utf8) + riff("INAM", text)))
    }
    let lake = named(Array("Lake".utf8))
    #expect(try stripped(.avi, lake) == lake)
    #expect(!ExifInData.recordsPlace(try stripped(.avi, named(Self.exif))))
  }
}
