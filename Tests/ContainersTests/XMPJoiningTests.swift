import Testing

@testable import Containers

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
}
