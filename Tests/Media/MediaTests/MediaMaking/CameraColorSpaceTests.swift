import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

/// Cameras mark pictures in Adobe RGB by EXIF's interoperability index, without a profile.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .imageMagick)))
struct CameraColorSpaceTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The formula of Adobe RGB (1998) §4.3: the exponent 563/256, and its columns under D50.
  @Test func adobeRGBBecomesSRGB() async throws {
    let stored = [200.0, 120, 60]
    try await makePicture("R03", color: stored)
    try folder.mustRender(
      "a.jpg", .picture(.jpeg, PictureRendering(quality: 100, chroma: .yuv444)), to: "b.jpg")
    let light = stored.map { pow($0 / 255, 563.0 / 256) }
    let expected = sRGB(
      xyz: (0..<3).map { row in
        (0..<3).reduce(0) { $0 + MadeProfile.adobeRGB[$1][row] * light[$1] }
      })
    let found = try await folder.pixels("b.jpg").prefix(3).map(Double.init)
    #expect(colorDifference(found, expected) <= 2, "\(found), not \(expected)")
    #expect(try await tags("b.jpg") == ["1", "R98"])
  }

  /// A picture in sRGB, and one with a profile, keep their colours.
  @Test func otherPicturesAreUnchanged() async throws {
    try await makePicture("R98", color: [200, 120, 60])
    let rendering = PictureRendering(quality: 100, chroma: .yuv444)
    try folder.mustRender("a.jpg", .picture(.jpeg, rendering), to: "b.jpg")
    #expect(try await peakSignalToNoise(folder.pixels("a.jpg"), folder.pixels("b.jpg")) > 45)
    try folder.write(MadeProfile.matrix(MadeProfile.adobeRGB, .gamma(2.2)).bytes, to: "a.icc")
    try await makePicture("R03", color: [200, 120, 60], ["-profile", folder.path("a.icc")])
    try folder.mustRender("a.jpg", .picture(.jpeg, rendering), to: "b.jpg")
    #expect(try await peakSignalToNoise(folder.pixels("a.jpg"), folder.pixels("b.jpg")) > 45)
    #expect(try await tags("b.jpg") == ["65535", "R03"])
  }

  /// A copy without metadata keeps the mark, which is all that defines its colours, and nothing else.
  @Test func strippedCopiesKeepTheMark() async throws {
    try await makePicture("R03", color: [200, 120, 60])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-Make=Acme", "-EXIF:Orientation#=6", folder.path("a.jpg"),
    ])
    try folder.mustRender("a.jpg", .copy(.jpeg), to: "b.jpg", metadata: .appearanceOnly)
    #expect(try await tags("b.jpg") == ["65535", "R03"])
    let all = try await Tool.exiftool.run(["-s3", "-n", "-EXIF:all", folder.path("b.jpg")])
    #expect(all.split(separator: "\n") == ["6", "65535", "R03"])
  }

  private func makePicture(_ index: String, color: [Double], _ options: [String] = []) async throws
  {
    let name = "rgb(" + color.map { "\(Int($0))" }.joined(separator: ",") + ")"
    try await Tool.imageMagick.run(
      ["-size", "32x32", "xc:" + name] + options
        + ["-quality", "100", "-sampling-factor", "1x1", folder.path("a.jpg")])
    let space = index == "R03" ? "65535" : "1"
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-ColorSpace#=" + space, "-InteropIndex#=" + index,
      folder.path("a.jpg"),
    ])
  }

  private func tags(_ name: String) async throws -> [String] {
    try await Tool.exiftool.run(["-s3", "-n", "-ColorSpace", "-InteropIndex", folder.path(name)])
      .split(separator: "\n").map(String.init)
  }
}
