import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// HEIF and AVIF files whose pictures are the frames of a track (ISO/IEC 23008-12 §7).
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick)))
struct ImageSequenceTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Makes an image sequence of ten frames from a movie: other brands, and a picture track.
  private func makeSequence(_ name: String, _ encoder: String, brands: String) async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=10:d=1", "-vf", "hue=h=36*t",
      "-pix_fmt", "yuv420p", "-c:v", encoder, "-crf", "15", "-f", "mp4", folder.path("movie.mp4"),
    ])
    var bytes = try folder.bytes("movie.mp4")
    // The major brand, its version and the first compatible brand of the `ftyp` box.
    bytes.replaceSubrange(
      8..<20, with: brands.utf8.prefix(4) + [0, 0, 0, 0] + brands.utf8.suffix(4))
    let handler = try #require(
      bytes.indices.dropLast(4).first { bytes[$0...].starts(with: "vide".utf8) })
    bytes.replaceSubrange(handler..<handler + 4, with: "pict".utf8)
    try folder.write(bytes, to: name)
  }

  @Test(
    arguments: [
      ("a.heics", UniformType.heics, "libx265", "msf1hevc"),
      ("a.avif", .avif, "libaom-av1", "avisavif"),
    ])
  func theFirstFrameIsExported(
    name: String, type: UniformType, encoder: String, brands: String
  ) async throws {
    try await makeSequence(name, encoder, brands: brands)
    guard
      case .picture(let found) = examine(
        ExamineItem(path: BytePath(folder.path(name)), uniformType: type))
    else {
      Issue.record("\(name) is not a picture")
      return
    }
    #expect(found.uprightSize == PixelSize(width: 128, height: 96))
    #expect(found.isSequenceFrame && found.hasMorePictures && found.obstacle == nil)

    let result = try folder.mustRender(
      name, .picture(type, PictureRendering(format: .jpeg, quality: 95)), to: "out.jpg")
    #expect(result.notes.contains { $0.contains("first frame of an image sequence") })
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("movie.mp4"), "-fps_mode", "passthrough",
      folder.path("frame%d.png"),
    ])
    // The bars' edges lose colour in 4:2:0, so even the right frame differs.
    let made = try await folder.pixels("out.jpg")
    #expect(peakSignalToNoise(made, try await folder.pixels("frame1.png")) > 22)
    #expect(peakSignalToNoise(made, try await folder.pixels("frame10.png")) < 17)
  }
}
