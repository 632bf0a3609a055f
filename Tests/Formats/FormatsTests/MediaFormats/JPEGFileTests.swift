import MetadataTransfer
import ByteReading
import MediaFormats
import MediaModel
import Testing

struct JPEGFileTests {
  @Test func `segments are read`() throws {
    let file = try JPEGFile(ArraySource(MadeFile.jpegBytes))
    #expect(file.size == PixelSize(width: 640, height: 320))
    #expect(file.precision == 8)
    #expect(file.componentCount == 3)
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.xmp == MadeFile.xmpPacket)
    #expect(file.iptc == MadeFile.iptc)
    #expect(file.warnings.isEmpty)
  }

  @Test func `the end is found after stuffed bytes and restarts`() throws {
    let source = ArraySource(MadeFile.jpegBytes + [1, 2, 3])
    #expect(try JPEGFile(source).end(in: source) == UInt64(MadeFile.jpegBytes.count))
  }

  @Test func `a picture that is cut off has no end`() throws {
    let source = ArraySource(MadeFile.jpegBytes.dropLast(2))
    #expect(try JPEGFile(source).end(in: source) == nil)
  }

  /// Markers and lengths can be on the boundary of the blocks in which a scan is read.
  @Test func `the end is found across blocks`() throws {
    let head = [0xFF, 0xD8] + segment(0xC0, [8, 0, 1, 0, 1, 1])
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])
    for shift in 0..<6 {
      let data = [UInt8](repeating: 1, count: (1 << 20) - scan.count - shift)
      let bytes =
        head + scan + data + segment(0xC4, [0xFF, 0xD9]) + scan + [2, 0xFF, 0, 0xFF, 0xD9]
      let source = ArraySource(bytes + zeros(7))
      #expect(try JPEGFile(source).end(in: source) == UInt64(bytes.count))
    }
  }

  @Test func `other files and files without a frame are refused`() {
    #expect(throws: ContainerError.notThisFormat("JPEG")) {
      try JPEGFile(ArraySource(Array("GIF89a".utf8)))
    }
    #expect(throws: ContainerError.damaged("ends before the JPEG frame header")) {
      try JPEGFile(ArraySource([0xFF, 0xD8] + segment(0xFE, [1])))
    }
  }

  @Test func `metadata without a frame is read`() throws {
    let bytes = [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + MadeFile.exifBlock)
    let file = try JPEGFile(ArraySource(bytes))
    #expect(file.size == nil)
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.warnings.count == 1)
  }

  /// exiftool reads such segments too: "Non-standard header for APP1 XMP segment".
  @Test(arguments: ["http://ns.adobe.com/xap/1.0/\0", "XMP\0://ns.adobe.com/xap/1.0/\0"])
  func `XMP is found by either name`(name: String) throws {
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    let payload = Array(name.utf8) + packet
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1] + be16(payload.count + 2) + payload
    #expect(try JPEGFile(ArraySource(bytes)).xmp == packet)
    let count = UInt64(bytes.count)
    let range = try JPEGMetadata(ArraySource(bytes)).xmpRange
    #expect(range == count - UInt64(packet.count)..<count)
  }

  /// XMP specification part 3 §1.1.3.1: parts are ordered by offset and named by the main packet.
  @Test func `extended XMP is joined`() throws {
    let identifier = Array("0123456789ABCDEF0123456789ABCDEF".utf8)
    let name = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    let other = [UInt8](repeating: 0x41, count: 32)
    func part(_ identifier: [UInt8], _ total: Int64, _ offset: Int64, _ text: String) -> [UInt8] {
      segment(0xE1, name + identifier + be32(total) + be32(offset) + Array(text.utf8))
    }
    let main = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + identifier
    let bytes =
      [0xFF, 0xD8] + segment(0xE1, main) + part(identifier, 8, 4, "wxyz")
      + part(other, 4, 0, "evil") + part(identifier, 8, 0, "stuv")
      + segment(0xC0, [8, 0, 1, 0, 1, 1]) + [0xFF, 0xD9]
    let source = ArraySource(bytes)
    let file = try JPEGFile(source)
    #expect(try file.extendedXMP(from: source) == Array("stuvwxyz".utf8))
    #expect(try file.extendedXMP(from: source, limit: 7) == nil)
  }

  /// CIPA DC-007: offsets count from the index's TIFF header; the primary picture's is 0.
  @Test func `the pictures of a multi-picture file are listed`() throws {
    let table =
      le32(0x0003_0000) + le32(100) + le32(0) + le32(0) + le32(0x0002_0002) + le32(30) + le32(50)
      + le32(0)
    let index =
      Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0xB002, 7, 32, le32(26)) + le32(0)
      + table
    let head = [0xFF, 0xD8] + segment(0xE2, Array("MPF\0".utf8) + index)
    let bytes = head + segment(0xC0, [8, 0, 1, 0, 1, 1]) + zeros(100)
    let pictures = try JPEGFile(ArraySource(bytes)).pictures
    #expect(
      pictures == [
        MultiPicture(offset: 0, length: 100, type: 0x030000),
        MultiPicture(offset: 10 + 50, length: 30, type: 0x020002),
      ])
  }
}

struct EmptyExifTests {
  /// exiftool ignores such a segment and reads the next one.
  @Test func `an EXIF segment without a block does not hide the next one`() throws {
    let bytes: [UInt8] =
      [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + zeros(20))
      + segment(0xE1, Array("Exif\0\0".utf8) + MadeFile.exifBlock)
      + segment(0xC0, [8, 0, 1, 0, 1, 1, 0, 0, 0]) + [0xFF, 0xD9]
    let file = try JPEGFile(ArraySource(bytes))
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.warnings == ["An EXIF segment contains no EXIF block."])
    #expect(try PictureMetadata.read(.jpeg, ArraySource(bytes)).exif == MadeFile.exifBlock)
  }
}
