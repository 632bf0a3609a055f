import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

struct XMPSurgeryTests {
  /// Blanks stand where the unwanted properties were; every other byte is what it was.
  @Test func blanksOnlyWhatTellsAPlace() throws {
    let packet = MadeFile.locatedXMP
    let changed = XMPSurgery.withoutLocation(packet)
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
  func dropsWhatItCannotUnderstand(text: String) {
    let packet = Array(text.utf8)
    #expect(XMPSurgery.withoutLocation(packet) == [UInt8](repeating: 0x20, count: packet.count))
  }

  @Test func dropsUTF16() {
    let packet = "<a/>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(XMPSurgery.withoutLocation(packet) == [UInt8](repeating: 0x20, count: packet.count))
  }

  /// Names are told by schema, whatever the prefix, in attributes and in elements.
  @Test func correctsSizeAndOrientation() throws {
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
    let changed = try #require(XMPPacket(XMPSurgery.adapted(packet, width: 960, height: 720)))
    #expect(changed.value(XMPNamespace.tiff, "Orientation") == "1")
    #expect(changed.value("urn:other", "Orientation") == "6")
    #expect(changed.value(XMPNamespace.exif, "PixelXDimension") == "960")
    #expect(changed.value(XMPNamespace.camera, "BurstID") == "b")
    #expect(changed.value(XMPNamespace.camera, "MotionPhoto") == nil)
    #expect(!changed.has(XMPNamespace.container))
  }

  /// RFC 1321 §A.5, ISO 3309's check value, and Python's `zlib.decompress` of what is stored.
  @Test func computesChecksums() {
    #expect(md5Text(Array("".utf8)).text == "D41D8CD98F00B204E9800998ECF8427E")
    #expect(md5Text(Array("abc".utf8)).text == "900150983CD24FB0D6963F7D28E17F72")
    let digits = [UInt8](repeating: 0, count: 80).indices.map { UInt8(0x31 + $0 % 10) }
      .map { $0 == 0x3A ? 0x30 : $0 }
    #expect(md5Text(digits).text == "57EDF4A22BE3C955AC49DA2E2107B67A")
    #expect(crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    let stored: [UInt8] = [0x78, 0x01, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63, 2, 0x4D, 1, 0x27]
    #expect(storedZlib(Array("abc".utf8)) == stored)
    let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(inflateZlib(storedZlib(long), limit: 100_000) == long)
  }
}
