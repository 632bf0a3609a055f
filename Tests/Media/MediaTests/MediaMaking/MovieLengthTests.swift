import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Movies that contain less than their headers declare: three seconds of 30 frames each.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieLengthTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private let codecs = [
    "avi": ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], "wmv": ["-c:v", "wmv2", "-c:a", "wmav2"],
    "mkv": ["-c:v", "mpeg4", "-c:a", "aac"], "flv": ["-c:v", "flv", "-c:a", "aac"],
  ]

  private func makeClip(_ kind: String) async throws {
    try await clips.makeBars("a." + kind, seconds: "3", codecs[kind] ?? [])
  }

  @Test(arguments: ["avi", "wmv", "mkv", "flv"])
  func truncatedMoviesFail(kind: String) async throws {
    try await makeClip(kind)
    let bytes = try clips.folder.bytes("a." + kind)
    // Flash Video begins with its audio.
    let rendering =
      kind == "flv"
      ? MovieRendering.mp4(.aac, .h264(320, 240)) : MovieRendering.mp4(.h264(320, 240), .aac)
    let whole = try clips.mustRender("a." + kind, to: "a", rendering)
    #expect(whole.notes.isEmpty)
    try clips.folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), to: "b." + kind)
    let reply = try clips.render("b." + kind, to: "b", rendering)
    guard case .failed(let failure) = reply else {
      throw ToolFailure(description: "\(kind): \(reply)")
    }
    #expect(failure.message.hasPrefix("The video is truncated"), "\(failure.message)")
    #expect(failure.message.hasSuffix("of 3.0 s."), "\(failure.message)")
  }

  /// The last track lasts six times as long as the others, and is not exported.
  @Test(arguments: ["avi", "wmv", "mkv", "ts"], [nil, TimeSpan(start: 0, end: 8)])
  func `a longer track may be left out`(kind: String, trim: TimeSpan?) async throws {
    let codecs = codecs[kind] ?? ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    try await clips.make(
      "a." + kind,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=3", "-f", "lavfi", "-i", "sine=d=3", "-f",
        "lavfi", "-i", "sine=d=18", "-map", "0", "-map", "1", "-map", "2",
      ] + codecs)
    for work in [TrackRendering.Work.h264(64, 48), .copy] where work != .copy || kind == "ts" {
      let result = try clips.mustRender(
        "a." + kind, to: "b.mp4", .mp4(work, .aac, trim: trim))
      #expect(result.notes.isEmpty)
      #expect(abs(try await clips.times("b.mp4").count - 90) <= 2)
    }
  }

  @Test func `longer subtitles may be left out`() async throws {
    let text =
      "1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:20,000 --> 00:00:25,000\nBye\n\n"
    try clips.folder.write(Array(text.utf8), to: "text.srt")
    try await clips.make(
      "a.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=3", "-f", "lavfi", "-i", "sine=d=3", "-i",
        clips.folder.path("text.srt"), "-c:v", "mpeg4", "-c:a", "aac", "-c:s", "subrip",
      ])
    try clips.mustRender("a.mkv", to: "b.mp4", .mp4(.copy, .copy))
    #expect(try await clips.times("b.mp4").count == 90)
  }

  /// The selected part is complete; only the rest of the movie is missing.
  @Test(arguments: ["avi", "wmv"])
  func aPartBeforeTheTruncationIsComplete(kind: String) async throws {
    try await makeClip(kind)
    let bytes = try clips.folder.bytes("a." + kind)
    try clips.folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), to: "b." + kind)
    let part = MovieRendering.mp4(.h264(320, 240), .aac, trim: TimeSpan(start: 0, end: 1))
    try clips.mustRender("b." + kind, to: "b", part)
    // Windows Media's video begins 43 ms after its audio.
    #expect(abs(try await clips.times("b").count - 30) <= 2)
  }

  /// AVI's frames have no times: those after a gap are shown earlier.
  @Test(arguments: [(1, "1 of 90 frames of the source are missing."), (9, nil)])
  func gapsAreReported(count: Int, note: String?) async throws {
    try await makeClip("avi")
    var bytes = try clips.folder.bytes("a.avi")
    var position = bytes.count / 3
    for _ in 0..<count {
      let chunk = try #require(bytes[position...].firstRange(of: Array("00dc".utf8)))
      bytes.replaceSubrange(chunk, with: Array("JUNK".utf8))
      position = chunk.upperBound
    }
    try clips.folder.write(bytes, to: "b.avi")
    switch try clips.render("b.avi", to: "b", .mp4(.h264(320, 240), .aac)) {
    case .done(let result): #expect(result.notes == [note].compactMap(\.self))
    case .failed(let failure):
      #expect(note == nil)
      #expect(failure.message.contains("9 of 90 frames"), "\(failure.message)")
    default: throw ToolFailure(description: "neither done nor failed")
    }
  }
}
