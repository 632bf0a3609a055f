import Testing

/// Small files, built after the specifications, for tests without the corpus.
struct MadeFile: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]

  var testDescription: String { name }

  static let all = [
    jpeg, png, gif, webP, tiff, heif, movie, motionPhoto, samsung, jpegXL, bmp, xmp,
  ]

  // MARK: Blocks

  /// A little-endian EXIF block: Make `ACME`, Orientation 6, an Exif IFD with DateTimeOriginal and a
  /// GPS IFD with a latitude reference.
  static let exifBlock: [UInt8] = {
    var block = Array("II".utf8) + le16(42) + le32(8)
    block += le16(4)
    block += entry(0x010F, 2, 5, le32(62))
    block += entry(0x0112, 3, 1, le16(6) + [0, 0])
    block += entry(0x8769, 4, 1, le32(68))
    block += entry(0x8825, 4, 1, le32(106))
    block += le32(0)
    block += Array("ACME\0\0".utf8)
    block += le16(1) + entry(0x9003, 2, 20, le32(86)) + le32(0)
    block += Array("2022:02:16 12:55:41\0".utf8)
    block += le16(1) + entry(0x0001, 2, 2, Array("N\0\0\0".utf8)) + le32(0)
    return block
  }()

  static let xmpPacket = Array(
    """
    <?xpacket begin='\u{FEFF}'?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <r:Description xmlns:c="http://ns.google.com/photos/1.0/camera/" c:MotionPhoto="1"
      xmlns:d="http://ns.google.com/photos/1.0/container/"
      xmlns:i="http://ns.google.com/photos/1.0/container/item/"
      xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:subject><r:Bag><r:li>one &amp; only</r:li><r:li>zwei</r:li></r:Bag></dc:subject>
    <dc:title><r:Alt><r:li xml:lang="de">Titel</r:li><r:li xml:lang="x-default">Title</r:li></r:Alt>
    </dc:title>
    <d:Directory><r:Seq>
    <r:li r:parseType="Resource"><d:Item i:Mime="image/jpeg" i:Semantic="Primary"/></r:li>
    <r:li><r:Description><d:Item><r:Description><i:Mime>video/mp4</i:Mime>
    <i:Semantic>MotionPhoto</i:Semantic><i:Length>\(clip.count)</i:Length>
    </r:Description></d:Item></r:Description></r:li>
    </r:Seq></d:Directory>
    </r:Description></r:RDF></x:xmpmeta><?xpacket end='w'?>
    """.utf8)

  /// A movie with a header, a metadata key, and media data.
  static let clip: [UInt8] = {
    func start(_ offset: Int) -> [UInt8] {
      box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
        + box("moov", movieHeader + quickTimeMeta + track(at: offset))
    }
    return start(start(0).count + 8) + box("mdat", [UInt8](repeating: 7, count: 40))
  }()

  private static let movieHeader = box(
    "mvhd", be32(0) + be32(3_000_000_000) + be32(0) + be32(600) + be32(1200) + zeros(80))

  private static let quickTimeMeta = box(
    "meta",
    box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
      + box(
        "keys",
        be32(0) + be32(2) + box("mdta", Array("com.apple.quicktime.make".utf8))
          + box("mdta", Array("com.android.capture.fps".utf8)))
      + box(
        "ilst",
        box([0, 0, 0, 1], box("data", be32(1) + be32(0) + Array("Apple".utf8)))
          + box([0, 0, 0, 2], box("data", be32(23) + be32(0) + [0x43, 0x70, 0, 0]))))

  /// A video track of one chunk at an offset of the movie.
  private static func track(at offset: Int) -> [UInt8] {
    let header = box(
      "tkhd",
      be32(1) + zeros(8) + be32(7) + zeros(24)
        + [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000].flatMap { be32(Int64($0)) }
        + be32(640 << 16) + be32(480 << 16))
    let entry = box(
      "hvc1",
      zeros(24) + [0x02, 0x80, 0x01, 0xE0] + zeros(50)
        + box("vexu", box("eyes", box("stri", be32(0) + [3]))))
    let tables =
      box("stsd", be32(0) + be32(1) + entry)
      + box("stts", be32(0) + be32(1) + be32(60) + be32(100))
      + box("stsc", be32(0) + be32(1) + be32(1) + be32(60) + be32(1))
      + box("stsz", be32(0) + be32(10) + be32(60))
      + box("stco", be32(0) + be32(1) + be32(Int64(offset)))
    let media =
      box("mdhd", be32(0) + zeros(8) + be32(3000) + be32(6000) + zeros(4))
      + box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
      + box("minf", box("stbl", tables))
    return box("trak", header + box("mdia", media))
  }

  // MARK: Files

  static let jpeg = MadeFile(name: "JPEG", bytes: jpegBytes)

  /// SOI, EXIF, XMP, a comment after fill bytes, frame, scan with a stuffed 0xFF and a restart, EOI.
  static let jpegBytes: [UInt8] =
    [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + exifBlock)
    + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmpPacket)
    + [0xFF, 0xFF, 0xFF] + segment(0xFE, Array("Hello".utf8))
    + segment(0xED, Array("Photoshop 3.0\0".utf8) + photoshop)
    + segment(0xC2, [8, 0x01, 0x40, 0x02, 0x80, 3] + zeros(9))
    + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4] + [0xFF, 0xD9]

  /// One resource: IPTC with a UTF-8 declaration, a title and two keywords.
  static let photoshop: [UInt8] =
    Array("8BIM".utf8) + be16(0x0404) + [0, 0] + be32(Int64(iptc.count)) + iptc
    + (iptc.count % 2 == 1 ? [0] : [])

  static let iptc: [UInt8] =
    [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47] + [0x1C, 2, 5, 0, 6] + Array("Brücke".utf8.prefix(6))
    + [0x1C, 2, 25, 0, 3] + Array("sea".utf8) + [0x1C, 2, 25, 0, 4] + Array("ship".utf8)
    + [0x1C, 2, 55, 0, 8] + Array("20220216".utf8) + [0x1C, 2, 60, 0, 11]
    + Array("125541+0100".utf8)

  static let png = MadeFile(
    name: "PNG",
    bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", be32(640) + be32(320) + [8, 6, 0, 0, 0]) + chunk("eXIf", exifBlock)
      + chunk("tEXt", Array("Software\0gnome-screenshot".utf8))
      + chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmpPacket)
      // Python: zlib.compress(b"xx")
      + chunk(
        "zTXt",
        Array("Comment\0\0".utf8) + [0x78, 0x9C, 0xAB, 0xA8, 0x00, 0x00, 0x01, 0x6A, 0x00, 0xF1])
      + chunk("tIME", be16(2022) + [2, 16, 12, 55, 41]) + chunk("acTL", be32(5) + be32(0))
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", []))

  static let gif = MadeFile(
    name: "GIF",
    bytes: Array("GIF89a".utf8) + [0x40, 0x01, 0xC8, 0, 0x80, 0, 0] + zeros(6)
      + [0x21, 0xFE, 5] + Array("Hello".utf8) + [0]
      + (0..<3).flatMap { _ in [0x2C] + zeros(4) + [1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0] } + [0x3B])

  static let webP = MadeFile(
    name: "WebP",
    bytes: Array("RIFF".utf8) + le32(400) + Array("WEBP".utf8)
      + riff("VP8X", [0x2C, 0, 0, 0, 0x7F, 0x02, 0, 0x3F, 0x01, 0])
      + riff("ANMF", zeros(16)) + riff("ANMF", zeros(16)) + riff("EXIF", exifBlock)
      + riff("XMP ", xmpPacket))

  static let tiff = MadeFile(name: "TIFF", bytes: exifBlock)

  static let heif: MadeFile = {
    let ftyp = box("ftyp", Array("mif1".utf8) + be32(0) + Array("mif1heic".utf8))
    func meta(at offset: Int) -> [UInt8] {
      box(
        "meta",
        be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13))
          + box("pitm", be32(0) + be16(1))
          + box(
            "iinf",
            be32(0) + be16(2)
              + box("infe", be32(0x0200_0000) + be16(1) + be16(0) + Array("hvc1".utf8) + [0])
              + box("infe", be32(0x0200_0000) + be16(2) + be16(0) + Array("Exif".utf8) + [0]))
          + box(
            "iprp",
            box(
              "ipco",
              box("ispe", be32(0) + be32(640) + be32(480)) + box("irot", [1])
                + box("auxC", be32(0) + Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)))
              + box("ipma", be32(0) + be32(1) + be16(1) + [2, 1, 2]))
          + box(
            "iloc",
            be32(0) + [0x44, 0] + be16(1) + be16(2) + be16(0) + be16(1)
              + be32(Int64(offset)) + be32(Int64(exifBlock.count + 10))))
    }
    let offset = ftyp.count + meta(at: 0).count + 8
    return MadeFile(
      name: "HEIF",
      bytes: ftyp + meta(at: offset) + box("mdat", be32(6) + Array("Exif\0\0".utf8) + exifBlock)
        + box("mpvd", clip))
  }()

  static let movie = MadeFile(name: "movie", bytes: clip)
  static let motionPhoto = MadeFile(name: "motion photo", bytes: jpegBytes + clip)

  /// A JPEG, the clip as a block of Samsung's trailer, and the trailer's directory.
  static let samsung: MadeFile = {
    let block = le16(0) + le16(0x0A30) + le32(16) + Array("MotionPhoto_Data".utf8) + clip
    let directory =
      Array("SEFH".utf8) + le32(101) + le32(1) + le16(0) + le16(0x0A30) + le32(block.count)
      + le32(block.count)
    return MadeFile(
      name: "Samsung",
      bytes: jpegBytes + block + directory + le32(directory.count) + Array("SEFT".utf8))
  }()

  /// 18181-1 §D.2: not small, height 130 in 9 bits, ratio 0, width 200 in 9 bits, default metadata.
  static let jpegXL = MadeFile(name: "JPEG XL", bytes: [0xFF, 0x0A, 0x08, 0x04, 0x8E, 0x05, 0])

  static let bmp = MadeFile(
    name: "BMP",
    bytes: Array("BM".utf8) + zeros(8) + le32(54) + le32(40) + le32(640) + le32(-480) + le16(1)
      + le16(24) + zeros(24))

  static let xmp = MadeFile(name: "XMP", bytes: xmpPacket)
}

// MARK: Bytes

func be16(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}

func be32(_ value: Int64) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> Int64($0)) }
}

func le16(_ value: Int) -> [UInt8] { be16(value).reversed() }

func le32(_ value: Int) -> [UInt8] { be32(Int64(value)).reversed() }

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// A TIFF entry with `value` in its value field.
func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
  le16(tag) + le16(type) + le32(count) + value
}

func box(_ type: String, _ content: [UInt8]) -> [UInt8] { box(Array(type.utf8), content) }

func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
  be32(Int64(content.count + 8)) + type + content
}

func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
  [0xFF, marker] + be16(content.count + 2) + content
}

func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
  be32(Int64(content.count)) + Array(type.utf8) + content + zeros(4)
}

func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
  Array(type.utf8) + le32(content.count) + content + (content.count % 2 == 1 ? [0] : [])
}
