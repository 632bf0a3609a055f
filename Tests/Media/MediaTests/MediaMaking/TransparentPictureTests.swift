import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Transparency in the worker; ImageMagick and heif-enc make the sources, and ImageMagick decodes the
/// results.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder)))
struct TransparentPictureTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The pixels of the PNG made from a picture: red, green, blue and alpha.
  private func pixels(
    _ name: String, _ type: UniformType, maxPixels: Int? = nil
  ) async throws -> [[Int]] {
    let rendering = PictureRendering(format: .png, maxPixels: maxPixels)
    try folder.mustRender(name, .picture(type, rendering), to: "result.png")
    try await folder.convert("result.png", ["-depth", "8"], to: "result.rgba")
    let bytes = try folder.bytes("result.rgba").map(Int.init)
    return stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) }
  }

  private func isNear(_ found: [Int], _ wanted: [Int]) -> Bool {
    zip(found, wanted).allSatisfy { abs($0 - $1) <= 3 }
  }

  /// The same half-transparent red, stored with straight and with premultiplied alpha.
  @Test(arguments: [("#ff000080", []), ("#80000080", ["--premultiplied-alpha"])], ["-L", "-A"])
  func premultipliedColoursAreRestored(
    source: (color: String, options: [String]), codec: String
  ) async throws {
    try await Tool.imageMagick.run([
      "-size", "64x64", "xc:" + source.color, "PNG32:" + folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run(
      source.options + [codec, "-q", "95", folder.path("a.png"), "-o", folder.path("a.heic")])
    let found = try await pixels("a.heic", codec == "-A" ? .avif : .heic)
    #expect(isNear(found[64 * 32 + 32], [255, 0, 0, 128]), "\(found[64 * 32 + 32])")
  }

  /// Half of the signal of hybrid log-gamma is 137 in sRGB; see `compressesHighDynamicRange`.
  @Test func highDynamicRangeStaysTransparent() async throws {
    try await Tool.imageMagick.run([
      "-size", "64x64", "xc:#80808040", "-depth", "16", "PNG64:" + folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-q", "95", "-b", "10", "--colour_primaries=9", "--transfer_characteristic=18",
      "--matrix_coefficients=9", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    let found = try await pixels("a.heic", .heic)
    #expect(isNear(found[64 * 32 + 32], [137, 137, 137, 64]), "\(found[64 * 32 + 32])")
  }

  /// The black of fully transparent pixels does not darken the white next to it.
  @Test func scalingDoesNotDarkenEdges() async throws {
    try await Tool.imageMagick.run([
      "-size", "63x63", "xc:#00000000", "-fill", "white", "-draw", "circle 31,31 31,8",
      "PNG32:" + folder.path("a.png"),
    ])
    let found = try await pixels("a.png", .png, maxPixels: 20)
    #expect(found.count == 400)
    #expect(found.contains { (16..<240).contains($0[3]) })
    for pixel in found where pixel[3] >= 16 {
      #expect(pixel[..<3].allSatisfy { $0 >= 250 }, "\(pixel)")
    }
  }
}
