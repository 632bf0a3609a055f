import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// Readers read the description of a picture, not its pixels.
struct SparseReadingTests {
  private static func pixels(_ size: Int) -> [UInt8] {
    chunk("IDAT", (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  }

  /// Files that begin as a Takeout's JSON does, but have no long description, and one with a description that is larger
  /// than any sidecar.
  @Test(arguments: [
    #"{"title": "a", "items": ["#, #"{"title": "a", "item": {"text": ""#, "{\\rtf1 \"\n",
    #"{"title": "a", "description": ""#,
  ])
  func `large files of other kinds need few reads`(start: String) throws {
    let line = Array(#"{"number": 1, "name": "one"}, "#.utf8) + [0x0A]
    let size = start.contains("description") ? 17 << 20 : 4 << 20
    let isText = start.last == "\""
    let filler = isText ? [UInt8](repeating: 0x61, count: 1024) : line
    var bytes = Array(start.utf8)
    while bytes.count < size { bytes += filler }
    bytes += Array(#"", "photoTakenTime": {"timestamp": "1645012541"}}"#.utf8)
    let source = CountingSource(bytes)
    #expect(try ContentType(of: WindowedSource(source), fileExtension: "json") == .unknown)
    #expect(source.reads <= 8)
    #expect(source.bytesRead <= 512 << 10)
  }

  /// Encoders write `IDAT` chunks of 8, 32 or 64 KiB.
  @Test(arguments: [8 << 10, 32 << 10, 64 << 10])
  func `large PNGs need few reads`(size: Int) throws {
    let pixels = Self.pixels(size)
    let head = Array(MadeFile.png.bytes.prefix(33)) + chunk("tEXt", Array("Software\0one".utf8))
    let bytes =
      head + (0..<((4 << 20) / size)).flatMap { _ in pixels }
      + chunk("tEXt", Array("Author\0two".utf8)) + chunk("IEND", [])
    let source = CountingSource(bytes)
    let file = try PNGFile(WindowedSource(source))
    #expect(file.text("Software") == "one")
    #expect(file.text("Author") == "two")
    #expect(file.warnings.isEmpty)
    #expect(source.reads <= 16)
    #expect(source.bytesRead <= 640 << 10)
  }

  /// The four letters within pixels, and chunks without an `IEND` after them, are not the end of the file.
  @Test func `the letters IDAT within pixels are not a chunk`() throws {
    var tail = Self.pixels(8 << 10)
    tail.replaceSubrange(100..<108, with: be32(20) + Array("IDAT".utf8))
    tail.replaceSubrange(200..<208, with: be32(8) + Array("IEND".utf8))
    let bytes =
      Array(MadeFile.png.bytes.prefix(33)) + (0..<64).flatMap { _ in Self.pixels(8 << 10) } + tail
      + chunk("tEXt", Array("Author\0two".utf8)) + chunk("IEND", [])
    #expect(try PNGFile(ArraySource(bytes)).text("Author") == "two")
    let cut = try PNGFile(ArraySource(Array(bytes.dropLast(12))))
    #expect(cut.text("Author") == "two")
    #expect(cut.warnings.count == 1)
  }

  private static func gif(_ before: [UInt8], frames: Int, _ after: [UInt8]) -> [UInt8] {
    let block: [UInt8] = [255] + [UInt8](repeating: 7, count: 255)
    let data = Array([[UInt8]](repeating: block, count: 256).joined()) + [0]
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2] + data
    let pictures = Array([[UInt8]](repeating: frame, count: frames).joined())
    let header: [UInt8] = Array("GIF89a".utf8) + le16(320) + le16(200) + [0, 0, 0]
    return header + before + pictures + after + [0x3B]
  }

  private static let packet: [UInt8] = {
    let start: [UInt8] = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
    let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
    return start + MadeFile.xmpPacket + trailer
  }()

  /// Programs write XMP before the first picture or, as exiftool does, at the end.
  @Test(arguments: [true, false])
  func `large GIFs need few reads`(isBefore: Bool) throws {
    let bytes = Self.gif(isBefore ? Self.packet : [], frames: 64, isBefore ? [] : Self.packet)
    let source = CountingSource(bytes)
    let file = try GIFFile(WindowedSource(source), extent: .description)
    #expect(file.xmp == MadeFile.xmpPacket)
    #expect(file.size == PixelSize(width: 320, height: 200))
    #expect(source.reads <= 3)
    #expect(try GIFFile(ArraySource(bytes)).xmp == MadeFile.xmpPacket)
    #expect(try GIFFile(ArraySource(bytes)).frameCount == 64)
  }

  @Test func `GIFs without XMP have none`() throws {
    let source = CountingSource(Self.gif([], frames: 64, []))
    #expect(try GIFFile(WindowedSource(source), extent: .description).xmp == nil)
    #expect(source.reads <= 3)
  }

  /// A decoder does not receive texts and profiles, which it would inflate. All other bytes keep their offsets.
  @Test func `decoders of PNGs receive pixels only`() throws {
    let before = Array(MadeFile.png.bytes.prefix(33))
    let others = ["iTXt", "zTXt", "tEXt", "iCCP", "eXIf", "fdAT", "acTL"].flatMap {
      chunk($0, [1, 2, 3])
    }
    let needed = ["PLTE", "tRNS", "gAMA", "IDAT", "IEND"].flatMap { chunk($0, [4, 5]) }
    var bytes = before + others + needed
    PNGPixels.hideOthers(in: &bytes)
    #expect(Array(bytes.prefix(33)) == before)
    #expect(Array(bytes.suffix(needed.count)) == needed)
    #expect(
      Array(bytes.dropFirst(33).dropLast(needed.count))
        == (0..<7).flatMap { _ in chunk("skIp", [1, 2, 3]) })
    for count in 0..<bytes.count {
      var cut = Array(bytes.prefix(count))
      PNGPixels.hideOthers(in: &cut)
      #expect(cut.count == count)
    }
  }

  /// An animation of two minutes at 100 frames a second.
  @Test func `EXIF after many frames of a WebP is read`() throws {
    let frames = (0..<12_000).flatMap { _ in riff("ANMF", zeros(12) + [10, 0, 0, 0]) }
    let chunks =
      riff("VP8X", [0x2C, 0, 0, 0, 0x7F, 0x02, 0, 0x3F, 0x01, 0]) + frames
      + riff("EXIF", MadeFile.exifBlock)
    let file = Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    let webP = try WebPFile(ArraySource(file))
    #expect(webP.exif == MadeFile.exifBlock)
    #expect(webP.frameCount == 12_000)
    #expect(webP.duration == 120)
    #expect(try PictureMetadata.read(.webP, ArraySource(file)).exif == MadeFile.exifBlock)
  }
}
