import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// HEIF and AVIF pictures that are cropped and turned, some with transparency that has no transformations of its own, as
/// libavif wrote it before version 1.0. The expected pixels are ImageMagick's.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .imageMagick, .heifEncoder)))
struct HeifTransformTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Makes `a.avif`, with the pixels of `a.png` or nearly those.
  private func makePicture(_ options: [String], depth: Int) async throws {
    try await folder.makeSoftPicture(
      "a.png", size: "96x64",
      [
        "-channel", "A", "-alpha", "set", "-sparse-color", "bilinear",
        "0,0 gray(100%) 95,0 gray(60%) 0,63 gray(20%)", "-depth", "\(depth > 8 ? 16 : 8)",
      ] + options)
    try await Tool.heifEncoder.run(
      ["-A", "-q", "95", "-p", "chroma=444"] + (depth == 8 ? [] : ["-b", "\(depth)"])
        + [folder.path("a.png"), "-o", folder.path("a.avif")])
  }

  /// Changes a property of the primary picture, which stays the same size.
  private func replaceProperty(_ type: String, by made: String, _ content: [UInt8]) throws {
    var bytes = try folder.bytes("a.avif")
    let place = try #require(
      bytes.indices.dropLast(3).first { bytes[$0..<($0 + 4)].elementsEqual(type.utf8) })
    bytes.replaceSubrange(place..<(place + 4), with: made.utf8)
    bytes.replaceSubrange((place + 4)..<(place + 4 + content.count), with: content)
    try folder.write(bytes, to: "a.avif")
  }

  private func similarity(_ options: [String]) async throws -> Double {
    try folder.mustRender("a.avif", .picture(.avif, PictureRendering(format: .png)), to: "b.png")
    let (found, expected) = try await (folder.pixels("b.png"), folder.pixels("a.png", options))
    return peakSignalToNoise(found, expected)
  }

  @Test(arguments: [8, 10])
  func transparencyTurnsWithThePicture(depth: Int) async throws {
    try await makePicture([], depth: depth)
    try replaceProperty("pixi", by: "irot", [1])
    let found = try await similarity(["-rotate", "-90", "+repage"])
    #expect(found > 32, "\(found)")
  }

  /// The offset of a part with an even width in a picture with an odd one has half pixels.
  @Test(arguments: [8, 10])
  func transparencyIsCroppedWithThePicture(depth: Int) async throws {
    let columns = [
      [0.4360747, 0.2225045, 0.0139322], [0.3850649, 0.7168786, 0.0971045],
      [0.1430804, 0.0606169, 0.7141733],
    ]
    try folder.write(MadeProfile.matrix(columns, .sRGB).bytes, to: "a.icc")
    try await makePicture(
      ["-crop", "95x63+0+0", "+repage", "-profile", folder.path("a.icc")], depth: depth)
    let numbers = [60, 1, 40, 1, -15, 2, -7, 2]
    try replaceProperty("colr", by: "clap", numbers.flatMap { bigEndian($0 & 0xFFFF_FFFF) })
    let found = try await similarity(["-crop", "60x40+10+8", "+repage"])
    #expect(found > 32, "\(found)")
  }

  /// heif-enc crops what HEVC cannot store, the picture and its transparency each by a property of its own.
  @Test(arguments: ["8", "10"])
  func transparencyMayHaveItsOwnCrop(depth: String) async throws {
    try await folder.makeSoftPicture(
      "a.png", size: "97x61",
      ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%", "-depth", "16"])
    try await Tool.heifEncoder.run([
      "-q", "95", "-b", depth, "-p", "chroma=444", folder.path("a.png"), "-o",
      folder.path("a.heic"),
    ])
    try folder.mustRender("a.heic", .picture(.heic, PictureRendering(format: .png)), to: "b.png")
    let (found, expected) = try await (folder.pixels("b.png"), folder.pixels("a.png"))
    #expect(peakSignalToNoise(found, expected) > 32)
  }

  /// heif-enc crops what HEVC cannot store, and turns as the EXIF of a JPEG requires. libheif before version 1.20 moves the
  /// chroma of such pictures.
  @Test(arguments: 2...8)
  func chromaIsCroppedAndTurnedWithThePicture(orientation: Int) async throws {
    try await folder.makeSoftPicture(
      "a.jpg", size: "120x75", ["-quality", "98", "-sampling-factor", "2x2"])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-EXIF:Orientation#=\(orientation)", folder.path("a.jpg"),
    ])
    try await Tool.heifEncoder.run([
      "-q", "95", folder.path("a.jpg"), "-o", folder.path("a.heic"),
    ])
    try folder.mustRender("a.heic", .picture(.heic, PictureRendering(format: .png)), to: "b.png")
    let (found, expected) = try await (folder.pixels("b.png"), folder.pixels("a.jpg"))
    #expect(peakSignalToNoise(found, expected) > 34)
  }
}
