import Testing

@testable import LibTIFF

struct SampleCodingTests {
  /// The numbers are of IEEE 754, and of Adobe's TIFF Technical Note 3 for 24 bits.
  @Test(arguments: [
    (16, 0x3800, 32_768), (16, 0x3C00, 65_535), (16, 0xBC00, 0), (16, 0x7E00, 0),
    (16, 0x7C00, 65_535), (16, 0x0400, 4), (24, 0x3E_0000, 32_768), (24, 0x3F_0000, 65_535),
    (32, 0x3F00_0000, 32_768), (32, 0x7F80_0000, 65_535), (32, 0xFF80_0000, 0),
    (64, 0x3FE0_0000_0000_0000, 32_768),
  ])
  func floatsFromZeroToOneAreTheWholeRange(bits: Int, number: UInt64, level: UInt16) throws {
    let coding = try #require(SampleCoding(bits: bits, format: 3))
    #expect(coding.level16(number) == level)
  }

  @Test(arguments: [
    (1, 1, 1, 65_535), (4, 1, 8, 34_952), (12, 1, 4095, 65_535), (32, 1, 0x8000_0000, 32_768),
    (8, 2, 0x80, 0), (8, 2, 0, 32_896), (8, 2, 0x7F, 65_535), (16, 2, 0x8000, 0),
    (16, 2, 0x7FFF, 65_535),
  ])
  func wholeNumbersAreTheWholeRange(
    bits: Int, format: Int, number: UInt64, level: UInt16
  ) throws {
    let coding = try #require(SampleCoding(bits: bits, format: format))
    #expect(coding.level16(number) == level)
  }

  /// Bits are packed from the highest of each byte (TIFF 6.0 §2, `FillOrder`).
  @Test(arguments: [
    (1, [0b1010_0000], [1, 0, 1]), (4, [0x12, 0x34], [1, 2, 3, 4]),
    (12, [0x12, 0x34, 0x56], [0x123, 0x456]), (10, [0xFF, 0xC0, 0x10], [0x3FF, 0x001]),
  ])
  func samplesAreUnpacked(bits: Int, row: [UInt8], numbers: [UInt64]) throws {
    let coding = try #require(SampleCoding(bits: bits, format: 1))
    for (index, expected) in numbers.enumerated() {
      #expect(unsafe coding.number(row, index) == expected)
    }
  }

  @Test func complexNumbersAreRefused() {
    #expect(SampleCoding(bits: 32, format: 5) == nil)
    #expect(SampleCoding(bits: 48, format: 1) == nil)
  }
}
