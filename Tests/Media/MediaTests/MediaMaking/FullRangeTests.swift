import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Still pictures without a tag for their range: black is 0 and white 255, unlike in video.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick)))
struct FullRangeTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test(
    arguments: [
      ("a.tiff", UniformType.tiff, ["-colorspace", "YCbCr"]),
      ("a.tiff", .tiff, ["-colorspace", "Gray", "-alpha", "set"]),
      ("a.tiff", .tiff, ["-colorspace", "Gray", "-alpha", "set", "-depth", "16"]),
      ("a.jp2", .jpeg2000, ["-colorspace", "Gray", "-alpha", "set"]),
      ("a.jp2", .jpeg2000, []), ("a.webp", .webP, ["-quality", "100"]),
    ])
  func keepBlackAndWhite(name: String, type: UniformType, options: [String]) async throws {
    try await Tool.imageMagick.run(
      [10, 64, 128, 240].flatMap { ["(", "-size", "64x64", "xc:rgb(\($0),\($0),\($0))", ")"] }
        + ["+append"] + options + [folder.path(name)])
    #expect(try await levels(name, type) == [10, 64, 128, 240])
  }

  @Test func keepBlackAndWhiteInsYCC() async throws {
    try await Tool.imageMagick.run(
      [10, 64, 128, 240].flatMap { ["(", "-size", "64x64", "xc:rgb(\($0),\($0),\($0))", ")"] }
        + ["+append", folder.path("a.png")])
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("a.png"), "-pix_fmt", "yuvj444p", "-c:v", "jpeg2000",
      folder.path("a.jp2"),
    ])
    #expect(try await levels("a.jp2", .jpeg2000) == [10, 64, 128, 240])
  }

  /// `colr` of some pictures by Sony's cameras records limited range; the parameters of the coded picture are right.
  @Test(.enabled(if: Tool.areInstalled(.heifEncoder)), arguments: ["SHIF", "none"])
  func keepBlackAndWhiteOfSonysCameras(brand: String) async throws {
    try await Tool.imageMagick.run(
      [10, 64, 128, 240].flatMap { ["(", "-size", "64x64", "xc:rgb(\($0),\($0),\($0))", ")"] }
        + ["+append", "-depth", "16", "PNG48:" + folder.path("a.png")])
    try await Tool.heifEncoder.run([
      "-q", "95", "-b", "10", "-p", "chroma=422", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    var bytes = try folder.bytes("a.heic")
    let range = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound + 6
    #expect(bytes[range] == 0x80)
    bytes[range] = 0
    let other = try #require(bytes.firstRange(of: Array("miaf".utf8)))
    bytes.replaceSubrange(other, with: Array(brand.utf8))
    try folder.write(bytes, to: "b.heic")
    let found = try await levels("b.heic", .heic)
    #expect((found == [10, 64, 128, 240]) == (brand == "SHIF"), "\(found)")
  }

  /// The green of four patches in a row in the JPEG of a picture, rounded to the intended values.
  private func levels(_ name: String, _ type: UniformType) async throws -> [Int] {
    try folder.mustRender(name, .picture(type, PictureRendering(quality: 100)), to: "result.jpg")
    let pixels = try await folder.pixels("result.jpg")
    return [32, 96, 160, 224].map { column in
      let found = Int(pixels[(32 * 256 + column) * 3 + 1])
      return [10, 64, 128, 240].first { abs($0 - found) <= 3 } ?? found
    }
  }
}
