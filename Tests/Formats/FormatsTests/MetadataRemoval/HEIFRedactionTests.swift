import ByteReading
import MediaEdits
import MediaModel
@testable import MetadataRemoval
import Testing

/// Parts of HEIF pictures in which a place or a name may be, built after ISO/IEC 14496-12 and 23008-12.
struct HEIFRedactionTests {
  private struct Item {
    var type: String
    var content: [UInt8]
    /// The bytes of its entry after the item's type.
    var texts: [UInt8] = [0]
    /// Indexes from 1.
    var properties: [UInt8] = []
  }

  private func file(
    _ items: [Item], properties: [UInt8] = [], groups: [UInt8] = []
  ) -> [UInt8] {
    let ftyp = box("ftyp", Array("heic".utf8) + be32(0) + Array("mif1heic".utf8))
    let numbered = Array(zip(1..., items))
    func meta(at start: Int) -> [UInt8] {
      var offset = start
      var locations: [UInt8] = []
      // Every item has two extents.
      for (id, item) in numbered {
        let half = item.content.count / 2
        locations += be16(id) + be16(0) + be16(2)
        for length in [half, item.content.count - half] {
          locations += be32(Int64(offset)) + be32(Int64(length))
          // One byte is between the extents.
          offset += length + 1
        }
      }
      let entries = numbered.flatMap { id, item in
        box("infe", be32(0x0200_0000) + be16(id) + be16(0) + Array(item.type.utf8) + item.texts)
      }
      let associations = numbered.flatMap { id, item in
        be16(id) + [UInt8(item.properties.count)] + item.properties
      }
      return box(
        "meta",
        be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13))
          + box("pitm", be32(0) + be16(1)) + box("iinf", be32(0) + be16(items.count) + entries)
          + box("iloc", be32(0) + [0x44, 0] + be16(items.count) + locations)
          + box(
            "iprp",
            box("ipco", properties)
              + box("ipma", be32(0) + be32(Int64(items.count)) + associations))
          + box("grpl", groups))
    }
    let offset = ftyp.count + meta(at: 0).count + 8
    let data = items.flatMap { item in
      let half = item.content.count / 2
      return item.content[..<half] + [0] + item.content[half...] + [0]
    }
    return ftyp + meta(at: offset) + box("mdat", data)
  }

  private func changed(_ file: [UInt8], _ policy: MetadataPolicy) throws -> [UInt8] {
    let made = try Redaction.of(.heic, ArraySource(file), policy).applied(to: file)
    #expect(made.count == file.count)
    return made
  }

  /// Boxes of a size that is too small end a list.
  @Test func `bytes after properties and groups are cleared`() throws {
    func made(_ end: [UInt8]) -> [UInt8] {
      file(
        [Item(type: "uri ", content: [1, 2])], properties: box("irot", [1]) + end, groups: end)
    }
    let end = be32(3) + Array("47.3600, 8.5400 ".utf8)
    #expect(try changed(made(end), .withoutLocation) == made(zeros(end.count)))
  }

  @Test func `pictures with too many properties are refused`() throws {
    func properties(_ count: Int) -> [UInt8] {
      [[UInt8]](repeating: box("free", []), count: count).flatMap { $0 }
    }
    let item = Item(type: "uri ", content: [1, 2])
    let own = file([item], properties: properties(4096))
    #expect(try changed(own, .withoutLocation) == own)
    #expect(throws: RedactionRefusal.self) {
      try changed(file([item], properties: properties(4097)), .withoutLocation)
    }
  }

  /// A thumbnail with EXIF, XMP, IPTC and a comment (ISO/IEC 23008-12 annex H).
  @Test func `a JPEG item keeps only what its appearance needs`() throws {
    let header =
      segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1] + Array("RGB".utf8))
      + segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
    let picture = MadeFile.jpegBytes[..<2] + header + MadeFile.jpegBytes[2...] + Array("ACME".utf8)
    let whole = file([Item(type: "jpeg", content: Array(picture))])
    let made = try changed(whole, .appearanceOnly)
    for text in ["ACM", "CME", "2022:02", "Hello", "Titel", "ship", "RGB"] {
      #expect(made.firstIndex(of: text) == nil, "\(text)")
    }
    #expect(made.firstIndex(of: "JFIF\0") != nil)
    #expect(made.firstIndex(of: Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]) != nil)
    // The frame and the scan with its coded pixels.
    let frame = segment(0xC2, [8, 0x01, 0x40, 0x02, 0x80, 3] + zeros(9))
    #expect(made.firstIndex(of: frame) != nil)
    #expect(made.firstIndex(of: [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xD9]) != nil)
  }

  /// SEI messages in an item and in its configuration (ITU-T H.265 annex D, ISO/IEC 14496-15 §8.3.3). The item's
  /// extents divide a message.
  @Test(arguments: [MetadataPolicy.withoutLocation, .appearanceOnly])
  func `user data in a coded picture is overwritten`(policy: MetadataPolicy) throws {
    let secret = zeros(16) + Array("GPS 47.3711, 8.5422".utf8)
    let message: [UInt8] = [39 << 1, 1, 5, UInt8(secret.count)] + secret + [0x80]
    let slice: [UInt8] = [19 << 1, 1] + zeros(30) + [0x80]
    let lists: [UInt8] = [1, 39] + be16(1) + be16(message.count) + message
    let configuration = [1] + zeros(20) + [3] + lists
    func unit(_ content: [UInt8]) -> [UInt8] { be32(Int64(content.count)) + content }
    let whole = file(
      [Item(type: "hvc1", content: unit(message) + unit(slice), properties: [1])],
      properties: box("hvcC", configuration))
    let made = try changed(whole, policy)
    #expect(made.firstIndex(of: "GPS") == nil)
    #expect(made.firstIndex(of: "8.5422") == nil)
    #expect(made.firstIndex(of: unit(slice)) == whole.firstIndex(of: unit(slice)))
    #expect(try changed(whole, .withoutCaptions) == whole)
  }

  @Test func `texts of the user lose places, and tags with all metadata`() throws {
    let description = box("udes", be32(0) + Array("en\0Title\0Text\0Keyword\0".utf8))
    let made = try changed(file([], properties: description), .appearanceOnly)
    #expect(made.firstIndex(of: "Keyword") == nil)
    let named = box("udes", be32(0) + Array("en\0At 47.3711, 8.5422\0\0\0".utf8))
    let text = box("altt", be32(0) + Array("At 47.3711, 8.5422\0en\0".utf8))
    let located = try changed(file([], properties: named + text), .withoutLocation)
    #expect(located.firstIndex(of: "47.3711") == nil)
    let long =
      Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + Array("At 47.3711, 8.5422\0".utf8)
    for made in [box("altt", be32(0) + long), box("udes", be32(0) + Array("en\0".utf8) + long)] {
      let located = try changed(file([], properties: made), .withoutLocation)
      #expect(located.firstIndex(of: "47.3711") == nil)
    }
  }

  /// ISO/IEC 14496-12 §8.11.6: a URI, or a MIME type and an encoding, follow the name.
  @Test func `types of items lose places, and all texts with all metadata`() throws {
    let type = Array("urn:x:Anna\0".utf8)
    let whole = file([
      Item(
        type: "uri ", content: Array("text".utf8),
        texts: Array("\0urn:x:GPS 47.3711, 8.5422\0after".utf8)),
      Item(type: "uri ", content: Array("text".utf8), texts: [0] + type),
      Item(
        type: "mime", content: MadeFile.xmpPacket,
        texts: Array("\0application/rdf+xml\0".utf8)),
    ])
    let located = try changed(whole, .withoutLocation)
    #expect(located.firstIndex(of: "47.3711") == nil)
    #expect(located.firstIndex(of: "after") == nil)
    #expect(located.firstIndex(of: type) != nil)
    let bare = try changed(whole, .appearanceOnly)
    #expect(bare.firstIndex(of: "urn:") == nil)
    #expect(bare.firstIndex(of: "\0application/rdf+xml\0") != nil)
  }

  @Test func `types of auxiliary pictures stay unless they contain other texts`() throws {
    let alpha = Array("urn:mpeg:hevc:2015:auxid:1\0".utf8) + [0, 4, 78, 1, 165, 1]
    let gain = Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)
    let whole = file(
      [],
      properties: box("auxC", be32(0) + alpha) + box("auxC", be32(0) + gain + Array("ABC".utf8))
        + box("auxC", be32(0) + Array("urn:x:GPS 47.3711, 8.5422\0".utf8))
        + box("auxC", be32(0) + Array("Anna Muster\0".utf8)))
    let located = try changed(whole, .withoutLocation)
    #expect(located.firstIndex(of: "47.3711") == nil)
    #expect(located.firstIndex(of: "ABC") == nil)
    #expect(located.firstIndex(of: "Anna") != nil)
    let bare = try changed(whole, .appearanceOnly)
    #expect(bare.firstIndex(of: "Anna") == nil)
    for made in [located, bare] {
      #expect(made.firstIndex(of: alpha) != nil)
      #expect(made.firstIndex(of: gain) != nil)
    }
  }

  /// ISO/IEC 14496-12 §8.18.3: an ID, the number of entities, and their IDs.
  @Test func `bytes after the entities of a group are cleared`() throws {
    let group = be32(0) + be32(9) + be32(2) + be32(1) + be32(2)
    let whole = file([], groups: box("altr", group + Array("GPS 47.3711".utf8)))
    let made = try changed(whole, .withoutLocation)
    #expect(made.firstIndex(of: box("altr", group + zeros(11))) != nil)
  }

  /// A rotation, a pixel aspect ratio and colours by numbers (ISO/IEC 23008-12 §6.5), with a text after their fields.
  @Test func `coordinates after the fields of properties are cleared`() throws {
    let place = Array("47.3711, 8.5422".utf8)
    func properties(_ end: [UInt8]) -> [UInt8] {
      box("irot", [1] + end) + box("pasp", be32(1) + be32(2) + end)
        + box("colr", Array("nclx".utf8) + zeros(7) + end)
    }
    let made = try changed(file([], properties: properties(place)), .withoutLocation)
    #expect(made == file([], properties: properties(zeros(place.count))))
  }
}
