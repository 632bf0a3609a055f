import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// JPEGs keep the chroma resolution of the source: in drawings and screenshots the colour changes from pixel to pixel.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .ffprobe, .heifEncoder, .imageMagick)))
struct GraphicsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func subsampling(_ name: String, _ type: UniformType) async throws -> String {
    try folder.mustRender(name, .picture(type, PictureRendering(format: .jpeg)), to: "out.jpg")
    return try await Tool.exiftool.run(["-s3", "-YCbCrSubSampling", folder.path("out.jpg")])
  }

  @Test(
    arguments: [
      ("a.png", UniformType.png, []), ("a.gif", .gif, []), ("a.bmp", .bmp, []),
      ("a.tiff", .tiff, ["-colors", "64", "-type", "Palette"]),
      ("a.webp", .webP, ["-define", "webp:lossless=true"]), ("b.tiff", .tiff, []),
      ("c.tiff", .tiff, ["-depth", "16"]), ("d.tiff", .tiff, ["-colorspace", "CMYK"]),
      ("a.jp2", .jpeg2000, []),
    ])
  func keepFullColour(name: String, type: UniformType, options: [String]) async throws {
    try await folder.makeSoftPicture(name, options)
    #expect(try await subsampling(name, type) == "YCbCr4:4:4 (1 1)")
  }

  /// Four pixels have one colour in the source, too.
  @Test(arguments: [("a.webp", UniformType.webP, "yuv420p"), ("a.jp2", .jpeg2000, "yuv420p")])
  func sharedColourStaysShared(name: String, type: UniformType, format: String) async throws {
    try await folder.makeSoftPicture("a.png", size: "128x96")
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("a.png"), "-pix_fmt", format, folder.path(name),
    ])
    #expect(try await subsampling(name, type) == "YCbCr4:2:0 (2 2)")
  }

  @Test(arguments: ["0", "1"]) func jpegXLKeepsFullColour(distance: String) async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("a.png"), "-c:v", "libjxl", "-distance", distance,
      folder.path("a.jxl"),
    ])
    #expect(try await pixelFormat(of: "a.jxl", .jpegXL) == "yuvj444p")
  }

  /// HEIC and AVIF may have full chroma, in 8 and 10 bits.
  @Test(arguments: ["444", "420"], ["8", "10"])
  func fullChromaOfHEIFIsKept(chroma: String, depth: String) async throws {
    try await folder.makeSoftPicture("a.png", size: "128x96")
    for (name, type, options) in [("a.heic", UniformType.heic, []), ("a.avif", .avif, ["-A"])] {
      try await Tool.heifEncoder.run(
        options + ["-q", "80", "-p", "chroma=" + chroma] + (depth == "8" ? [] : ["-b", depth])
          + [folder.path("a.png"), "-o", folder.path(name)])
      #expect(try await pixelFormat(of: name, type) == "yuvj\(chroma)p", "\(name)")
    }
  }

  /// As ffprobe reads it from the JPEG.
  private func pixelFormat(of name: String, _ type: UniformType) async throws -> String {
    try folder.mustRender(name, .picture(type, PictureRendering(format: .jpeg)), to: "out.jpg")
    return try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", folder.path("out.jpg"),
    ])
  }

  @Test func anExplicitSubsamplingIsUsed() async throws {
    try await folder.makeSoftPicture("a.png")
    try folder.mustRender(
      "a.png", .picture(.png, PictureRendering(format: .jpeg, chroma: .yuv420)), to: "out.jpg")
    let found = try await Tool.exiftool.run(["-s3", "-YCbCrSubSampling", folder.path("out.jpg")])
    #expect(found == "YCbCr4:2:0 (2 2)")
  }

  /// Columns of one pixel: red next to blue stays red next to blue.
  @Test func neighbouringColoursStayApart() async throws {
    try await Tool.imageMagick.run([
      "-size", "1x32", "xc:red", "xc:blue", "+append", "-write", "mpr:tile", "+delete",
      "-size", "64x32", "tile:mpr:tile", folder.path("a.gif"),
    ])
    try folder.mustRender(
      "a.gif", .picture(.gif, PictureRendering(format: .jpeg, quality: 95)), to: "out.jpg")
    let (expected, found) = try await (folder.pixels("a.gif"), folder.pixels("out.jpg"))
    #expect(peakSignalToNoise(expected, found) > 30)
  }

  // MARK: OS/2

  /// OS/2's headers: the first of 12 bytes, as ImageMagick writes it; the second of 64 bytes or shortened.
  @Test(arguments: [12, 16, 64])
  func bitmapsOfOS2(header: Int) async throws {
    try await folder.makeSoftPicture("a.bmp", ["-type", "TrueColor", "-define", "bmp:format=bmp3"])
    try await folder.convert("a.bmp", ["-type", "TrueColor"], to: "want.png")
    if header == 12 {
      try await Tool.imageMagick.run([folder.path("a.bmp"), "BMP2:" + folder.path("b.bmp")])
    } else {
      let bytes = try folder.bytes("a.bmp")
      try #require(bytes[14] == 40 && bytes[10] == 54)
      let start = UInt8(14 + header)
      let fields = Array(bytes[18..<(14 + min(header, 40))])
      try folder.write(
        Array(bytes[..<10]) + [start, 0, 0, 0, UInt8(header), 0, 0, 0] + fields
          + [UInt8](repeating: 0, count: max(0, header - 40)) + bytes[54...], to: "b.bmp")
    }
    guard case .media(let facts, _) = probe(BytePath(folder.path("b.bmp"))) else {
      throw ToolFailure(description: "b.bmp is not read")
    }
    #expect(facts.pixelSize == PixelSize(width: 96, height: 64))
    try folder.mustRender("b.bmp", .picture(.bmp, PictureRendering(format: .png)), to: "out.png")
    #expect(try await folder.pixels("out.png") == folder.pixels("want.png"))
  }

  // MARK: Palettes of TIFFs

  /// A palette of 2 to the power of `bits` colours, with a second channel of opacity (TIFF 6.0 §5, `ExtraSamples`).
  ///
  /// - Returns: the colours of its pixels, in 8-bit RGB.
  private func makePalette(bits: Int, opacity: Int) throws -> [UInt8] {
    let count = 1 << bits
    let colors = (0..<count).map { [255 - $0 * 3 % 256, $0 * 255 / (count - 1), $0 * 7 % 256] }
    let indexes = (0..<96 * 64).map { ($0 % 96 + $0 / 96 * 3) % count }
    var made = MadeTIFF(
      width: 96, height: 64, bits: [bits, bits], space: 3,
      pixels: indexes.flatMap { index in
        bits == 8 ? [UInt8(index), UInt8(opacity)] : [UInt8(index << 4 | opacity)]
      })
    made.set(320, (0..<3).flatMap { channel in colors.map { $0[channel] * 257 } })
    made.set(338, [2])
    try folder.write(made.bytes, to: "a.tiff")
    return indexes.flatMap { colors[$0].map { UInt8($0) } }
  }

  @Test func palettesWithTransparency() async throws {
    let expected = try makePalette(bits: 8, opacity: 153)
    let found = try await Tool.exiftool.run([
      "-s3", "-BitsPerSample", "-PhotometricInterpretation", folder.path("a.tiff"),
    ])
    try #require(found == "8 8\nRGB Palette")
    try folder.mustRender("a.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "out.png")
    #expect(try await folder.pixels("out.png", ["-alpha", "off"]) == expected)
    let alpha = try await folder.pixels("out.png", ["-alpha", "extract"])
    #expect(Set(alpha) == [153])
  }

  @Test func smallPalettesWithTransparency() async throws {
    let expected = try makePalette(bits: 4, opacity: 10)
    let bits = try await Tool.exiftool.run(["-s3", "-BitsPerSample", folder.path("a.tiff")])
    try #require(bits == "4 4")
    try folder.mustRender("a.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "out.png")
    #expect(try await folder.pixels("out.png", ["-alpha", "off"]) == expected)
    // 10 of 15.
    let alpha = try await folder.pixels("out.png", ["-alpha", "extract"])
    #expect(Set(alpha) == [170])
  }
}
