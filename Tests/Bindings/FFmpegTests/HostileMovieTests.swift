import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

/// Movies of ffmpeg with sizes and times that no camera writes.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct HostileMovieTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// One bit for each of 256 million pixels, which are 32 MB: the limit counts pixels.
  @Test func framesAboveTheLimitAreNotDecoded() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "color=white:s=16000x16000", "-frames:v", "1",
      "-pix_fmt", "monob", "-c:v", "png", folder.path("a.mov"),
    ])
    #expect(!PixelSize(width: 16_000, height: 16_000).isDecodable)
    #expect(throws: MovieMakingError.self) {
      try render(
        .quickTime, folder.bytes("a.mov"),
        .encodeVideo(
          VideoEncoding(
            codec: .h264, speed: "ultrafast", size: PixelSize(width: 64, height: 64))), trim: nil)
    }
  }

  /// Renders a movie's video.
  private func render(
    _ demuxer: Demuxer, _ bytes: [UInt8], _ work: TrackRendering.Work, trim: TimeSpan?
  ) throws {
    try folder.write([], to: "result.mp4")
    let target = try #require(FileHandle(forWritingAtPath: folder.path("result.mp4")))
    let source = try MovieFile(demuxer, size: UInt64(bytes.count), readsPackets: true) {
      Array(bytes.dropFirst(Int($0)).prefix($1))
    }
    let rendering = MovieRendering(
      container: .mp4, tracks: [TrackRendering(index: 0, work: work)], trim: trim, threads: 1)
    let maker = try MovieMaker(
      source, rendering, descriptor: target.fileDescriptor, creationTime: nil,
      keepsChapters: false, displays: [:], toneTable: { _, _ in nil })
    _ = try maker.make { _ in }
  }
}
