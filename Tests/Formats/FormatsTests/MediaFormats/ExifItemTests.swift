import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

struct ExifItemTests {
  private let block: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]

  /// ISO/IEC 23008-12 annex A.2.1, and common errors of writers.
  @Test func `the block is found at every start`() {
    let prefix = Array("Exif\0\0".utf8)
    #expect(tiffBlock(inExifItem: [0, 0, 0, 6] + prefix + block + [9]) == block + [9])
    #expect(tiffBlock(inExifItem: [0, 0, 0, 0] + block + [9]) == block + [9])
    #expect(tiffBlock(inExifItem: [0, 0, 0, 0] + prefix + block) == block)
    #expect(tiffBlock(inExifItem: [0xFF, 0xFF, 0xFF, 0xFF] + block + [9]) == block + [9])
    #expect(tiffBlock(inExifItem: [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) == nil)
    #expect(tiffBlock(inExifItem: [0, 0]) == nil)
    // The four bytes are missing.
    #expect(tiffBlock(inExifItem: block + [9]) == block + [9])
    #expect(tiffBlock(inExifItem: prefix + block + [9]) == block + [9])
    // The distance does not include the `Exif\0\0` after it.
    #expect(
      tiffBlock(inExifItem: [0, 0, 0, 3, 7, 7, 7] + prefix + block + [9]) == block + [9])
  }
}
