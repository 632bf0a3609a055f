import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Whole pictures, rendered by the worker's functions. ImageMagick and libheif's programs make the
/// sources, decode the results and give the expected pixels.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder, .heifDecoder, .exiftool)))
struct PictureRenderingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @discardableResult
  private func render(
    _ name: String, _ type: UniformType, to target: String = "result.jpg",
    _ rendering: PictureRendering = PictureRendering()
  ) throws -> RenderResult {
    try folder.mustRender(name, .picture(type, rendering), to: target)
  }

  private func orient(_ name: String, _ value: UInt8) async throws {
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=\(value)", folder.path(name),
    ])
  }

  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.tiff", .tiff), ("a.bmp", .bmp), ("a.webp", .webP),
    ("a.jp2", .jpeg2000), ("a.png", .png),
  ])
  func keepsThePicture(name: String, type: UniformType) async throws {
    try await folder.makeSoftPicture(name, size: "97x65", ["-quality", "95"])
    let result = try render(name, type)
    #expect(result.pixelSize == PixelSize(width: 97, height: 65))
    #expect(result.size == UInt64(try folder.bytes("result.jpg").count))
    let (expected, found) = try await (folder.pixels(name), folder.pixels("result.jpg"))
    #expect(peakSignalToNoise(expected, found) > 38)
  }

  /// One coded picture; for odd sizes heif-enc makes a larger one and crops it.
  @Test(arguments: ["96x64", "97x65"], [["-q", "90"], ["-L"], ["-A"], ["--full_range_flag=0"]])
  func keepsHEIF(size: String, options: [String]) async throws {
    try await folder.makeSoftPicture("a.png", size: size)
    try await Tool.heifEncoder.run(options + [folder.path("a.png"), "-o", folder.path("a.heic")])
    try render("a.heic", options == ["-A"] ? .avif : .heic)
    let expected = try await folder.heifPixels("a.heic")
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 38)
  }

  /// A grid whose right and lower tiles extend beyond the picture.
  @Test func keepsGrids() async throws {
    try await folder.makeSoftPicture("whole.png", size: "192x128")
    for row in 0..<2 {
      for column in 0..<3 {
        try await folder.convert(
          "whole.png", ["-crop", "64x64+\(column * 64)+\(row * 64)", "+repage"],
          to: "tile-\(row)-\(column).png")
      }
    }
    try await Tool.heifEncoder.run([
      "-T", "--tiled-image-width", "180", "--tiled-image-height", "110",
      folder.path("tile-0-0.png"), "-o", folder.path("a.heic"),
    ])
    let result = try render("a.heic", .heic)
    #expect(result.pixelSize == PixelSize(width: 180, height: 110))
    let expected = try await folder.pixels("whole.png", ["-crop", "180x110+0+0", "+repage"])
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 34)
  }

  @Test(arguments: 1...8)
  func turnsUpright(orientation: UInt8) async throws {
    try await folder.makeSoftPicture("a.jpg", size: "97x64", ["-quality", "95"])
    try await orient("a.jpg", orientation)
    try render("a.jpg", .jpeg)
    let (expected, found) = try await (folder.pixels("a.jpg"), folder.pixels("result.jpg"))
    #expect(peakSignalToNoise(expected, found) > 38)
  }

  /// heif-enc converts an EXIF orientation to `irot` and `imir`.
  @Test(arguments: 1...8)
  func turnsHEIFUpright(orientation: UInt8) async throws {
    try await folder.makeSoftPicture("a.jpg", ["-quality", "95"])
    try await orient("a.jpg", orientation)
    try await Tool.heifEncoder.run(["-q", "90", folder.path("a.jpg"), "-o", folder.path("a.heic")])
    try render("a.heic", .heic)
    let expected = try await folder.heifPixels("a.heic")
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 38)
  }

  /// The part is given in the upright picture; at odd coordinates its edge divides chroma samples.
  @Test(arguments: [(6, 11, 7), (3, 10, 8), (1, 0, 0)])
  func crops(orientation: Int, x: Int, y: Int) async throws {
    try await folder.makeSoftPicture("a.jpg", size: "96x64", ["-quality", "95"])
    try await orient("a.jpg", UInt8(orientation))
    let part = CropRect(x: x, y: y, width: 40, height: 30)
    let result = try render("a.jpg", .jpeg, PictureRendering(crop: part))
    #expect(result.pixelSize == PixelSize(width: 40, height: 30))
    let expected = try await folder.pixels("a.jpg", ["-crop", "40x30+\(x)+\(y)", "+repage"])
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 36)
  }

  @Test func clampsACropAndRefusesOneOutside() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "96x64")
    let part = CropRect(x: 90, y: 60, width: .max, height: 100)
    let result = try render("a.jpg", .jpeg, PictureRendering(crop: part))
    #expect(result.pixelSize == PixelSize(width: 6, height: 4))
    let failure = #expect(throws: ProbeFailure.self) {
      let outside = CropRect(x: 96, y: 0, width: 10, height: 10)
      return try render("a.jpg", .jpeg, PictureRendering(crop: outside))
    }
    #expect(
      failure?.message == "The crop is outside of the picture, which has 96 × 64 pixels.")
  }

  /// The shorter side is rounded; no picture is enlarged.
  @Test(arguments: [(100, "100x67"), (300, "300x200"), (600, "300x200"), (1, "1x1")])
  func limitsTheLongerSide(limit: Int, size: String) async throws {
    try await folder.makeSoftPicture("a.png", size: "300x200")
    try await Tool.heifEncoder.run(["-q", "95", folder.path("a.png"), "-o", folder.path("a.heic")])
    let result = try render("a.heic", .heic, PictureRendering(maxPixels: limit))
    let found = try #require(result.pixelSize)
    #expect("\(found.width)x\(found.height)" == size)
    let expected = try await folder.pixels("a.png", ["-resize", size + "!"])
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 34)
  }

  @Test(arguments: ["PNG32:a.png", "PNG64:a.png"])
  func keepsTransparencyInPNG(format: String) async throws {
    try await folder.makeSoftPicture("b.png", ["-alpha", "set", "-channel", "A", "-fx", "i/w"])
    let depth = format.hasPrefix("PNG64") ? "16" : "8"
    try await Tool.imageMagick.run([
      folder.path("b.png"), "-depth", depth, format.prefix(6) + folder.path("a.png"),
    ])
    try render("a.png", .png, to: "result.png", PictureRendering(format: .png))
    for name in ["a.png", "result.png"] {
      try await folder.convert(name, ["-depth", depth], to: name + ".rgba")
    }
    #expect(try folder.bytes("a.png.rgba") == folder.bytes("result.png.rgba"))
    // In a JPEG it is composited over white.
    try render("a.png", .png)
    let (expected, found) = try await (folder.pixels("a.png"), folder.pixels("result.jpg"))
    #expect(peakSignalToNoise(expected, found) > 38)
  }

  @Test func convertsCMYKToRGB() async throws {
    try await folder.makeSoftPicture("a.jpg", ["-colorspace", "CMYK", "-quality", "95"])
    let result = try render("a.jpg", .jpeg)
    #expect(result.notes.count == 1)
    let expected = try await folder.pixels("a.jpg", ["-colorspace", "sRGB"])
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.jpg")) > 36)
  }

  /// A ramp in hybrid log-gamma: clipping would make its upper part white; it remains a ramp.
  @Test func compressesHighDynamicRange() async throws {
    try await Tool.imageMagick.run([
      "-size", "64x256", "gradient:white-black", "-rotate", "90", "-depth", "16",
      folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-q", "95", "-b", "10", "--colour_primaries=9", "--transfer_characteristic=18",
      "--matrix_coefficients=9", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    try render("a.heic", .heic, PictureRendering(quality: 100, chroma: .yuv444))
    let row = Array(try await folder.pixels("result.jpg").prefix(256 * 3))
    let green = stride(from: 0, to: row.count, by: 3).map { Int(row[$0 + 1]) }
    let ramp = green[0] < green[255] ? green : green.reversed()
    // The formulas of ITU-R BT.2100, of the splines in docs/presets.md and IEC 61966-2-1 for 50, 75, 80, 90 and
    // 100 % of the signal, computed independently; clipping would make the last four 255.
    for (column, level) in [(128, 137), (191, 225), (204, 230), (230, 246), (255, 255)] {
      #expect(abs(ramp[column] - level) <= 3)
    }
    #expect(ramp[230] < ramp[255])
  }

  /// If any byte is changed, the result is a picture or one sentence.
  @Test(arguments: [("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.tiff", .tiff)])
  func survivesDamage(name: String, type: UniformType) async throws {
    try await folder.makeSoftPicture(name, size: "24x16")
    let whole = try folder.bytes(name)
    for index in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
      var changed = whole
      changed[index] ^= 0xFF
      try folder.write(changed, to: "b")
      do {
        try render("b", type)
      } catch {
        #expect((error as? ProbeFailure)?.message.hasSuffix(".") == true)
      }
    }
  }
}
