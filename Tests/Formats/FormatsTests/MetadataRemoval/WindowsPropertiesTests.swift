import ByteReading
import MediaEdits
import MediaModel
import Testing

@testable import MetadataRemoval

/// Properties of Windows' file manager in user data, in the form of exiftool's Microsoft.pm.
struct WindowsPropertiesTests {
  private func property(_ name: String, _ type: Int, _ value: [UInt8]) -> [UInt8] {
    let content =
      be32(Int64(name.utf8.count)) + Array(name.utf8) + be32(1) + be32(Int64(value.count + 6))
      + be16(type) + value
    return be32(Int64(content.count + 4)) + content
  }

  private func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { encoded($0, width: 2, .little) } + [0, 0]
  }

  private func strip(_ properties: [UInt8], _ policy: MetadataPolicy) throws -> [UInt8]? {
    try ISORedaction.removing(policy, fromMetadataBox: box("udta", box("Xtra", properties)))
  }

  @Test func `ratings and tags stay`() throws {
    let own =
      property("WM/SharedUserRating", 19, [99] + zeros(7))
      + property("WM/Category", 8, wide("Lake"))
      + property("WM/EncodingTime", 21, zeros(8))
      // A time as exiftool writes it: its type, 64, and its value.
      + property("{2CBAA8F5-D81F-47CA-B17A-F8D822300131} 100", 65, [64] + zeros(11))
      + property("WM/MediaClassPrimaryID", 72, zeros(16))
    #expect(try strip(own, .withoutLocation) == box("udta", box("Xtra", own)))
    let erased = box("udta", box("free", zeros(own.count)))
    #expect(try strip(own, .withoutCaptions) == erased)
    for place in [
      property("WM/Category", 8, wide("47.3711, 8.5422")), property("GPSLatitude", 8, wide("47")),
      property("WM/Any", 65, zeros(16)), property("WM/Any", 19, zeros(9)), zeros(5),
    ] {
      #expect(
        try strip(own + place, .withoutLocation)
          == box("udta", box("free", zeros(own.count + place.count))))
    }
  }
}
