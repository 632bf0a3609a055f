import MetadataTransfer
import MediaEdits
import ByteReading
import MediaFormats
import MediaModel
import MetadataRemoval
import Testing

/// Small files that state large numbers. The work to read a file must be bounded by its size.
@Suite(.timeLimit(.minutes(1)))
struct AmplificationTests {
  /// A chunk of GoPro's telemetry states 2³² − 1 samples of one byte, a hundred thousand times.
  @Test func `samples that cannot be in the file are not counted`() throws {
    let chunks = 100_000
    func movie(_ offset: Int64) -> [UInt8] {
      let tables =
        box("stsd", be32(0) + be32(1) + box("gpmd", zeros(6) + be16(1)))
        + box("stsz", be32(0) + be32(1) + be32(0xFFFF_FFFF))
        + box("stsc", be32(0) + be32(1) + be32(1) + be32(0xFFFF_FFFF) + be32(1))
        + box("stco", be32(0) + be32(Int64(chunks)) + (0..<chunks).flatMap { _ in be32(offset) })
      let media =
        box("hdlr", zeros(8) + Array("meta".utf8) + zeros(13)) + box("minf", box("stbl", tables))
      let track = box(
        "trak", box("tkhd", zeros(12) + be32(2) + zeros(68)) + box("mdia", media))
      return box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
        + box("moov", box("mvhd", zeros(100)) + track)
        + box("mdat", [UInt8](repeating: 7, count: 1 << 20))
    }
    let whole = movie(Int64(movie(0).count - (1 << 20)))
    let redaction = try Redaction.of(.mpeg4, ArraySource(whole), .withoutLocation)
    #expect(redaction.applied(to: whole).suffix(1 << 20).allSatisfy { $0 == 0 })
  }

  /// A hundred thousand samples are the same 64 kB: of subtitles, or of MPEG video. The video is refused, and the subtitles
  /// are cleared.
  @Test(arguments: ["text", "vide"])
  func `samples that overlap are not read again and again`(handler: String) throws {
    let count: Int64 = 100_000
    let size = 65_000
    func movie(_ offset: Int64) -> [UInt8] {
      let entry = handler == "text" ? box("text", zeros(8)) : box("m1v ", zeros(78))
      let tables =
        box("stsd", be32(0) + be32(1) + entry)
        + box("stsz", be32(0) + be32(Int64(size)) + be32(count))
        + box("stsc", be32(0) + be32(1) + be32(1) + be32(1) + be32(1))
        + box("stco", be32(0) + be32(count) + (0..<count).flatMap { _ in be32(offset) })
      let media =
        box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13)) + box("minf", box("stbl", tables))
      return box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
        + box(
          "moov",
          box("mvhd", zeros(100))
            + box("trak", box("tkhd", zeros(12) + be32(2) + zeros(68)) + box("mdia", media)))
        + box("mdat", [UInt8](repeating: 0x61, count: size))
    }
    let whole = movie(Int64(movie(0).count - size))
    func strip() throws -> [UInt8] {
      try Redaction.of(.mpeg4, ArraySource(whole), .withoutLocation).applied(to: whole)
    }
    if handler == "text" {
      #expect(try strip().suffix(size).allSatisfy { $0 == 0 })
    } else {
      #expect(throws: RedactionRefusal.self) { try strip() }
    }
  }

  /// 300 tracks of subtitles have the same text of 60 kB.
  @Test func `texts of tracks that overlap are not read again and again`() throws {
    let (count, size) = (300, 60_000)
    func movie(_ offset: Int64) -> [UInt8] {
      let tables =
        box("stsd", be32(0) + be32(1) + box("text", zeros(8)))
        + box("stsz", be32(0) + be32(Int64(size)) + be32(1))
        + box("stsc", be32(0) + be32(1) + be32(1) + be32(1) + be32(1))
        + box("stco", be32(0) + be32(1) + be32(offset))
      let media =
        box("hdlr", zeros(8) + Array("text".utf8) + zeros(13)) + box("minf", box("stbl", tables))
      let tracks = (1...count).flatMap { id in
        box(
          "trak", box("tkhd", zeros(12) + be32(Int64(id)) + zeros(68)) + box("mdia", media))
      }
      return box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
        + box("moov", box("mvhd", zeros(100)) + tracks)
        + box("mdat", [UInt8](repeating: 0x61, count: size))
    }
    let whole = movie(Int64(movie(0).count - size))
    let made = try Redaction.of(.mpeg4, ArraySource(whole), .withoutLocation).applied(to: whole)
    #expect(made.suffix(size).allSatisfy { $0 == 0 })
  }

  /// A Matroska file that lists empty tracks, after padding.
  @Test(arguments: [1000, 1001])
  func `tracks of Matroska are counted`(count: Int) throws {
    func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
      id + [0x10, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }
    let tracks = (0..<count).flatMap { _ in [0xAE, 0x80] as [UInt8] }
    let file =
      element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element(
        [0x18, 0x53, 0x80, 0x67], element([0xEC], [0]) + element([0x16, 0x54, 0xAE, 0x6B], tracks))
    #expect(try MatroskaFile.hasMoreTracks(than: 1000, ArraySource(file)) == (count > 1000))
  }

  /// A movie with edit lists in two tracks.
  @Test(arguments: [(5000, 5000), (5000, 5001), (0, 10_001)])
  func `entries of edit lists are counted`(counts: (Int, Int)) throws {
    func track(_ count: Int, _ stated: Int64) -> [UInt8] {
      box("trak", box("edts", box("elst", be32(0) + be32(stated) + zeros(12 * count))))
    }
    let (first, second) = (Int64(counts.0), Int64(0xFFFF_FFFF))
    let file =
      box("free", []) + box("moov", track(counts.0, first) + track(counts.1, second))
      + box("mdat", [])
    #expect(
      try ISOPauses.hasMoreEdits(than: 10_000, in: ArraySource(file))
        == (counts.0 + counts.1 > 10_000))
    #expect(try !ISOPauses.hasMoreEdits(than: 10_000, in: ArraySource(box("mdat", []))))
  }

  /// 20,000 metadata items of a picture are the same 64 kB.
  @Test func `items that overlap are not read again and again`() throws {
    let (count, size) = (20_000, 65_000)
    func picture(_ offset: Int64) -> [UInt8] {
      var (entries, locations): ([UInt8], [UInt8]) = ([], [])
      for id in 1...count {
        entries += box("infe", be32(0x0200_0000) + be16(id) + be16(0) + Array("Exif".utf8) + [0])
        locations += be16(id) + be16(0) + be16(1) + be32(offset) + be32(Int64(size))
      }
      let tables =
        box("pitm", be32(0) + be16(1)) + box("iinf", be32(0) + be16(count) + entries)
        + box("iloc", be32(0) + [0x44, 0] + be16(count) + locations)
      return box("ftyp", Array("heic".utf8) + be32(0) + Array("mif1heic".utf8))
        + box(
          "meta", be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13)) + tables)
        + box("mdat", [UInt8](repeating: 0x61, count: size))
    }
    let whole = picture(Int64(picture(0).count - size))
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.heic, ArraySource(whole), .withoutLocation)
    }
  }

  // MARK: TIFF

  /// 2000 directories have one entry each, whose value is the same 64 kB.
  @Test(arguments: [0x02BC, 0x83BB, 0x8649, 0x8773, 0x927C, 0x9286, 0x010E, 0x8769, 50_000])
  func `values that overlap are not read again and again`(tag: Int) throws {
    let (count, size) = (2000, 1 << 16)
    let end = 8 + count * 18
    var file = Array("II".utf8) + le16(42) + le32(8)
    for index in 1...count {
      file += le16(1) + entry(tag, 7, size, le32(end))
      file += le32(index < count ? 8 + index * 18 : 0)
    }
    file += [UInt8](repeating: 0x61, count: size)
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.tiff, ArraySource(file), .withoutLocation)
    }
  }

  /// A directory with strips that begin at the same picture.
  private func tiff(strips count: Int, lengths: (Int) -> Int) -> [UInt8] {
    let start = 38 + 8 * count
    var file = Array("II".utf8) + le16(42) + le32(8) + le16(2)
    file += entry(0x0111, 4, count, le32(38)) + entry(0x0117, 4, count, le32(38 + 4 * count))
    file += le32(0)
    file += (0..<count).flatMap { _ in le32(start) } + (0..<count).flatMap { le32(lengths($0)) }
    return file + MadeFile.jpegBytes + zeros(count)
  }

  @Test func `strips that overlap are not read again and again`() throws {
    let size = MadeFile.jpegBytes.count
    let other = tiff(strips: 2000) { size + $0 }
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.tiff, ArraySource(other), .withoutLocation)
    }
    // Equal strips share their bytes in some files.
    let same = tiff(strips: 2000) { _ in size }
    _ = try Redaction.of(.tiff, ArraySource(same), .withoutLocation)
  }

  // MARK: Blocks

  /// Every entry of Nikon's note is the same record of its editor (exiftool's Nikon.pm), with IPTC.
  @Test func `records in a maker note that overlap are cleared`() {
    let count = 500
    let iptc: [UInt8] = (0..<50).flatMap { _ in [0x1C, 2, 25] + be16(7) + Array("keyword".utf8) }
    let record =
      zeros(22) + le32(0x9EF5_F6E0) + zeros(14) + le32(iptc.count + 4) + iptc + zeros(4)
    func note(_ count: Int) -> [UInt8] {
      var note = Array("Nikon\0\u{2}\u{10}\0\0II".utf8) + le16(42) + le32(8) + le16(count)
      let end = 8 + 2 + count * 12 + 4
      for _ in 0..<count { note += entry(0x0E01, 7, record.count, le32(end)) }
      return note + le32(0) + record
    }
    func stripped(_ count: Int) -> [UInt8] {
      let note = note(count)
      let start =
        Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x927C, 7, note.count, le32(26))
      return ExifBlockRedaction.removing(.withoutLocation, from: start + le32(0) + note)
    }
    #expect(stripped(1).firstIndex(of: "keyword") != nil)
    #expect(stripped(count).firstIndex(of: "keyword") == nil)
  }

  /// A profile with 1024 texts that begin at different bytes of the same 64 kB.
  @Test func `a profile whose tags overlap is searched as a whole`() {
    let (count, size) = (1024, 1 << 16)
    let start = 132 + count * 12
    var profile = zeros(36) + Array("acsp".utf8) + zeros(88) + be32(Int64(count))
    for index in 0..<count {
      profile += Array("cprt".utf8) + be32(Int64(start + 8 * index)) + be32(Int64(size - 8 * index))
    }
    let text = Array("GPS 47.37, 8.54".utf8)
    profile += [UInt8](repeating: 0x61, count: size - text.count) + text
    #expect(
      ICCRedaction.removing(.withoutLocation, from: profile) == zeros(profile.count))
  }

  // MARK: JPEG

  /// The 200 blocks of Samsung's trailer end with the same picture.
  @Test func `blocks of a trailer that overlap are not read again and again`() throws {
    let count = 200
    let picture = MadeFile.jpegBytes + zeros(50_000)
    var blocks: [UInt8] = []
    for index in 1...count { blocks += le16(0) + le16(index) + le32(8 * (count - index)) }
    blocks += picture
    var directory = Array("SEFH".utf8) + le32(101) + le32(count)
    for index in 1...count {
      let length = blocks.count - 8 * (index - 1)
      directory += le16(0) + le16(index) + le32(length) + le32(length)
    }
    let file = MadeFile.jpegBytes + blocks + directory + le32(directory.count) + Array("SEFT".utf8)
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.jpeg, ArraySource(file), .withoutLocation)
    }
  }

  /// More packets than one file needs, each of which would be searched for in the first one.
  @Test func `many second packets are cleared`() throws {
    let start = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    let own = MadeFile.jpegBytes
    let others = (100..<200).flatMap { index in
      segment(
        0xE1,
        start + zeros(29) + Array("\(index)".utf8) + be32(4) + be32(0) + Array("<a/>".utf8))
    }
    let file: [UInt8] = own[..<2] + others + own[2...]
    let made = try Redaction.of(.jpeg, ArraySource(file), .withoutLocation).applied(to: file)
    #expect(made.count == file.count)
    #expect(!made[2..<(2 + others.count)].contains(UInt8(ascii: "<")))
  }

  // MARK: XMP

  private static let packetStart = """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
    xmlns:a="urn:a" a:first="1">
    """
  private static let items = String(repeating: "<rdf:li>1</rdf:li>", count: 20_000)

  /// The path of every item would contain the name of one megabyte.
  @Test func `nothing after a very long name is read`() throws {
    let name = "a:" + String(repeating: "n", count: 1 << 20)
    let packet = try #require(
      XMPPacket(Array("\(Self.packetStart)<\(name)><rdf:Bag>\(Self.items)".utf8)))
    #expect(packet.properties.map(\.path) == ["first"])
    let attribute = try #require(
      XMPPacket(Array("\(Self.packetStart)<a:second \(name)='1'>2</a:second>".utf8)))
    #expect(attribute.properties.map(\.path) == ["first", "second"])
  }

  /// Names of 250 bytes at fifty levels add 12 kB to the path of each of 20 000 items.
  @Test func `the length of all paths is bounded`() throws {
    let tag = "a:" + String(repeating: "n", count: 250)
    let opened = (0..<50).map { _ in "<\(tag) rdf:parseType='Resource'>" }.joined()
    let packet = try #require(
      XMPPacket(Array("\(Self.packetStart)\(opened)<rdf:Bag>\(Self.items)".utf8)))
    #expect(packet.properties.count > 100)
    #expect(packet.properties.reduce(0) { $0 + $1.path.utf8.count } <= 4 << 20)
  }

  /// 20 000 items share one ID, which has a million properties.
  @Test func `the first of several items with the same ID is used`() throws {
    let entry = box("infe", be32(0x0200_0000) + be16(1) + be16(0) + Array("hvc1".utf8) + [0])
    let another = box("infe", be32(0x0200_0000) + be16(1) + be16(0) + Array("Exif".utf8) + [0])
    let association = be16(1) + [255] + [UInt8](repeating: 1, count: 255)
    let picture =
      box("ftyp", Array("heic".utf8) + be32(0) + Array("mif1heic".utf8))
      + box(
        "meta",
        be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13))
          + box("pitm", be32(0) + be16(1))
          + box(
            "iinf", be32(0) + be16(20_000) + entry + (1..<20_000).flatMap { _ in another })
          + box(
            "iprp",
            box("ipco", box("ispe", be32(0) + be32(640) + be32(480)))
              + box("ipma", be32(0) + be32(4000) + (0..<4000).flatMap { _ in association })))
    let file = try HEIFContainer(ArraySource(picture))
    #expect(file.items.map(\.type) == ["hvc1"])
    #expect(file.items.map(\.properties.count) == [256])
    #expect(file.displaySize == PixelSize(width: 640, height: 480))
    // Another program may use the last item, so a copy cannot be made safely.
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.heic, ArraySource(picture), .withoutLocation)
    }
  }
}
