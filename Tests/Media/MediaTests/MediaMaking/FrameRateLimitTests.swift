import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Presets that limit the frame rate: the result is as long as the source, and has as many frames as
/// `ffmpeg -vf fps=…` gives, but at least one.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct FrameRateLimitTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private func make(_ name: String, frames: Int, rate: Int, _ options: [String] = []) async throws {
    try await clips.make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=\(rate)", "-frames:v", "\(frames)"] + options + [
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
      ])
  }

  @Test(arguments: [
    (1, 30), (2, 30), (5, 30), (1, 60), (2, 60), (3, 60), (5, 60), (50, 25), (61, 24), (90, 30),
  ])
  func noFrameIsLost(frames: Int, rate: Int) async throws {
    for name in ["a.mp4", "a.mkv"] {
      try await make(name, frames: frames, rate: rate)
      try await clips.make("reference.mp4", ["-i", clips.folder.path(name), "-vf", "fps=15"])
      let expected = try await clips.times("reference.mp4").count
      try clips.mustRender(name, to: "b.mp4", .mp4(.h264(160, 120, maxFrameRate: 15)))
      let count = try await clips.times("b.mp4").count
      #expect(count == max(1, expected), "\(frames) frames at \(rate) in \(name)")
    }
  }

  @Test func aPartHasTheRequestedLength() async throws {
    try await make("a.mp4", frames: 100, rate: 25)
    for (start, end) in [(0.0, 2.0), (1, 2), (0.52, 3.2), (3, 9)] {
      try clips.mustRender(
        "a.mp4", to: "b.mp4",
        .mp4(.h264(160, 120, maxFrameRate: 15), trim: TimeSpan(start: start, end: end)))
      let expected = (min(end, 4) - start) * 15
      #expect(abs(Double(try await clips.times("b.mp4").count) - expected) <= 1)
    }
  }

  @Test func interlacedVideoKeepsItsLastFrame() async throws {
    try await clips.make(
      "a.mpg",
      [
        "-f", "lavfi", "-i", "testsrc2=s=720x576:r=50:d=2", "-vf", "interlace,setfield=tff",
        "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-b:v", "8M",
      ])
    try clips.mustRender("a.mpg", to: "b.mp4", .mp4(.h264(720, 576, maxFrameRate: 15)))
    #expect(try await clips.times("b.mp4").count == 30)
  }

  /// FFmpeg 7 measures 60,000 frames a second for DV, which is more than every limit.
  @Test func videoBelowTheLimitKeepsItsFrames() async throws {
    try await clips.make(
      "a.dv",
      ["-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1"]
        + ["-target", "pal-dv"])
    try clips.mustRender("a.dv", to: "b.mp4", .mp4(.h264(720, 576, maxFrameRate: 30)))
    #expect(try await clips.times("b.mp4").count == 25)
    #expect(try await clips.probe("b.mp4")["avg_frame_rate"] == "25/1")
  }

  /// One second of video with three of audio: nothing is shown in the third second.
  @Test func aPartWithoutFramesFails() async throws {
    try await clips.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
      ])
    let reply = try clips.render(
      "a.mp4", to: "b.mp4", .mp4(.h264(160, 120), .aac, trim: TimeSpan(start: 2, end: 3)))
    guard case .failed(let failure) = reply else {
      throw ToolFailure(description: "a video without a frame was made: \(reply)")
    }
    #expect(failure.message == "The video has no frame in the selected part.")
  }
}
