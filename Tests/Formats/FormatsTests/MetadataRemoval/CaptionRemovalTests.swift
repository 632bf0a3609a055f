import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

struct CaptionRemovalTests {
  private static let packet = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Headline="Caption" \
    photoshop:City="Town" exif:GPSLatitude="47,7.407N"><dc:subject><rdf:Bag><rdf:li>Keyword</rdf:li>\
    </rdf:Bag></dc:subject><dc:description><rdf:Alt><rdf:li xml:lang="x-default">Caption</rdf:li>\
    </rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>
    """.utf8)

  @Test func `captions of a packet become spaces, and all else stays`() throws {
    let changed = XMPRedaction.removing(.withoutCaptions, from: Self.packet)
    #expect(changed.count == Self.packet.count)
    for (old, new) in zip(Self.packet, changed) where old != new { #expect(new == 0x20) }
    let text = changed.text
    #expect(!text.contains("Caption"))
    for kept in ["Town", "47,7.407N", "Keyword"] { #expect(text.contains(kept), "\(kept)") }
    let both = XMPRedaction.removing([.withoutLocation, .withoutCaptions], from: Self.packet).text
    for removed in ["Caption", "Town", "47,7.407N"] { #expect(!both.contains(removed)) }
    #expect(both.contains("Keyword"))
  }

  @Test func `datasets of captions are removed from IPTC`() {
    func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + encoded(text.utf8.count, width: 2) + Array(text.utf8)
    }
    let iim =
      dataset(5, "Caption") + dataset(25, "Keyword") + dataset(90, "Town")
      + dataset(105, "Caption") + dataset(120, "Caption") + dataset(122, "Writer")
    let changed = IPTCRedaction.removing(.withoutCaptions, from: iim)
    #expect(changed.count == iim.count)
    #expect(changed.firstIndex(of: "Caption") == nil)
    for kept in ["Keyword", "Town", "Writer"] {
      #expect(changed.firstIndex(of: kept) != nil, "\(kept)")
    }
  }

  /// The places of the codes, keys and names are from Apple's QuickTime File Format, RFC 9559's registry of tags, and
  /// the PNG specification §11.3.3.1.
  @Test(arguments: [
    ("©nam", true), ("©des", true), ("©cmt", true), ("desc", true), ("ldes", true),
    ("com.apple.quicktime.title", true), ("com.apple.quicktime.displayname", true),
    ("com.apple.quicktime.comment", true), ("com.apple.quicktime.description", true),
    ("com.apple.quicktime.keywords", false), ("com.apple.quicktime.make", false),
    ("com.apple.quicktime.location.ISO6709", false), ("©key", false), ("©xyz", false),
    ("com.apple.iTunes.DESCRIPTION", true), ("TITLE", true), ("SUMMARY", true),
    ("SYNOPSIS", true), ("COMMENT", true), ("SUBJECT", true), ("KEYWORDS", false),
    ("ARTIST", false), ("ENCODER", false), ("exif:ImageDescription", true),
    ("exif:GPSLatitude", false), ("Comment", true), ("Author", false), ("Copyright", false),
  ])
  func `names decide which fields are captions`(key: String, isCaption: Bool) {
    #expect(CaptionDetection.isCaption(key: key) == isCaption)
    #expect(MetadataPolicy.withoutCaptions.removes(key: key) == isCaption)
    #expect(MetadataPolicy.keep.removes(key: key) == false)
  }

  /// Big-endian: IFD0 with a description and a GPS directory, and bytes that no directory uses.
  @Test func `the GPS directory of an EXIF block stays`() throws {
    let description = Array("Caption\0".utf8)
    let latitude = [47, 1, 7, 1, 2444, 100].flatMap { encoded($0, width: 4) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      encoded(tag, width: 2) + encoded(type, width: 2) + encoded(count, width: 4) + value
    }
    func offset(_ value: Int) -> [UInt8] { encoded(value, width: 4) }
    // Header 8; IFD0 with two entries up to 38; the description up to 46; the GPS directory with three entries up to
    // 88; the latitude up to 112; then unused bytes.
    let block =
      Array("MM".utf8) + [0, 42] + offset(8) + [0, 2]
      + entry(0x010E, 2, description.count, offset(38)) + entry(0x8825, 4, 1, offset(46))
      + offset(0) + description + [0, 3] + entry(0, 1, 4, [2, 3, 0, 0])
      + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, offset(88)) + offset(0) + latitude
      + Array("Caption".utf8)
    let changed = ExifBlockRedaction.removing(.withoutCaptions, from: block)
    #expect(changed.count == block.count)
    #expect(changed.firstIndex(of: "Caption") == nil)
    let tiff = try TIFFFile(ArraySource(changed))
    let main = try #require(try tiff.directory(at: 8))
    #expect(main.entries.map(\.tag) == [TIFFTag.gpsIFD])
    #expect(Array(changed[46..<112]) == Array(block[46..<112]))
    let located = ExifBlockRedaction.removing(.withoutLocation, from: block)
    #expect(Array(located[38..<46]) == description)
    #expect(located[46..<112].allSatisfy { $0 == 0 })
  }

  /// GIF89a §15: a text continues in the next sub-block, after that one's length.
  @Test func `a place over two sub-blocks is removed`() throws {
    let picture =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255] + [0x2C, 0, 0, 0, 0]
      + [1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let first = [UInt8](repeating: 0x20, count: 249) + Array("47.123".utf8)
    let comment = [0x21, 0xFE, 255] + first + [13] + Array("456, 8.654321".utf8) + [0]
    let file = picture + comment + [0x3B]
    let changed = try Redaction.of(.gif, ArraySource(file), .withoutLocation).applied(to: file)
    #expect(changed == picture + [0x3B])
    #expect(
      try PictureText.comments(ofGIF: ArraySource(file)).map(\.text) == ["47.123456, 8.654321"])
  }

  /// ISO/IEC 23008-12 §6.5.20 and §6.5.21: a user's description loses name and text and keeps its tags; an
  /// alternative text is removed.
  @Test func `properties of a HEIF lose their captions`() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      encoded(content.count + 8, width: 4) + Array(type.utf8) + content
    }
    let zero: [UInt8] = [0, 0, 0, 0]
    let description = box("udes", zero + Array("en\0Caption\0Caption\0Keyword\0".utf8))
    let alternative = box("altt", zero + Array("Caption\0en\0".utf8))
    let picture = box("hdlr", zero + zero + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let meta = box(
      "meta",
      zero + picture + box("pitm", zero + [0, 1]) + box("iinf", zero + [0, 0])
        + box("iprp", box("ipco", description + alternative)))
    let file = box("ftyp", Array("heic".utf8) + zero + Array("mif1heic".utf8)) + meta
    let changed = try Redaction.of(.heic, ArraySource(file), .withoutCaptions).applied(to: file)
    #expect(changed.count == file.count)
    #expect(changed.firstIndex(of: "Caption") == nil)
    #expect(changed.firstIndex(of: "en\0\0\0Keyword\0") != nil)
    let located = try Redaction.of(.heic, ArraySource(file), .withoutLocation).applied(to: file)
    #expect(located == file)
  }

  /// A QuickTime movie whose track has user data and metadata of its own.
  @Test func `user data of a track loses its captions`() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      encoded(content.count + 8, width: 4) + type.unicodeScalars.map { UInt8($0.value) } + content
    }
    func text(_ text: String) -> [UInt8] {
      encoded(text.utf8.count, width: 2) + [0x55, 0xC4] + Array(text.utf8)
    }
    let userData = box(
      "udta",
      box("name", Array("Caption".utf8)) + box("©nam", text("Caption"))
        + box("©cmt", text("Caption"))
        + box("©xyz", text("+47.1234+008.6543/")) + box("©mak", text("Maker"))
        + box("loci", [0, 0, 0, 0] + Array("Town\0".utf8)))
    let movie = box("ftyp", Array("qt  ".utf8)) + box("moov", box("trak", userData) + userData)
    let changed = try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutCaptions)
      .applied(to: movie)
    #expect(changed.count == movie.count)
    #expect(changed.firstIndex(of: "Caption") == nil)
    for kept in ["+47.1234+008.6543/", "Maker", "Town"] {
      #expect(changed.firstIndex(of: kept) != nil, "\(kept)")
    }
    let located = try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutLocation)
      .applied(to: movie)
    #expect(located.firstIndex(of: "Caption") != nil)
    #expect(located.firstIndex(of: "+47.1234") == nil && located.firstIndex(of: "Town") == nil)
  }
}
