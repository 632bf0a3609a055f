import MediaEdits
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// Texts in compressed data, where words and signs occur by chance.
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

  /// Alpha channels, sound of Samsung's phones, and properties of pictures are data.
  @Test func `resources of Photoshop with data stay`() {
    let own = PhotoshopResource.made(4001, Self.noise + Array("gps".utf8) + Self.noise)
    #expect(IPTCRedaction.removing(.withoutLocation, fromResources: own) == own)
  }
}
