import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Texts that may name a place, but may not contain coordinates.
struct CoordinatesInTextsTests {
  /// Mapillary's app writes such descriptions.
  private static let coordinates = #"{"MAPLatitude":47.3711,"MAPLongitude":8.5422}"#

  /// An Exif block with a description at 38 and an artist after it (TIFF 6.0 §2, tags 270 and 315).
  @Test(arguments: [
    (coordinates, true), ("N 47.3711, E 8.5422", true), ("47 deg 22' 16.07\" N", true),
    ("Zurich, Switzerland", false), ("MPP = 0.4990|Left = 25.691574|Top = 23.449873", false),
  ])
  func `descriptions in EXIF keep names of places`(text: String, isRemoved: Bool) {
    let artist = Array("Jane Doe".utf8) + [0]
    let description = Array(text.utf8) + [0]
    func block(_ description: [UInt8]) -> [UInt8] {
      Array("II".utf8) + le16(42) + le32(8) + le16(2)
        + entry(0x010E, 2, description.count, le32(38))
        + entry(0x013B, 2, artist.count, le32(38 + description.count)) + le32(0)
        + description + artist
    }
    #expect(
      ExifBlockRedaction.removing(.withoutLocation, from: block(description))
        == block(isRemoved ? zeros(description.count) : description))
  }

  /// `XPKeywords`, in UTF-16 (tag 0x9C9E).
  @Test func `Windows' keywords lose coordinates`() {
    func block(_ keywords: String) -> [UInt8] {
      let text = keywords.utf16.flatMap { encoded($0, width: 2, .little) }
      return Array("II".utf8) + le16(42) + le32(8) + le16(1)
        + entry(0x9C9E, 1, text.count, le32(26)) + le32(0) + text
    }
    let changed = ExifBlockRedaction.removing(
      .withoutLocation, from: block("Lake;47.3711, 8.5422;geo:lat=47.37;Ann"))
    let kept = changed.filter { $0 != 0 }.text
    func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
    #expect(kept.hasSuffix("Lake;\(blank(15));\(blank(13));Ann"), "\(kept)")
  }

  private func packet(_ properties: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description
      xmlns:dc="\(XMPNamespace.dublinCore)" xmlns:aux="\(XMPNamespace.auxiliary)" xmlns:tiff="\(XMPNamespace.tiff)"
      xmlns:d="http://example.org/" \(properties)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test(arguments: [
    "d:Where='47.3711, 8.5422'", "tiff:ImageDescription='47.3711, 8.5422'",
    "><dc:description><rdf:Alt><rdf:li xml:lang='x-default'>At 47.3711, 8.5422</rdf:li></rdf:Alt>"
      + "</dc:description><d:a>1</d:a></rdf:Description><rdf:Description",
    // As exiftool writes them.
    "><dc:description><rdf:Alt><rdf:li xml:lang='x-default'>47.3711: 47 deg 22&#39; 16.07&quot; N"
      + "</rdf:li></rdf:Alt></dc:description></rdf:Description><rdf:Description",
    "d:Where='47.3711: 47°22&apos;16&quot;'", "d:Where='{&quot;lat&quot;:&quot;47.3711&quot;}'",
    "rdf:about='47.3711: 47°22&#x27;'",
    // EXIF in Base64: `Exif`, two zeros, the byte order.
    "d:Block='RXhpZgAASUkqAAgAAAA' d:Where='47.3711, 8.5422'",
    "><d:Link>https://example.org/?q=47.3711,8.5422</d:Link></rdf:Description><rdf:Description",
  ])
  func `fields of XMP with coordinates are removed`(properties: String) {
    let changed = XMPRedaction.removing(.withoutLocation, from: packet(properties))
    #expect(changed.firstIndex(of: "47.3711") == nil)
    #expect(changed.firstIndex(of: "RXhp") == nil)
    #expect(changed.firstIndex(of: "</rdf:RDF>") != nil)
  }

  @Test func `keywords with coordinates are removed from a list`() {
    func subject(_ keyword: String) -> [UInt8] {
      packet(
        "><dc:subject><rdf:Bag><rdf:li>Lake</rdf:li>\(keyword)<rdf:li>Ann</rdf:li></rdf:Bag></dc:subject>"
          + "</rdf:Description><rdf:Description")
    }
    let keyword = "<rdf:li>47.3711, 8.5422</rdf:li>"
    #expect(
      XMPRedaction.removing(.withoutLocation, from: subject(keyword))
        == subject(String(repeating: " ", count: keyword.utf8.count)))
  }

  /// The parameters of DJI's lenses, a zoom lens, a region of Windows, Adobe's white of HDR.
  @Test(arguments: [
    "d:DewarpData='2020-11-02;3713.29,3710.16,-18.04,33.07,-0.27,0.11,0.00,0.00,-0.04'",
    "aux:Lens='8.80-36.80 mm f/2.0'", "d:Rectangle='0.512, 0.341, 0.123, 0.234'",
    "d:Title='Zurich' d:Version='12.34'", "d:ccv_white_xy='0.3127,0.3290'",
    "><aux:LensInfo><rdf:Seq><rdf:li>24.00, 70.00</rdf:li></rdf:Seq></aux:LensInfo></rdf:Description>"
      + "<rdf:Description",
  ])
  func `other numbers in XMP stay`(properties: String) {
    let own = packet(properties)
    #expect(XMPRedaction.removing(.withoutLocation, from: own) == own)
  }

  /// Datasets 2:5 and 2:120 of IIM 4.2, and Photoshop's caption (resource 0x03F0).
  @Test func `captions of IPTC and Photoshop with coordinates are removed`() {
    func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + be16(text.utf8.count) + Array(text.utf8)
    }
    let title = dataset(5, "Zurich")
    let own = title + dataset(120, Self.coordinates)
    #expect(
      IPTCRedaction.removing(.withoutLocation, from: own)
        == title + zeros(own.count - title.count))
    let caption = Array(Self.coordinates.utf8) + [0]
    for (text, isRemoved) in [(caption, true), (Array("Zurich".utf8), false)] {
      #expect(
        IPTCRedaction.removing(
          .withoutLocation, fromResources: PhotoshopResource.made(PhotoshopResource.caption, text))
          == PhotoshopResource.made(
            PhotoshopResource.caption, isRemoved ? zeros(text.count) : text))
    }
  }
}
