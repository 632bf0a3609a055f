import ByteReading
import Foundation
import Testing

/// Foundation's own conversion is the expected result.
struct LegacyTextTests {
  @Test func `all bytes are text`() {
    for byte in UInt8.min...UInt8.max {
      let expected = String(bytes: [byte], encoding: .windowsCP1252)
      // Five bytes have no character.
      #expect(windows1252Text([byte]) == expected ?? String(Unicode.Scalar(byte)), "\(byte)")
    }
    #expect([0x93, 0xC4, 0x94, 0].text == "“Ä”")
  }
}
