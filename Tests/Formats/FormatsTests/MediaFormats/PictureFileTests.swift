import MetadataTransfer
import ByteReading
import MediaFormats
import MediaModel
import Testing

/// The picture formats except JPEG, with files built after their specifications.
struct PictureFileTests {
  @Test func `PNG is read`() throws {
    let file = try PNGFile(ArraySource(MadeFile.png.bytes))
    #expect(file.size == PixelSize(width: 640, height: 320))
    #expect(file.bitDepth == 8)
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.xmp == MadeFile.xmpPacket)
    #expect(file.text("Software") == "gnome-screenshot")
    #expect(file.text("Comment") == "xx")
    #expect(file.modified?.iso8601 == "2022-02-16T12:55:41")
    #expect(file.frameCount == 5)
    #expect(file.warnings.isEmpty)
  }

  /// An EXIF block in a text chunk in ImageMagick's form.
  @Test func `a raw profile in a PNG is read`() throws {
    let digits = MadeFile.exifBlock.map { byte in
      let text = String(byte, radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    let lines = stride(from: 0, to: digits.count, by: 36).map {
      digits[$0..<min($0 + 36, digits.count)].joined()
    }
    let profile =
      "\nexif\n     \(MadeFile.exifBlock.count)\n" + lines.joined(separator: "\n") + "\n"
    let bytes =
      Array(MadeFile.png.bytes.prefix(33))
      + chunk("tEXt", Array("Raw profile type exif\0".utf8) + Array(profile.utf8))
      + chunk("IEND", [])
    #expect(try PNGFile(ArraySource(bytes)).exif == MadeFile.exifBlock)
  }

  /// PNG specification, third edition, §11.3.6.2: a denominator of 0 means hundredths of a second.
  @Test func `the duration of an animated PNG is that of its frames`() throws {
    func file(frames: [(UInt16, UInt16)], isWhole: Bool = true) throws -> PNGFile {
      let start = Array(MadeFile.png.bytes[..<33])
      let control = PNGChunk.made("acTL", [0, 0, 0, UInt8(frames.count), 0, 0, 0, 0])
      let parts = frames.flatMap { delay, divisor in
        let times = [delay, divisor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return PNGChunk.made("fcTL", [UInt8](repeating: 0, count: 20) + times + [0, 0])
          + PNGChunk.made("fdAT", [0, 0, 0, 0])
      }
      let end = isWhole ? PNGChunk.made("IEND", []) : []
      return try PNGFile(ArraySource(start + control + parts + end))
    }
    #expect(try file(frames: [(1, 10), (1, 10), (1, 10)]).duration == 0.3)
    #expect(try file(frames: [(50, 0), (500, 1000)]).duration == 1)
    #expect(try file(frames: [(1, 10)]).duration == nil)
    #expect(try file(frames: [(0, 10), (0, 10)]).duration == nil)
    #expect(try file(frames: [(1, 10), (1, 10)], isWhole: false).duration == nil)
  }

  @Test func `a PNG that is cut off causes a warning`() throws {
    let file = try PNGFile(ArraySource(Array(MadeFile.png.bytes.dropLast(12))))
    #expect(file.warnings.count == 1)
  }

  @Test func `GIF is read`() throws {
    let file = try GIFFile(ArraySource(MadeFile.gif.bytes))
    #expect(file.size == PixelSize(width: 320, height: 200))
    #expect(file.frameCount == 3)
  }

  @Test func `WebP is read`() throws {
    let file = try WebPFile(ArraySource(MadeFile.webP.bytes))
    #expect(file.size == PixelSize(width: 640, height: 320))
    #expect(file.frameCount == 2)
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.xmp == MadeFile.xmpPacket)
  }

  /// RFC 9649 §3.4: 14 bits each of width and height less one.
  @Test func `lossless WebP is read`() throws {
    let bits = (640 - 1) | (320 - 1) << 14
    let bytes =
      Array("RIFF".utf8) + le32(30) + Array("WEBP".utf8) + riff("VP8L", [0x2F] + le32(bits))
    #expect(try WebPFile(ArraySource(bytes)).size == PixelSize(width: 640, height: 320))
  }

  @Test func `BMPs with a negative height and with an OS/2 header are read`() throws {
    let size = PixelSize(width: 640, height: 480)
    #expect(try BMPFile(ArraySource(MadeFile.bmp.bytes)).size == size)
    let core =
      Array("BM".utf8) + zeros(8) + le32(26) + le32(12) + le16(640) + le16(480) + le16(1) + le16(8)
      + zeros(8)
    #expect(try BMPFile(ArraySource(core)).size == size)
  }

  /// OS/2's second header may end after any field. Its form of 16 bytes contains the size, planes and depth.
  @Test func `OS/2 headers are converted to Windows' form`() throws {
    let pixels: [UInt8] = [1, 2, 3, 4]
    let fields = le32(640) + le32(480) + le16(1) + le16(24)
    let short = Array("BM".utf8) + zeros(8) + le32(30) + le32(16) + fields + pixels
    #expect(try BMPFile(ArraySource(short)).size == PixelSize(width: 640, height: 480))
    let known = BMPFile.decodable(short)
    #expect(
      known == Array("BM".utf8) + zeros(8) + le32(54) + le32(40) + fields + zeros(24) + pixels)
    // 52 bytes: the masks of `BI_BITFIELDS` are part of the header.
    let masks = le32(0xF800) + le32(0x7E0) + le32(0x1F)
    let wide =
      Array("BM".utf8) + zeros(8) + le32(66) + le32(52) + fields + le32(3) + zeros(20) + masks
      + pixels
    #expect(
      BMPFile.decodable(wide)
        == Array("BM".utf8) + zeros(8) + le32(66) + le32(40) + fields + le32(3) + zeros(20) + masks
        + pixels)
    #expect(BMPFile.decodable(MadeFile.bmp.bytes) == MadeFile.bmp.bytes)
    for count in 0..<wide.count { _ = BMPFile.decodable(Array(wide.prefix(count))) }
  }

  /// A file that ends within its header has no chunks.
  @Test func `a WebP may end at any offset`() throws {
    for count in 0..<MadeFile.webP.bytes.count {
      let source = ArraySource(Array(MadeFile.webP.bytes.prefix(count)))
      _ = try? WebPFile(source)
      _ = try? WebPFile.firstFrame(source, limit: 1 << 20)
      _ = try? WebPFile.hasAlpha(source)
      _ = try? PictureMetadata.read(.webP, source)
    }
  }

  @Test func `a JPEG XL codestream is read`() throws {
    let file = try JPEGXLFile(ArraySource(MadeFile.jpegXL.bytes))
    #expect(file.size == PixelSize(width: 200, height: 130))
    #expect(file.orientation == .up)
  }

  @Test func `JPEG XL boxes are read`() throws {
    let bytes =
      be32(12) + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
      + box("ftyp", Array("jxl ".utf8) + be32(0) + Array("jxl ".utf8))
      + box("Exif", be32(0) + MadeFile.exifBlock) + box("xml ", MadeFile.xmpPacket)
      + box("brob", Array("Exif".utf8) + zeros(9))
      + box("jxlp", be32(0) + Array(MadeFile.jpegXL.bytes.prefix(4)))
      + box("jxlp", be32(1) + MadeFile.jpegXL.bytes.dropFirst(4))
    let file = try JPEGXLFile(ArraySource(bytes))
    #expect(file.size == PixelSize(width: 200, height: 130))
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.xmp == MadeFile.xmpPacket)
    #expect(file.warnings.count == 1)
  }

  /// As cjxl writes them: Brotli (RFC 7932), here in one block of at most 64 KiB without compression.
  @Test func `compressed JPEG XL metadata is read`() throws {
    func compressed(_ content: [UInt8]) -> [UInt8] {
      le32((content.count - 1) << 4 | 1 << 20).prefix(3) + content + [3]
    }
    let bytes =
      be32(12) + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
      + box("ftyp", Array("jxl ".utf8) + be32(0) + Array("jxl ".utf8))
      + box("brob", Array("Exif".utf8) + compressed(be32(0) + MadeFile.exifBlock))
      + box("brob", Array("xml ".utf8) + compressed(MadeFile.xmpPacket))
      + box("jxlc", MadeFile.jpegXL.bytes)
    let file = try JPEGXLFile(ArraySource(bytes))
    #expect(file.exif == MadeFile.exifBlock)
    #expect(file.xmp == MadeFile.xmpPacket)
    #expect(file.warnings == [])
  }

  /// Browsers enlarge the screen so that it contains the first picture.
  @Test(arguments: [
    ([16, 12], [3, 2, 8, 6], [16, 12]), ([16, 12], [10, 8, 10, 10], [20, 18]),
    ([16, 12], [20, 2, 8, 6], [28, 12]), ([0, 0], [0, 0, 16, 12], [16, 12]),
  ])
  func `a GIF contains its first picture`(screen: [Int], place: [Int], size: [Int]) throws {
    let bytes =
      Array("GIF89a".utf8) + screen.flatMap { le16($0) } + [0, 0, 0]
      + [0x2C] + place.flatMap { le16($0) } + [0, 2, 2, 0x4C, 0x01, 0, 0x3B]
    let file = try GIFFile(ArraySource(bytes))
    #expect(file.size == PixelSize(width: size[0], height: size[1]))
    #expect(file.partOfScreen?.x == (size == place.suffix(2) ? nil : place[0]))
  }
}
