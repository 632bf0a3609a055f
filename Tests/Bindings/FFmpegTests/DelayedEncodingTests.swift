import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct DelayedEncodingTests {
  /// libx264's lookahead is 40 frames by default (`rc-lookahead`): of a clip of 24 frames it has encoded none
  /// when the last one is read, and must not be taken for hung while it does.
  @Test func reportsProgressAtTheEnd() async throws {
    let folder = try ScratchFolder()
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=24:d=1", "-c:v", "mjpeg",
      folder.path("a.mov"),
    ])
    let bytes = try folder.bytes("a.mov")
    try folder.write([], to: "result.mp4")
    let target = try #require(FileHandle(forWritingAtPath: folder.path("result.mp4")))
    let source = try MovieFile(.quickTime, size: UInt64(bytes.count), readsPackets: true) {
      Array(bytes.dropFirst(Int($0)).prefix($1))
    }
    let encoding = VideoEncoding(codec: .h264, size: PixelSize(width: 160, height: 120))
    let maker = try MovieMaker(
      source,
      MovieRendering(
        container: .mp4, tracks: [TrackRendering(index: 0, work: .encodeVideo(encoding))],
        threads: 1),
      descriptor: target.fileDescriptor, creationTime: nil, keepsChapters: false, displays: [:],
      toneTable: { _, _ in nil })
    var calls = 0
    _ = try maker.make { _ in calls += 1 }
    // Each frame is read once and written once.
    #expect(calls == 48)
  }
}
