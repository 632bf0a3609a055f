import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// TIFFs that libavcodec decodes wrongly or not at all; ImageMagick, which uses libtiff, makes them and gives the
/// expected pixels.
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

  @Test func aMissingTileIsDamage() async throws {
    try await makeTiles("a.tiff", ["-compress", "Zip"])
    var bytes = try folder.bytes("a.tiff")
    // The entry of `TileByteCounts`: tag 325, type SHORT, eight values, and their offset.
    let entry = try #require(bytes.firstRange(of: [0x45, 1, 3, 0, 8, 0, 0, 0])).lowerBound
    let list = (0..<4).reduce(0) { $0 | Int(bytes[entry + 8 + $1]) << ($1 * 8) }
    bytes.replaceSubrange((list + 6)..<(list + 8), with: [0, 0])
    try folder.write(bytes, to: "b.tiff")
    let failure = #expect(throws: ProbeFailure.self) { try render("b.tiff") }
    #expect(failure?.reason == .damaged)
    #expect(failure?.message == "The file lacks the tile at 3, 0.")
  }

  @Test func separatePlanesInTilesAreRefused() async throws {
    try await makeTiles("a.tiff", ["-compress", "none"])
    var bytes = try folder.bytes("a.tiff")
    // The entry of `PlanarConfiguration`: tag 284, type SHORT, one value.
    let entry = try #require(bytes.firstRange(of: [0x1C, 1, 3, 0, 1, 0, 0, 0])).lowerBound
    bytes[entry + 8] = 2
    try folder.write(bytes, to: "b.tiff")
    let sentence = "TIFFs with separate tiles for each channel cannot be decoded here."
    #expect(try obstacle("b.tiff") == sentence)
    let failure = #expect(throws: ProbeFailure.self) { try render("b.tiff") }
    #expect(failure?.message == sentence)
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

  @Test(arguments: [[], ["-define", "tiff:tile-geometry=32x32"]])
  func jpegInsideIsRefused(options: [String]) async throws {
    try await folder.makeSoftPicture("a.tiff", options + ["-compress", "JPEG"])
    let sentence = "TIFFs compressed as JPEG cannot be decoded here."
    #expect(try obstacle("a.tiff") == sentence)
    let failure = #expect(throws: ProbeFailure.self) { try render("a.tiff") }
    #expect(failure?.message == sentence)
  }

  @Test(
    arguments: [
      (
        ["-define", "quantum:format=floating-point", "-depth", "32"],
        "Float; Float; Float\n32 32 32", "floating-point samples"
      ),
      (["-define", "quantum:format=signed"], "Signed; Signed; Signed\n8 8 8", "signed samples"),
      (["-depth", "32"], "32 32 32", "32 bits a sample"),
    ])
  func otherSampleFormatsAreRefused(options: [String], format: String, kind: String) async throws {
    // For floating-point samples ImageMagick reports an error after it has written them.
    _ = try? await folder.makeSoftPicture("a.tiff", ["-compress", "none"] + options)
    let found = try await Tool.exiftool.run([
      "-s3", "-SampleFormat", "-BitsPerSample", folder.path("a.tiff"),
    ])
    try #require(found == format)
    let sentence = "TIFFs with \(kind) cannot be decoded here."
    #expect(try obstacle("a.tiff") == sentence)
    let failure = #expect(throws: ProbeFailure.self) { try render("a.tiff") }
    #expect(failure?.reason == .unsupported)
    #expect(failure?.message == sentence)
  }
}
