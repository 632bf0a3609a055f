import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

struct XMPJoiningTests {
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private let main = Array(
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
    <rdf:RDF xmlns:rdf="\(Self.rdf)"><rdf:Description rdf:about="" xmlns:dc="urn:dc" dc:format="a" \
    xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="ABC"/></rdf:RDF>\
    </x:xmpmeta><?xpacket end="w"?>
    """.utf8)

  /// A prefix may be declared outside of the descriptions, and mean something else in one of them.
  @Test func keepsEveryNameOfBoth() throws {
    let extended = Array(
      """
      <r:RDF xmlns:r="\(Self.rdf)" xmlns:d="urn:d"><r:Description r:about="" d:one="1"/>
      <r:Description r:about="" xmlns:d="urn:e"><d:two>2</d:two></r:Description></r:RDF>
      """.utf8)
    let joined = try #require(XMPSurgery.joined(main, extended))
    let packet = try #require(XMPPacket(joined))
    #expect(packet.value("urn:dc", "format") == "a")
    #expect(packet.value("urn:d", "one") == "1")
    #expect(packet.value("urn:e", "two") == "2")
    #expect(packet.value("http://ns.adobe.com/xmp/note/", "HasExtendedXMP") == nil)
  }

  @Test(arguments: ["", "<a", "<a/>", "<r:RDF xmlns:r='\(XMPJoiningTests.rdf)'/>"])
  func saysWhatItLeavesOut(extended: String) {
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

  /// A JPEG has room for a packet of any length in parts, and not for a second one with it: the two become one.
  @Test func aJPEGKeepsBothOfTwoLongPackets() throws {
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

  @Test func aJPEGSaysWhichOfTwoLongPacketsIsLeftOut() {
    let metadata = PictureMetadata(xmp: long("a"), extendedXMP: Array("<a".utf8)).fittedForJPEG()
    #expect(metadata.xmp == long("a"))
    #expect(metadata.extendedXMP == nil)
    #expect(
      metadata.notes == [
        "The second part of its XMP is left out: the first is too long for a JPEG to have both."
      ])
  }
}
