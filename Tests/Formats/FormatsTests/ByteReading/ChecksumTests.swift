import Testing

@testable import ByteReading

struct ChecksumTests {
  /// RFC 1321 §A.5, ISO 3309's check value, and Python's `zlib.decompress` of the stored data.
  @Test func `checksums and stored zlib data equal published values`() {
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
