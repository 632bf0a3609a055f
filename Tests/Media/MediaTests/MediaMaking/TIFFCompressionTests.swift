import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import MediaFormats

/// tiffcp stores pictures of ImageMagick in all ways that libtiff knows. The result must be the picture before it was
/// stored, as ImageMagick decodes it.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .tiffcp, .tiffset)))
struct TIFFCompressionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// ImageMagick's options for each kind of picture.
  static let kinds: [String: [String]] = [
    "grey": ["-colorspace", "Gray"], "grey16": ["-colorspace", "Gray", "-depth", "16"],
    "lines": ["-monochrome", "-depth", "1"], "palette": ["-type", "Palette"], "RGB": [],
    "RGB16": ["-depth", "16"],
    "alpha": ["-alpha", "set", "-channel", "A", "-fx", "0.2+0.8*i/w", "+channel"],
    "CMYK": ["-colorspace", "CMYK"],
  ]
  static let lossless = ["none", "lzw", "zip", "packbits", "zstd", "lzma"]
  static let layouts = [
    [], ["-r", "5"], ["-t", "-w", "32", "-l", "16"], ["-p", "separate"],
    ["-p", "separate", "-t", "-w", "16", "-l", "32"], ["-8"], ["-B"], ["-f", "lsb2msb"],
  ]

  private func make(_ kind: String, _ options: [String]) async throws {
    try await makePlain(kind)
    try await Tool.tiffcp.run(options + [folder.path("a.tiff"), folder.path("b.tiff")])
  }

  private func makePlain(_ kind: String) async throws {
    let style = try #require(Self.kinds[kind])
    try await folder.makeSoftPicture("a.tiff", size: "97x65", style + ["-compress", "none"])
  }

  private static let plainPixels = SharedValues<String, [UInt8]>()

  /// The pixels of a kind of picture before it is stored, over white.
  private func plainPixels(_ kind: String) async throws -> [UInt8] {
    try await Self.plainPixels.value(of: kind) {
      let other = try TIFFCompressionTests()
      try await other.makePlain(kind)
      return try await other.folder.pixels("a.tiff", ["-colorspace", "sRGB"])
    }
  }

  /// tiffcp can separate the channels of 8 bits only.
  private func canStore(_ kind: String, _ layout: [String]) -> Bool {
    !layout.contains("separate") || ["RGB", "alpha", "CMYK"].contains(kind)
  }

  /// The similarity of the exported picture to the one before it was stored, over white.
  ///
  /// - Parameter plain: the latter's pixels.
  private func similarity(to plain: [UInt8]) async throws -> Double {
    let result = try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    #expect(result.pixelSize == PixelSize(width: 97, height: 65))
    return peakSignalToNoise(plain, try await folder.pixels("result.png"))
  }

  @Test(arguments: kinds.keys.sorted(), lossless)
  func losslessCompressions(kind: String, compression: String) async throws {
    for layout in Self.layouts where canStore(kind, layout) {
      try await make(kind, layout + ["-c", compression])
      let similarity = try await similarity(to: plainPixels(kind))
      // ImageMagick rounds a palette's 16 bits down.
      #expect(
        similarity > (["CMYK", "alpha", "palette"].contains(kind) ? 48 : 60), "\(layout)")
    }
  }

  @Test(arguments: [
    ("RGB", "lzw:2"), ("RGB16", "zip:2"), ("grey16", "zstd:2"), ("grey", "lzma:2"),
    ("lines", "g3"), ("lines", "g3:2d"), ("lines", "g4"), ("grey", "jpeg:95"),
    ("RGB", "jpeg:95"), ("RGB", "jpeg:r:95"), ("RGB", "webp:100"), ("alpha", "webp:100"),
    ("CMYK", "jpeg:95"), ("RGB", "lerc:0"),
  ])
  func otherCompressions(kind: String, compression: String) async throws {
    let isCoded = compression.hasPrefix("jpeg") || compression.hasPrefix("webp")
    for layout in Self.layouts
    where canStore(kind, layout) && !(isCoded && layout.contains("separate")) {
      // The encoder of JPEG wants whole blocks.
      let strips = isCoded && !layout.contains("-t") ? ["-r", "16"] : []
      try await make(kind, layout + strips + ["-c", compression])
      let similarity = try await similarity(to: plainPixels(kind))
      #expect(similarity > 33, "\(layout)")
    }
  }

  /// 16 bits a channel arrive in the PNG.
  @Test(arguments: ["grey16", "RGB16"])
  func depthIsKept(kind: String) async throws {
    try await make(kind, ["-c", "zip:2"])
    try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    let raw = ["a.tiff", "result.png"]
    for name in raw {
      try await Tool.imageMagick.run([
        folder.path(name), "-depth", "16", "rgb:" + folder.path(name + ".rgb"),
      ])
    }
    #expect(try folder.bytes("a.tiff.rgb") == folder.bytes("result.png.rgb"))
  }

  @Test(arguments: 1...8, [[], ["-r", "16", "-c", "jpeg"], ["-t", "-c", "zip"]])
  func orientationsAreApplied(orientation: Int, options: [String]) async throws {
    let names = [
      "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop", "RightBottom",
      "LeftBottom",
    ]
    try await folder.makeSoftPicture(
      "a.tiff", size: "97x65", ["-compress", "none", "-orient", names[orientation - 1]])
    try await Tool.tiffcp.run(options + [folder.path("a.tiff"), folder.path("b.tiff")])
    let result = try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    let size = PixelSize(width: 97, height: 65)
    #expect(result.pixelSize == (orientation > 4 ? size.transposed : size))
    let (expected, found) = try await (folder.pixels("a.tiff"), folder.pixels("result.png"))
    #expect(peakSignalToNoise(expected, found) > 34)
  }

  @Test func deepPlanesAreCombined() async throws {
    try await folder.makeSoftPicture("a.tiff", size: "97x65", ["-depth", "16"])
    try await folder.makeSoftPicture(
      "b.tiff", size: "97x65", ["-depth", "16", "-interlace", "plane", "-compress", "zip"])
    let plain = try await folder.pixels("a.tiff", ["-colorspace", "sRGB"])
    #expect(try await similarity(to: plain) > 60)
  }

  /// JPEG of the old style (TIFF 6.0 §22): the file contains a whole JPEG.
  @Test func oldStyleJPEGIsDecoded() async throws {
    try await folder.makeSoftPicture(
      "a.jpg", ["-quality", "95", "-sampling-factor", "2x2"])
    let jpeg = try folder.bytes("a.jpg")
    var made = MadeTIFF(width: 96, height: 64, bits: [8, 8, 8], space: 6, pixels: jpeg)
    for (tag, values) in [(259, [6]), (513, [8]), (514, [jpeg.count]), (530, [2, 2])] {
      made.set(tag, values)
    }
    try folder.write(made.bytes, to: "b.tiff")
    let result = try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    #expect(result.notes == [])
    let (expected, found) = try await (folder.pixels("a.jpg"), folder.pixels("result.png"))
    #expect(peakSignalToNoise(expected, found) > 40)
  }

  /// `NewSubfileType` 1 is a reduced version of another picture of the file (TIFF 6.0 §8).
  @Test func aThumbnailBeforeThePictureIsNoPage() async throws {
    try await Tool.imageMagick.run([
      "-size", "32x24", "xc:red", "-size", "97x65", "xc:blue", "-type", "TrueColor",
      folder.path("b.tiff"),
    ])
    try await Tool.tiffset.run(["-d", "0", "-s", "254", "1", folder.path("b.tiff")])
    // The page is to be turned, its thumbnail is not.
    try await Tool.tiffset.run(["-d", "1", "-s", "274", "6", folder.path("b.tiff")])
    let result = try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    #expect(result.pixelSize == PixelSize(width: 65, height: 97))
    let found = try await folder.pixels("result.png")
    #expect(found[0] < 5 && found[2] > 250)
  }

  @Test func theFirstPageCounts() async throws {
    try await Tool.imageMagick.run([
      "-size", "32x24", "xc:red", "xc:blue", "-type", "TrueColor", "-compress", "JPEG",
      folder.path("b.tiff"),
    ])
    try folder.mustRender(
      "b.tiff", .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
    let found = try await folder.pixels("result.png")
    #expect(found.count == 32 * 24 * 3)
    #expect(found[0] > 250 && found[2] < 5)
  }

  @Test func thumbnailsAreMade() async throws {
    try await make("RGB", ["-8", "-t", "-c", "jpeg:90"])
    let item = ThumbnailItem(path: BytePath(folder.path("b.tiff")), uniformType: .tiff)
    guard case .thumbnail = thumbnail(item, longerSide: 64) else {
      Issue.record("no thumbnail")
      return
    }
  }
}
