import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Pictures with subsampled chroma that are small or have an odd side. ImageMagick is the second reader.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .ffmpeg)))
struct SmallPictureTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// A picture that is red on top and blue at the bottom, with an edge near the end.
  private func makePicture(_ size: String, _ options: [String] = []) async throws {
    try await Tool.imageMagick.run(
      [
        "-size", size, "gradient:rgb(200,40,60)-rgb(60,90,200)", "-fill", "rgb(60,160,60)",
        "-draw", "rectangle 0,0 0,200", "-depth", "8",
      ] + options + [folder.path("a.webp")])
  }

  /// How similar the PNG of a picture is to the picture.
  private func similarity() async throws -> Double {
    try folder.mustRender("a.webp", .picture(.webP, PictureRendering(format: .png)), to: "a.png")
    let (found, expected) = try await (folder.pixels("a.png"), folder.pixels("a.webp"))
    return peakSignalToNoise(found, expected)
  }

  @Test(arguments: [
    "1x1", "1x2", "2x1", "1x37", "41x1", "3x3", "7x5", "8x8", "16x8", "8x16", "15x17", "300x4",
    "3x255", "64x6", "33x64",
  ])
  func colorsStayInTheirPlaces(size: String) async throws {
    for options in [[], ["-alpha", "set", "-channel", "A", "-evaluate", "set", "70%"]] {
      try await makePicture(size, ["-quality", "95"] + options)
      let found = try await similarity()
      #expect(found > 30, "\(size), \(options.isEmpty ? "opaque" : "transparent"): \(found)")
    }
  }

  /// With transparency, libavcodec returns other planes, and the lower chroma of an odd picture moved up by a pixel.
  @Test func edgesOfTransparentPicturesAreInTheirPlaces() async throws {
    try await Tool.imageMagick.run([
      "-size", "97x71", "xc:rgb(150,120,60)", "-fill", "rgb(40,50,180)", "-draw",
      "rectangle 60,58 97,71", "-alpha", "set", "-channel", "A", "-evaluate", "set", "90%",
      "-quality", "95", folder.path("a.webp"),
    ])
    let found = try await similarity()
    #expect(found > 38, "\(found)")
  }
}
