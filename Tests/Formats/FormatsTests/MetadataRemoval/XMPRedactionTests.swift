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
}
