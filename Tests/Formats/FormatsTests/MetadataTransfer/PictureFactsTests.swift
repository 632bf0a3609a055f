import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Facts of the catalog in the metadata of pictures that are built byte by byte.
struct PictureFactsTests {
  private static let facts: CatalogFacts = {
    var facts = CatalogFacts()
    facts.title = "T1"
    return facts
  }()

  private func adding(
    _ bytes: [UInt8], _ type: UniformType
  ) throws -> (bytes: [UInt8], notes: [String])? {
    try PictureFacts.adding(Self.facts, to: bytes, type)
  }

  /// A packet with a credit after `count` ancestors, as Photoshop lists the documents of which a picture was made.
  private func packet(ancestors count: Int) -> [UInt8] {
    let digits = String(repeating: "0", count: 32)
    let items = (0..<count).map { "<rdf:li>xmp.did:\(digits)\($0)</rdf:li>" }
    return Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description
       xmlns:dc="\(XMPNamespace.dublinCore)" xmlns:photoshop="\(XMPNamespace.photoshop)">
      <photoshop:DocumentAncestors><rdf:Bag>\(items.joined())</rdf:Bag></photoshop:DocumentAncestors>
      <photoshop:Credit>Kept</photoshop:Credit></rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private func tiff(_ packet: [UInt8]) -> [UInt8] {
    Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x02BC, 1, packet.count, le32(26))
      + le32(0) + packet
  }

  @Test(arguments: [10, 22_000])
  func `a TIFF keeps a long packet`(ancestors: Int) throws {
    let packet = packet(ancestors: ancestors)
    let made = try #require(try adding(tiff(packet), .tiff))
    #expect(made.notes.isEmpty)
    let own = try PictureMetadata.read(.tiff, ArraySource(made.bytes)).xmp
    let result = try #require(own.flatMap(XMPPacket.whole))
    #expect(result.title == "T1")
    #expect(result.value(XMPNamespace.photoshop, "Credit") == "Kept")
    #expect(result.values(XMPNamespace.photoshop, "DocumentAncestors").count == ancestors)
  }

  /// A packet of more than 64 MiB, which Shoebox does not read.
  @Test func `a TIFF whose packet is too long is not changed`() throws {
    let file = tiff([UInt8](repeating: 0x20, count: 64 << 20 + 1))
    #expect(try adding(file, .tiff) == nil)
    let metadata = try PictureMetadata.read(.tiff, ArraySource(file))
    #expect(metadata.notes == ["Its XMP is too long or damaged and is left out."])
  }

  @Test func `a PNG whose packet is too long is not changed`() throws {
    let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet(ancestors: 90_000)
    let file =
      PNGChunk.signature + chunk("IHDR", be32(1) + be32(1) + [8, 6, 0, 0, 0]) + chunk("iTXt", text)
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    #expect(try adding(file, .png) == nil)
    let metadata = try PictureMetadata.read(.png, ArraySource(file))
    #expect(metadata.notes == ["Its XMP is too long or damaged and is left out."])
  }

  @Test func `a WebP whose packet is too long is not changed`() throws {
    let chunks =
      riff("VP8X", [4, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + riff("VP8L", [0x2F, 0, 0, 0, 0, 0])
      + riff("XMP ", packet(ancestors: 90_000))
    let file = Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    #expect(try adding(file, .webP) == nil)
    let metadata = try PictureMetadata.read(.webP, ArraySource(file))
    #expect(metadata.notes == ["Its XMP is too long or damaged and is left out."])
  }

  @Test func `a note names XMP of a GIF that is too long`() throws {
    let file =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
      + packet(ancestors: 90_000) + [1] + (0...255).reversed().map { UInt8($0) } + [0]
      + [0x2C] + zeros(4) + [1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0, 0x3B]
    let metadata = try PictureMetadata.read(.gif, ArraySource(file))
    #expect(metadata.notes == ["Its XMP is too long or damaged and is left out."])
  }

  // MARK: JPEG

  /// The payload has no bytes; its name would be in the bytes after it.
  @Test func `an empty segment is not an index of pictures`() throws {
    let own = MadeFile.jpegBytes
    let file = own[..<2] + [0xFF, 0xE2, 0, 2] + Array("MPF\0".utf8) + own[2...]
    let made = try #require(try adding(file, .jpeg))
    #expect(made.bytes.count > file.count)
    #expect(made.bytes.suffix(20) == file.suffix(20))
  }

  /// XMP specification part 3 §1.1.3.1: the first packet names the second by its digest.
  @Test(arguments: [66_000, 200_000, 3_000_000], [true, false])
  func `a description that is too long for a segment is in a second packet`(
    length: Int, hasPackets: Bool
  ) throws {
    var facts = Self.facts
    facts.caption = String(repeating: "d", count: length)
    facts.rating = 4
    facts.location = Location(latitude: 10.5, longitude: 20.25)
    let plain: [UInt8] =
      [0xFF, 0xD8] + segment(0xC0, [8, 0, 1, 0, 1, 1, 0, 0, 0])
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0xD9]
    let own = hasPackets ? MadeFile.jpegBytes : plain
    var file = own
    // The second description replaces the first one, in the packet that exists then.
    for last in ["1", "2"] {
      facts.caption?.append(last)
      let made = try #require(try PictureFacts.adding(facts, to: file, .jpeg))
      #expect(
        made.notes == ["Its description is too long for EXIF, so that it is only in its XMP."])
      file = made.bytes
      #expect(file.suffix(16) == own.suffix(16))
      let metadata = try PictureMetadata.read(.jpeg, ArraySource(file))
      #expect(metadata.notes.isEmpty)
      let first = try #require(metadata.xmp.flatMap(XMPPacket.whole))
      #expect(first.title == "T1")
      #expect(first.value(XMPNamespace.xmp, "Rating") == "4")
      #expect(first.caption == nil)
      #expect((first.value(XMPNamespace.camera, "MotionPhoto") == "1") == hasPackets)
      #expect(metadata.extendedXMP.flatMap(XMPPacket.whole)?.caption == facts.caption)
      // A scan reads what was written.
      let read = try JPEGFile(ArraySource(file)).extendedXMP(from: ArraySource(file))
      #expect(read == metadata.extendedXMP)
      let tiff = try TIFFFile(ArraySource(try #require(metadata.exif)))
      let main = try #require(try tiff.directory(at: tiff.firstDirectoryOffset))
      let gps = try #require(try tiff.directory(TIFFTag.gpsIFD, of: main))
      #expect(gps[TIFFTag.gpsLatitude] != nil)
      #expect(main[TIFFTag.imageDescription] == nil)
    }
  }

  /// What is written can be read, and no more is.
  @Test(arguments: [0, 1])
  func `second packets have the same limit in reading and writing`(excess: Int) throws {
    let limit = ExtendedXMPPart.maximumPacket
    #expect(limit >= 4 << 20)
    let packet = [UInt8](repeating: 0x20, count: limit + excess)
    let source = ArraySource(
      [0xFF, 0xD8] + PictureAssembly.packets(nil, packet)
        + segment(0xC0, [8, 0, 1, 0, 1, 1, 0, 0, 0]) + [0xFF, 0xD9])
    let read = try JPEGFile(source).extendedXMP(from: source)
    #expect(read?.count == (excess == 0 ? limit : nil))
  }

  /// Without a packet of its own, the JPEG has nothing that programs read from the first one only.
  @Test func `keywords that are too long for a segment are in a second packet`() throws {
    var facts = Self.facts
    facts.keywords = (0..<8000).map { "keyword \($0)" }
    let own = MadeFile.jpegBytes
    let start = try #require(own.firstIndex(of: JPEGSegmentName.xmp)) - 4
    let end = start + 4 + JPEGSegmentName.xmp.utf8.count + MadeFile.xmpPacket.count
    let file = Array(own[..<start] + own[end...])
    let made = try #require(try PictureFacts.adding(facts, to: file, .jpeg))
    #expect(made.notes.isEmpty)
    let metadata = try PictureMetadata.read(.jpeg, ArraySource(made.bytes))
    let second = try #require(metadata.extendedXMP.flatMap(XMPPacket.whole))
    #expect(second.title == "T1")
    #expect(second.values(XMPNamespace.dublinCore, "subject").count == 8000)
    // The packet that the JPEG has stays.
    #expect(try PictureFacts.adding(facts, to: own, .jpeg) == nil)
  }

  /// A trailer with a block of the form `mpv2`, which has the clip's offset and length in the file.
  private func trailer(clipAt offset: Int, count: Int) -> [UInt8] {
    let block =
      le16(0) + le16(0x0A30) + le32(16) + Array("MotionPhoto_Datampv2".utf8) + be32(Int64(offset))
      + be32(Int64(count))
    let directory =
      Array("SEFH".utf8) + le32(106) + le32(1) + le16(0) + le16(0x0A30) + le32(block.count)
      + le32(block.count)
    return block + directory + le32(directory.count) + Array("SEFT".utf8)
  }

  @Test func `the offset of a clip in Samsung's trailer moves with the clip`() throws {
    let clip = MadeFile.clip
    let picture = MadeFile.jpegBytes
    let file = picture + clip + trailer(clipAt: picture.count, count: clip.count)
    let made = try #require(try adding(file, .jpeg)).bytes
    let source = ArraySource(made)
    let range = try #require(try SamsungTrailer(source)?.motionVideo(in: source))
    #expect(range.lowerBound > UInt64(picture.count))
    #expect(source.bytes(at: range.lowerBound, count: range.count) == clip)
  }

  @Test func `the offset of a clip in a HEIC moves with the clip`() throws {
    let clip = MadeFile.clip
    let own = MadeFile.heif.bytes
    // The clip is the content of `mpvd`, at the end.
    let file =
      own + box("sefd", trailer(clipAt: own.count - clip.count, count: clip.count))
    let made = try #require(try adding(file, .heic)).bytes
    let source = ArraySource(made)
    let content = try #require(try HEIFContainer(source).samsungTrailer)
    let range = try #require(
      try SamsungTrailer(source.part(content))?.motionVideo(in: source.part(content)))
    #expect(source.bytes(at: range.lowerBound, count: range.count) == clip)
  }
}
