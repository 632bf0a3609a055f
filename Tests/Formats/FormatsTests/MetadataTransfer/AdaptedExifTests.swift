import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Blocks whose second directory has a thumbnail at some place (Exif 3.0 §4.5.6).
struct AdaptedExifTests {
  private static let description = Array("important text\0\0".utf8)
  private static let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB] + zeros(30) + [0xFF, 0xD9]

  /// The header, a directory up to 38, the description up to 54, the Exif directory up to 72, its lens up to 80, the
  /// second directory up to 110, and a thumbnail.
  private func block(thumbnailAt offset: Int, count: Int) -> [UInt8] {
    var block = Array("II".utf8) + le16(42) + le32(8) + le16(2)
    block += entry(0x010E, 2, 16, le32(38)) + entry(0x8769, 4, 1, le32(54)) + le32(80)
    block += Self.description
    block += le16(1) + entry(0xA434, 2, 8, le32(72)) + le32(0) + Array("Lens 50\0".utf8)
    block += le16(2) + entry(0x0201, 4, 1, le32(offset)) + entry(0x0202, 4, 1, le32(count))
    return block + le32(0) + Self.thumbnail
  }

  private func adapted(_ block: [UInt8]) throws -> [UInt8] {
    let size = PixelSize(width: 10, height: 10)
    return try #require(
      AdaptedExif.block(block, PictureChange(from: size, to: size), isSRGB: false))
  }

  @Test func `a thumbnail is removed`() throws {
    let own = block(thumbnailAt: 110, count: Self.thumbnail.count)
    #expect(try adapted(own) == own[..<34] + le32(0) + own[38..<80])
  }

  /// The places are those of the description, the lens, the directories, and everything.
  @Test(arguments: [(38, 16), (72, 8), (54, 26), (8, 30), (0, 146), (0, 1000), (60, 4000)])
  func `bytes of other directories stay if the thumbnail is said to be there`(
    offset: Int, count: Int
  ) throws {
    let made = try adapted(block(thumbnailAt: offset, count: count))
    let tiff = try TIFFFile(ArraySource(made))
    let main = try #require(try tiff.directory(at: 8))
    #expect(try tiff.text(0x010E, in: main) == "important text")
    let exif = try #require(try tiff.directory(TIFFTag.exifIFD, of: main))
    #expect(try tiff.text(0xA434, in: exif) == "Lens 50")
  }

  /// The length of the thumbnail reaches back over nothing, but begins with a JPEG and has the block's end after it.
  @Test func `a thumbnail before other values ends at these`() throws {
    let size = 6
    var own = Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x010E, 2, 16, le32(62))
    own += le32(26) + le16(2) + entry(0x0201, 4, 1, le32(56)) + entry(0x0202, 4, 1, le32(500))
    own += le32(0) + [0xFF, 0xD8, 0xFF, 0xDB, 0xFF, 0xD9]
    try #require(own.count == 56 + size)
    own += Self.description
    let made = try adapted(own)
    #expect(Array(made.dropFirst(62)) == Self.description)
    #expect(Array(made.prefix(62).dropFirst(26)) == zeros(36))
  }
}
