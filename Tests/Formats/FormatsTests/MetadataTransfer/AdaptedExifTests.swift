import MediaEdits
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

  /// IFD0 with an Exif directory that contains the note, and a directory of a further picture without compression.
  private func block(note: [UInt8], pixels: [UInt8]) -> [UInt8] {
    var block = Array("II".utf8) + le16(42) + le32(8) + le16(2)
    block += entry(0x014A, 4, 1, le32(56)) + entry(0x8769, 4, 1, le32(38)) + le32(0)
    block += le16(1) + entry(0x927C, 7, note.count, le32(86)) + le32(0)
    block += le16(2) + entry(0x0111, 4, 1, le32(86 + note.count))
    block += entry(0x0117, 4, 1, le32(pixels.count)) + le32(0)
    return block + note + pixels
  }

  /// A frame and a scan around some bytes (ITU-T T.81 §B.2).
  private static let preview: [UInt8] =
    [0xFF, 0xD8] + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + Array("whole".utf8) + [0xFF, 0xD9]

  @Test func `previews of a cropped picture are removed`() throws {
    let around = Array("MINOLTA \u{1}\u{2}".utf8)
    let pixels = [UInt8](repeating: 0x77, count: 48)
    // Minolta's cameras replace the first byte.
    for first in [0xFF, 2] as [UInt8] {
      let note = around + [first] + Self.preview.dropFirst() + around
      let own = block(note: note, pixels: pixels)
      let size = PixelSize(width: 10, height: 10)
      let crop = CropRect(x: 0, y: 0, width: 5, height: 5)
      let cropped = try #require(
        AdaptedExif.block(
          own, PictureChange(from: size, crop: crop, to: PixelSize(width: 5, height: 5)),
          isSRGB: false))
      #expect(
        cropped == own[..<86] + around + zeros(Self.preview.count) + around + zeros(pixels.count))
      #expect(try adapted(own) == own)
    }
  }

  /// Digits of a block that a PNG stores as a text, and Photoshop's resources with a preview in IPTC (IIM 4.2 §6).
  @Test func `other previews of a cropped picture are removed`() throws {
    let title: [UInt8] = [0x1C, 2, 5, 0, 4] + Array("Lake".utf8)
    let preview = [0x1C, 2, 202] + be16(Self.preview.count) + Self.preview
    let resources =
      PhotoshopResource.made(0x0404, title + preview) + PhotoshopResource.made(4000, Self.preview)
    let packet = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)">
      <rdf:Description xmlns:a="urn:a" a:title="Lake"><a:b>/9j/\(String(repeating: "A", count: 80))</a:b>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
    var metadata = PictureMetadata(xmp: packet, imageResources: resources)
    metadata.texts = [
      PictureText(keyword: "Raw profile type exif", text: "\nexif\n2\nffd8\n"),
      PictureText(keyword: "Title", text: "Lake"),
    ]
    let size = PixelSize(width: 10, height: 10)
    let crop = CropRect(x: 0, y: 0, width: 5, height: 5)
    let made = metadata.adapted(
      to: PictureChange(from: size, crop: crop, to: PixelSize(width: 5, height: 5)), .keep)
    #expect(made.imageResources == PhotoshopResource.made(0x0404, title))
    #expect(made.texts.map(\.keyword) == ["Title"])
    let xmp = try #require(made.xmp)
    #expect(xmp.firstIndex(of: "/9j/") == nil)
    #expect(xmp.firstIndex(of: "Lake") != nil)
    let scaled = metadata.adapted(to: PictureChange(from: size, to: size), .keep)
    #expect(
      scaled.imageResources == PhotoshopResource.made(0x0404, title)
        + PhotoshopResource.made(4000, Self.preview))
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
