import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Videos whose pixels are not square.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct PixelAspectTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// ffprobe's display aspect ratio of these is 16:9, as of HDV and PAL DVDs.
  @Test(arguments: [
    ("a.mp4", "144x108", "4/3", 192, 108), ("a.mpg", "720x576", "64/45", 1024, 576),
    ("a.mov", "720x480", "8/9", 720, 540),
  ])
  func videosAreOfSquarePixels(
    name: String, size: String, aspect: String, width: Int, height: Int
  ) async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.2", "-vf",
      "setsar=\(aspect)", folder.path(name),
    ])
    guard case .media(let facts, _) = probe(BytePath(folder.path(name))) else {
      throw ToolFailure(description: "\(name): \(probe(BytePath(folder.path(name))))")
    }
    #expect(facts.pixelSize == PixelSize(width: width, height: height))
  }
}
