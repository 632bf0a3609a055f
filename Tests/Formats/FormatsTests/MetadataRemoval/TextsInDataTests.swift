import Foundation
import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Texts in compressed data, where words and symbols occur by chance.
struct TextsInDataTests {
  /// Bytes that begin no character and end no text.
  private static let noise: [UInt8] = [0x81, 3, 0xFE, 0x90]

  @Test(
    arguments: [
      Array("47.3711, 8.5422".utf8), Array("47°22'16\" N".utf8), Array("\"lat\": 47.37".utf8),
      "47.3711, 8.5422".utf8.flatMap { [0, $0] }, "47.3711, 8.5422".utf8.flatMap { [$0, 0] },
    ] as [[UInt8]])
  func `coordinates are found`(text: [UInt8]) {
    for lead in [Self.noise, Self.noise + [0x82], []] {
      #expect(TextsInData.haveCoordinates(lead + text + Self.noise), "\(text)")
    }
  }

  /// A word, and digits around a byte that is a degree sign in Latin-1.
  @Test(
    arguments: [Array("gPs".utf8), [0x37, 0xB0, 0x32, 0x32, 0x27], Array("LAT:".utf8)] as [[UInt8]])
  func `short matches are chance`(match: [UInt8]) {
    let data = Self.noise + match + Self.noise
    #expect(!LocationDetection.recordsPlace(inData: data))
    #expect(LocationDetection.recordsPlace(data))
  }

  @Test func `a maker note of compressed data stays`() {
    let note = [UInt8](repeating: 0x9F, count: 12) + [0x37, 0xB0, 0x32, 0x32, 0x27] + zeros(3)
    #expect(
      MakerNoteRedaction.find(.withoutLocation, in: note, at: 0, make: "Sony", order: .little)
        .isEmpty)
  }

  /// The scene type of EXIF, a family of segments in Matroska, and the header of a JPEG 2000 picture.
  @Test func `coordinates in place of numbers are overwritten`() throws {
    let place = Array("47.3711, 8.5422".utf8)
    let empty = zeros(place.count)
    func block(_ value: [UInt8]) -> [UInt8] {
      Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0xA301, 7, value.count, le32(26))
        + le32(0) + value
    }
    #expect(ExifBlockRedaction.removing(.withoutLocation, from: block(place)) == block(empty))
    func movie(_ value: [UInt8]) -> [UInt8] {
      [0x1A, 0x45, 0xDF, 0xA3, 0x84, 0x42, 0x86, 0x81, 1]
        + [0x18, 0x53, 0x80, 0x67, 0x80 | UInt8(value.count + 8)]
        + [0x15, 0x49, 0xA9, 0x66, 0x80 | UInt8(value.count + 3)]
        + [0x44, 0x44, 0x80 | UInt8(value.count)] + value
    }
    #expect(
      try Redaction.of(.matroska, ArraySource(movie(place)), .withoutLocation)
        .applied(to: movie(place)) == movie(empty))
    func picture(_ value: [UInt8]) -> [UInt8] {
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("jp2h", box("ihdr", zeros(14) + value))
    }
    #expect(
      try Redaction.of(.jpeg2000, ArraySource(picture(place)), .withoutLocation)
        .applied(to: picture(place)) == picture(empty))
  }

  /// A picture after a picture, an index of pictures (APP2), and a WebP.
  @Test func `pictures in XMP with metadata are removed`() {
    let bare: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0xD9]
    func isUnwanted(_ picture: [UInt8]) -> Bool {
      XMPPicture.hasMetadata(in: Array(base64(picture).utf8)[...])
    }
    #expect(!isUnwanted(bare))
    #expect(isUnwanted(bare + bare))
    #expect(isUnwanted(bare[..<2] + [0xFF, 0xE2, 0, 6] + Array("MPF\0".utf8) + bare[2...]))
    let riff = Array("WEBPEXIF".utf8) + le32(8) + Array("II".utf8) + le16(42) + le32(8)
    #expect(isUnwanted(Array("RIFF".utf8) + le32(riff.count) + riff))
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Alpha channels, sound of Samsung's phones, and properties of pictures are data.
  @Test func `resources of Photoshop with data stay`() {
    let own = PhotoshopResource.made(4001, Self.noise + Array("gps".utf8) + Self.noise)
    #expect(IPTCRedaction.removing(.withoutLocation, fromResources: own) == own)
  }
}
