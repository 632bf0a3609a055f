import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

struct XMPRedactionTests {
  @Test func `removal overwrites only the properties that record a place`() throws {
    let packet = MadeFile.locatedXMP
    let changed = XMPRedaction.removing(.withoutLocation, from: packet)
    #expect(changed.count == packet.count)
    for (old, new) in zip(packet, changed) where old != new { #expect(new == 0x20) }
    let before = try #require(XMPPacket(packet)).properties.map(\.value)
    let after = try #require(XMPPacket(changed)).properties
    #expect(before.contains("Kept") && before.count == 4)
    #expect(after.map(\.path) == ["Headline"])
  }

  @Test(arguments: [
    "", "<a", "<a><b></a>", "<!DOCTYPE a><a/>", "\u{FEFF}<a x=1/>", "<a b='c/>", "<a></a",
  ])
  func `a packet that is not well-formed becomes spaces`(text: String) {
    let packet = Array(text.utf8)
    #expect(
      XMPRedaction.removing(.withoutLocation, from: packet)
        == [UInt8](repeating: 0x20, count: packet.count))
  }

  @Test func `a packet in UTF-16 becomes spaces`() {
    let packet = "<a/>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(
      XMPRedaction.removing(.withoutLocation, from: packet)
        == [UInt8](repeating: 0x20, count: packet.count))
  }

  private func packet(_ properties: String, before: String = "", after: String = "") -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" \(before)>
      <rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description \(properties)/></rdf:RDF></x:xmpmeta>\(after)
      <?xpacket end="w"?>
      """.utf8)
  }

  /// Names of DJI's schema (exiftool's DJI.pm) and of schemas of their own.
  @Test(arguments: [
    "LRFTargetLat", "LRFTargetLon", "LRFTargetAbsAlt", "lat", "lon", "lng", "long", "RtkStdLat",
    "Coordinates", "home_lat", "LatLon", "GeoPosition", "PlaceName", "StreetAddress", "LAT",
    "Sublocation", "WorldRegion",
  ])
  func `fields with a word for a place are removed`(name: String) {
    let own = packet("xmlns:d='http://example.org/' d:\(name)='47.37'")
    let changed = XMPRedaction.removing(.withoutLocation, from: own)
    #expect(changed.firstIndex(of: "47.37") == nil)
    #expect(changed.firstIndex(of: "<?xpacket end=") != nil)
  }

  /// Names in exiftool's list of XMP tags in which such words are parts of others, or have another meaning.
  @Test(arguments: [
    "Flat", "LateralChromaticAberration", "Relation", "Translation", "AltTextAccessibility",
    "AltTimecode", "AltTapeName", "YCbCrPositioning", "AuthorsPosition", "PosePositionX",
    "placedXResolution", "LongExposure", "Longest", "Palette", "GeometricDistortion", "Platform",
    "Position", "SubjectLocation", "ISOSpeedLatitudeyyy",
  ])
  func `fields with similar names stay`(name: String) {
    let own = packet("xmlns:d='http://example.org/' d:\(name)='47.37'")
    #expect(XMPRedaction.removing(.withoutLocation, from: own) == own)
  }

  /// The tower and area of a mobile network (exiftool's XMP2.pl).
  @Test func `cells of Sony Ericsson's phones are removed`() {
    let own = packet(
      """
      xmlns:c="http://developer.sonyericsson.com/cell/1.0/" c:mcc="240" c:mnc="1" c:lac="4137" c:cellid="4737"
      """)
    let changed = XMPRedaction.removing(.withoutLocation, from: own)
    for value in ["240", "4137", "4737"] { #expect(changed.firstIndex(of: value) == nil) }
  }

  @Test func `settings of Camera Raw and alternatives stay`() {
    let own = packet(
      """
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Position="0.2512, 0.7512" crs:Lat="1"
      xmlns:dc="\(XMPNamespace.dublinCore)"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Kept</rdf:li></rdf:Alt>
      </dc:title></rdf:Description><rdf:Description
      """)
    #expect(XMPRedaction.removing(.withoutLocation, from: own) == own)
  }

  private static let places = [
    (
      properties: "xmlns:d='http://example.org/' d:Position='47.3711, 8.5422'", before: "",
      after: ""
    ),
    (properties: "", before: "", after: "<!-- 47.3711,8.5422 -->"),
    (properties: "", before: "", after: "47.3711,8.5422"),
    (properties: "", before: "x:xmptk='47.3711,8.5422'", after: ""),
    (properties: "rdf:about='geo:47.3711,8.5422'", before: "", after: ""),
    (
      properties: "><?note 47.3711,8.5422?></rdf:Description><rdf:Description", before: "",
      after: ""
    ),
    (properties: ">47.3711,8.5422</rdf:Description><rdf:Description", before: "", after: ""),
  ]

  @Test(arguments: places)
  func `positions outside of fields are removed`(
    properties: String, before: String, after: String
  ) throws {
    let own = packet(properties, before: before, after: after)
    try #require(own.firstIndex(of: "47.3711") != nil)
    for policy in [MetadataPolicy.withoutLocation, .appearanceOnly] {
      let changed = XMPRedaction.removing(policy, from: own)
      #expect(changed.firstIndex(of: "47.3711") == nil)
      #expect(changed.count == own.count)
      #expect(changed.firstIndex(of: "<?xpacket end=\"w\"?>") != nil)
    }
    #expect(XMPRedaction.removing(.withoutLocation, from: packet("")) == packet(""))
  }

  @Test func `a packet for the appearance has no text of a person or program`() {
    let own = packet(
      """
      rdf:about="Secret" xmlns:s="urn:Secret" s:a="Secret" b="Secret" xml:lang="Secret"
      xmlns:hdrgm="\(XMPNamespace.hdrGainMap)" hdrgm:GainMapMax="2.5">Secret<!-- Secret --><c>Secret</c>
      </rdf:Description><rdf:Description
      """, before: "x:xmptk='Secret'", after: "Secret<?Secret?>")
    let changed = XMPRedaction.removing(.appearanceOnly, from: own)
    #expect(changed.firstIndex(of: "Secret") == nil)
    #expect(XMPPacket(changed)?.value(XMPNamespace.hdrGainMap, "GainMapMax") == "2.5")
    let captions = XMPRedaction.removing(.withoutCaptions, from: packet("", after: "<!--Secret-->"))
    #expect(captions.firstIndex(of: "Secret") == nil)
  }
}
