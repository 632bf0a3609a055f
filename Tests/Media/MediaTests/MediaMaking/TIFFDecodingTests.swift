import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// TIFFs in tiles, in CMYK and in YCbCr; ImageMagick makes them and gives the expected pixels.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)))
struct TIFFDecodingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Converts a TIFF to a PNG, which loses nothing.
  @discardableResult
  private func render(_ name: String) throws -> RenderResult {
    try folder.mustRender(name, .picture(.tiff, PictureRendering(format: .png)), to: "result.png")
  }

  private func obstacle(_ name: String) throws -> String? {
    let item = ExamineItem(path: BytePath(folder.path(name)), uniformType: .tiff)
    guard case .picture(let found) = examine(item) else {
      throw ToolFailure(description: "\(name) cannot be examined")
    }
    return found.obstacle
  }

  /// Makes a picture of 97 × 65 pixels in tiles of 32 × 48, of which the outer ones extend beyond the picture.
  private func makeTiles(_ name: String, _ options: [String]) async throws {
    try await folder.makeSoftPicture(
      name, size: "97x65", options + ["-define", "tiff:tile-geometry=32x48"])
    let sizes = try await Tool.exiftool.run([
      "-s3", "-TileWidth", "-TileLength",
      folder.path(String(name.split(separator: ":").last ?? "")),
    ])
    try #require(sizes.split(separator: "\n") == ["32", "48"])
  }

  @Test(
    arguments: [
      ["-compress", "none"], ["-compress", "LZW"], ["-compress", "Zip"], ["-compress", "RLE"],
      ["-define", "tiff:endian=msb"], ["-depth", "16"], ["-colorspace", "Gray"],
      ["-type", "Palette"],
      ["-colorspace", "Gray", "-depth", "16"], ["-colorspace", "YCbCr"],
      ["-monochrome", "-compress", "Group4"], ["-alpha", "set"],
    ])
  func tilesMakeThePicture(options: [String]) async throws {
    try await makeTiles("a.tiff", options)
    #expect(try obstacle("a.tiff") == nil)
    #expect(try render("a.tiff").pixelSize == PixelSize(width: 97, height: 65))
    let (expected, found) = try await (folder.pixels("a.tiff"), folder.pixels("result.png"))
    #expect(peakSignalToNoise(expected, found) > 40)
  }

  @Test func aMissingTileIsNoted() async throws {
    try await makeTiles("a.tiff", ["-compress", "Zip"])
    var bytes = try folder.bytes("a.tiff")
    // The entry of `TileOffsets`: tag 324, type LONG, eight values, and their offset.
    let entry = try #require(bytes.firstRange(of: [0x44, 1, 4, 0, 8, 0, 0, 0])).lowerBound
    let list = (0..<4).reduce(0) { $0 | Int(bytes[entry + 8 + $1]) << ($1 * 8) }
    bytes.replaceSubrange((list + 12)..<(list + 16), with: [0xFF, 0xFF, 0xFF, 0x7F])
    try folder.write(bytes, to: "b.tiff")
    let notes = try render("b.tiff").notes
    #expect(notes.count == 1 && notes[0].hasPrefix("The TIFF is damaged: "))
    // The fourth tile, of one column.
    try await folder.convert(
      "a.tiff", ["-fill", "black", "-draw", "rectangle 96,0 97,47"], to: "c.png")
    let (expected, found) = try await (folder.pixels("c.png"), folder.pixels("result.png"))
    #expect(expected == found)
  }

  @Test func damageOfAllPixelsIsAFailure() async throws {
    try await folder.makeSoftPicture("a.tiff", ["-compress", "Zip"])
    var bytes = try folder.bytes("a.tiff")
    for index in 8..<200 { bytes[index] = 0xFF }
    try folder.write(bytes, to: "b.tiff")
    let failure = #expect(throws: ProbeFailure.self) { try render("b.tiff") }
    #expect(failure?.reason == .damaged)
    #expect(failure?.message.hasPrefix("The TIFF is damaged: ") == true)
  }

  /// If any byte of the structure is changed, the result is a picture or one sentence.
  @Test func tilesSurviveDamage() async throws {
    try await makeTiles("a.tiff", ["-compress", "Zip"])
    let whole = try folder.bytes("a.tiff")
    for index in stride(from: 0, to: whole.count, by: 1)
    where index < 8 || index > whole.count - 500 {
      var changed = whole
      changed[index] ^= 0xFF
      try folder.write(changed, to: "b")
      do {
        try render("b")
      } catch {
        #expect((error as? ProbeFailure)?.message.hasSuffix(".") == true)
      }
    }
  }

  /// The same formula as for 8 bits, which ImageMagick uses too if there is no profile.
  @Test(
    arguments: ["8", "16"],
    [[], ["-define", "tiff:endian=msb"], ["-define", "tiff:tile-geometry=32x32"]])
  func cmykOfAnyDepthIsConverted(depth: String, options: [String]) async throws {
    try await folder.makeSoftPicture(
      "a.tiff", options + ["-colorspace", "CMYK", "-depth", depth])
    let result = try render("a.tiff")
    #expect(result.notes == [DecodedPicture.cmykNote])
    let expected = try await folder.pixels("a.tiff", ["-colorspace", "sRGB"])
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.png")) > 40)
  }

  /// YCbCr in TIFF is in full range (TIFF 6.0 §21) unless `ReferenceBlackWhite` specifies otherwise; ffmpeg
  /// writes it for 16–235.
  @Test func theBlackLevelIsApplied() async throws {
    try await folder.makeSoftPicture("a.png", size: "96x64", ["-level", "20%"])
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("a.png"), "-pix_fmt", "yuv444p", folder.path("a.tiff"),
    ])
    try render("a.tiff")
    let (expected, found) = try await (folder.pixels("a.png"), folder.pixels("result.png"))
    #expect(peakSignalToNoise(expected, found) > 38)
  }

  @Test(arguments: [
    (339, 5, "complex"), (259, 34_712, "by JPEG 2000"), (262, 32_803, "sensor"),
  ])
  func whatNoDecoderKnowsIsRefused(tag: Int, value: Int, words: String) throws {
    var made = MadeTIFF(width: 2, height: 2, bits: [16], pixels: [UInt8](repeating: 7, count: 8))
    made.set(tag, [value])
    try folder.write(made.bytes, to: "a.tiff")
    let sentence = try #require(try obstacle("a.tiff"))
    #expect(sentence.contains(words))
    let failure = #expect(throws: ProbeFailure.self) { try render("a.tiff") }
    #expect(failure?.reason == .unsupported)
    #expect(failure?.message == sentence)
  }
}
