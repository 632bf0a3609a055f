import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

struct XMPPatchTests {
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private let main = Array(
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
    <rdf:RDF xmlns:rdf="\(Self.rdf)"><rdf:Description rdf:about="" xmlns:dc="urn:dc" dc:format="a" \
    xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="ABC"/></rdf:RDF>\
    </x:xmpmeta><?xpacket end="w"?>
    """.utf8)

  /// A prefix may be declared outside of the descriptions, and have another meaning in one of them.
  @Test func `joined packets keep all properties of both`() throws {
    let extended = Array(
      """
      <r:RDF xmlns:r="\(Self.rdf)" xmlns:d="urn:d"><r:Description r:about="" d:one="1"/>
      <r:Description r:about="" xmlns:d="urn:e"><d:two>2</d:two></r:Description></r:RDF>
      """.utf8)
    let joined = try #require(XMPPatch.joined(main, extended))
    let packet = try #require(XMPPacket(joined))
    #expect(packet.value("urn:dc", "format") == "a")
    #expect(packet.value("urn:d", "one") == "1")
    #expect(packet.value("urn:e", "two") == "2")
    #expect(packet.value("http://ns.adobe.com/xmp/note/", "HasExtendedXMP") == nil)
  }

  @Test(arguments: ["", "<a", "<a/>", "<r:RDF xmlns:r='\(XMPPatchTests.rdf)'/>"])
  func `a note records that a damaged second packet is left out of a PNG`(extended: String) {
    let metadata = PictureMetadata(xmp: main, extendedXMP: Array(extended.utf8)).fittedForPNG()
    #expect(metadata.xmp == main)
    #expect(metadata.extendedXMP == nil)
    #expect(metadata.notes.count == 1)
  }

  private func long(_ text: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(Self.rdf)"><rdf:Description rdf:about="" \
      xmlns:dc="urn:dc" dc:format="\(text)" dc:long="\(String(repeating: "x", count: 70_000))" \
      xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="ABC"/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// A JPEG can contain one packet of any length, in parts, but not a second one.
  @Test func `a JPEG contains two long packets as one`() throws {
    let extended = Array(
      "<r:RDF xmlns:r='\(Self.rdf)' xmlns:d='urn:d'><r:Description r:about='' d:one='1'/></r:RDF>"
        .utf8)
    let metadata = PictureMetadata(xmp: long("a"), extendedXMP: extended)
    // Start and end of a picture.
    let made = PictureAssembly.jpeg([0xFF, 0xD8, 0xFF, 0xD9], with: metadata)
    #expect(made.notes.isEmpty)
    let source = ArraySource(made.bytes)
    let found = try #require(
      try JPEGFile(source).extendedXMP(from: source).flatMap { XMPPacket($0) })
    #expect(found.value("urn:dc", "format") == "a")
    #expect(found.value("urn:d", "one") == "1")
  }

  @Test func `a note records which of two long packets is left out of a JPEG`() {
    let metadata = PictureMetadata(xmp: long("a"), extendedXMP: Array("<a".utf8)).fittedForJPEG()
    #expect(metadata.xmp == long("a"))
    #expect(metadata.extendedXMP == nil)
    #expect(
      metadata.notes == [
        "The second part of its XMP is left out: the first is too long for a JPEG to have both."
      ])
  }

  /// A namespace identifies a property, not its prefix, in attributes and in elements.
  @Test func `size and orientation are those of the new picture`() throws {
    let packet = Array(
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description \
      xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation='6' \
      xmlns:tiff="urn:other" tiff:Orientation="6" \
      xmlns:c="http://ns.google.com/photos/1.0/camera/" c:MotionPhoto="1" c:BurstID="b">\
      <e:PixelXDimension xmlns:e="http://ns.adobe.com/exif/1.0/">4032</e:PixelXDimension>\
      <d:Directory xmlns:d="http://ns.google.com/photos/1.0/container/"><r:Seq/></d:Directory>\
      </r:Description></r:RDF>
      """.utf8)
    let changed = try #require(XMPPacket(XMPPatch.adapted(packet, width: 960, height: 720)))
    #expect(changed.value(XMPNamespace.tiff, "Orientation") == "1")
    #expect(changed.value("urn:other", "Orientation") == "6")
    #expect(changed.value(XMPNamespace.exif, "PixelXDimension") == "960")
    #expect(changed.value(XMPNamespace.camera, "BurstID") == "b")
    #expect(changed.value(XMPNamespace.camera, "MotionPhoto") == nil)
    #expect(!changed.has(XMPNamespace.container))
  }

  /// XML 1.0 §2.2 and §2.11: characters that a document cannot contain, and the end of a line in a parser.
  @Test func `a text becomes well-formed XML`() throws {
    var metadata = PictureMetadata()
    metadata.add([
      XMPField(
        XMPNamespace.dublinCore, "description", .alternative, "a\u{FFFE}\rb\u{FFFF}\u{1} <&>")
    ])
    let packet = try #require(metadata.xmp)
    let text = String(decoding: packet, as: UTF8.self)
    #expect(text.contains(">a&#13;b &lt;&amp;&gt;</rdf:li>"))
    #expect(XMPPacket(packet)?.value(XMPNamespace.dublinCore, "description") == "a\rb <&>")
  }
}
