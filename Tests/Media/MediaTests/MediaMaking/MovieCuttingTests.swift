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

/// Parts of movies in containers without an index, and messages for truncated movies.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieCuttingTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// A key frame every two seconds, in a stream without an index.
  private func makeStream(_ name: String) async throws {
    let isProgram = name.hasSuffix("mpg")
    try await clips.makeBars(
      name, size: "160x120", rate: "25", seconds: "12",
      ["-c:v", isProgram ? "mpeg2video" : "libx264"]
        + (isProgram ? ["-b:v", "1M", "-c:a", "mp2"] : ["-preset", "ultrafast", "-c:a", "aac"])
        + ["-bf", "2", "-g", "50", "-sc_threshold", isProgram ? "1000000000" : "0"])
  }

  private func start(_ name: String, _ stream: String) async throws -> Double {
    try #require(try await clips.times(name, stream).first)
  }

  /// The mean SSIM of a clip and of the same part as ffmpeg decodes it from the source's beginning.
  private func similarity(_ name: String, to source: String, from start: String) async throws
    -> Double
  {
    let log = clips.folder.path("ssim.txt")
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(source), "-i", clips.folder.path(name),
      "-filter_complex",
      "[0:v]setpts=N/25/TB,trim=start=\(start),setpts=N[a];[1:v]setpts=N[b];"
        + "[a][b]ssim=shortest=1:f=\(log)", "-f", "null", "-",
    ])
    let values = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix("All:") }.flatMap {
          Double($0.dropFirst(4))
        }
      }
    try #require(!values.isEmpty)
    return values.reduce(0, +) / Double(values.count)
  }

  /// 25 frames a second, a key frame at each even second.
  @Test(arguments: [(3.0, 5.0, "2"), (10.6, 11.6, "10"), (6.5, 7, "6")])
  func aCopyBeginsAtTheKeyFrameBefore(from: Double, to: Double, keyFrame: String) async throws {
    try await makeStream("a.m2ts")
    let result = try clips.mustRender(
      "a.m2ts", to: "b.mp4", .mp4(.copy, .copy, trim: TimeSpan(start: from, end: to)))
    let earlier = from - (Double(keyFrame) ?? 0)
    #expect(result.notes.first?.contains("earlier") == true)
    let length = try #require(Double(try await clips.probe("b.mp4")["duration"] ?? ""))
    #expect(abs(length - (to - from + earlier)) < 0.2)
    #expect(try await similarity("b.mp4", to: "a.m2ts", from: keyFrame) > 0.99)
    try await clips.mustDecode("b.mp4")
  }

  @Test(arguments: ["a.m2ts", "a.ts", "a.mpg"], [(3.0, 5.0), (10.6, 11.6)])
  func encodedPartsBeginWhereAsked(name: String, part: (Double, Double)) async throws {
    try await makeStream(name)
    let result = try clips.mustRender(
      name, to: "b.mp4",
      .mp4(.h264(160, 120), .aac, trim: TimeSpan(start: part.0, end: part.1)))
    #expect(result.notes.isEmpty)
    #expect(try await start("b.mp4", "v:0") < 0.09)
    #expect(try await start("b.mp4", "a:0") < 0.09)
    let frames = try await clips.times("b.mp4").count
    #expect(abs(frames - Int((part.1 - part.0) * 25 + 0.5)) <= 2)
    try await clips.mustDecode("b.mp4")
  }

  /// Frames a second can be few, as in recordings of a screen: the one that is seen where the part begins is an earlier
  /// one. Each frame has a brightness of its own.
  @Test(arguments: [(6.0, 9.0, [0.0]), (6.0, 13.0, [0.0, 4.0]), (10.0, 14.0, [0.0])])
  func aPartBeginsWithTheFrameThatIsSeen(
    from: Double, to: Double, times: [Double]
  ) async throws {
    try await clips.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "color=s=64x48:r=1/5:d=20,geq=lum='50*(1+N)':cb=128:cr=128", "-c:v",
        "libx264", "-pix_fmt", "yuv420p",
      ])
    try clips.mustRender(
      "a.mp4", to: "b.mp4", .mp4(.h264(64, 48), trim: TimeSpan(start: from, end: to)))
    #expect(try await clips.times("b.mp4") == times)
    let length = try #require(try await clips.probe("b.mp4")["duration"].flatMap { Double($0) })
    #expect(abs(length - (to - from)) < 0.01, "\(length)")
    let seen = "select='eq(n,\(Int(from / 5)))',"
    let (found, expected) = try await (
      clips.meanLuma("b.mp4", filters: "select='eq(n,0)',"),
      clips.meanLuma("a.mp4", filters: seen)
    )
    #expect(abs(found - expected) < 2, "\(found), not \(expected)")
  }

  /// The times of an AVI are numbers of frames, and the cut is between two of them.
  @Test(arguments: ["a.avi", "a.mov"])
  func aPartMayBeginBetweenFrames(name: String) async throws {
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v",
        "mjpeg", "-c:a", "pcm_s16le",
      ])
    for (start, second) in [(1.02, 0.08), (1.05, 0.05), (1.08, 0.02)] {
      try clips.mustRender(
        name, to: "b.mp4", .mp4(.h264(64, 48), .aac, trim: TimeSpan(start: start, end: 3)))
      let times = try await clips.times("b.mp4")
      try #require(times.count > 2)
      #expect(times[0] == 0)
      #expect(abs(times[1] - second) < 0.001, "\(times)")
      #expect(abs(times[2] - second - 0.1) < 0.001, "\(times)")
    }
  }

  /// A unit of an AVI's time is a frame. As many frames as in a MOV begin before the end, and the last one lasts until
  /// then.
  @Test(arguments: [(0.51, 1.27), (0.04, 0.5), (0, 1.28), (0.5, 1.3), (0.03, 1.999)])
  func `a part of an AVI ends where it was asked to`(start: Double, end: Double) async throws {
    let source = [
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=3", "-f", "lavfi", "-i", "sine=d=3", "-c:v",
      "mjpeg", "-c:a", "pcm_s16le",
    ]
    for name in ["a.avi", "a.mov"] {
      try await clips.make(name, source)
      try clips.mustRender(
        name, to: name + ".mp4",
        .mp4(.h264(64, 48), .aac, trim: TimeSpan(start: start, end: end)))
    }
    let times = try await clips.times("a.avi.mp4")
    let expected = try await clips.times("a.mov.mp4")
    try #require(times.count == expected.count, "\(times)")
    for (time, expected) in zip(times, expected) { #expect(abs(time - expected) < 0.001) }
    let length = try #require(Double(try await clips.probe("a.avi.mp4", "v:0")["duration"] ?? ""))
    #expect(abs(length - (end - start)) < 0.002, "\(length)")
  }

  /// Each frame of Motion JPEG is a key frame, so that a copy of the part from 0 has the frames that begin before its end.
  @Test(arguments: [(1.26, 38), (1.28, 39), (1.3, 39), (1.31, 40)])
  func `a copied part of an AVI has its last frame`(end: Double, count: Int) async throws {
    try await clips.make(
      "a.avi", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=3", "-c:v", "mjpeg"])
    try clips.mustRender("a.avi", to: "b.mp4", .mp4(.copy, trim: TimeSpan(start: 0, end: end)))
    #expect(try await clips.times("b.mp4").count == count)
  }

  /// A recording that begins between two key frames is not damaged.
  @Test func recordingsMayBeginAnywhere() async throws {
    try await makeStream("a.ts")
    let bytes = try clips.folder.bytes("a.ts")
    try clips.folder.write(Array(bytes.dropFirst(bytes.count / 12 / 188 * 188)), to: "b.ts")
    let result = try clips.mustRender("b.ts", to: "c.mp4", .mp4(.h264(160, 120), .aac))
    #expect(result.notes.isEmpty)
  }

  /// Flash Video has no index here, and its video begins two seconds after its audio, in the middle of the part.
  @Test func aPartMayBeginBeforeTheVideo() async throws {
    try await clips.make(
      "a.flv",
      [
        "-f", "lavfi", "-i", "sine=f=440:r=44100:d=8", "-itsoffset", "2", "-f", "lavfi", "-i",
        "testsrc2=s=160x120:r=25:d=6", "-map", "1", "-map", "0", "-c:v", "flv", "-g", "200",
        "-c:a", "libmp3lame",
      ])
    let works = try clips.describe("a.flv").tracks.map { track in
      track.kind == .video ? TrackRendering.Work.h264(160, 120) : .aac
    }
    var rendering = MovieRendering.mp4(works[0], works[1])
    rendering.trim = TimeSpan(start: 1, end: 3)
    try clips.mustRender("a.flv", to: "b.mp4", rendering)
    let audio = try await clips.probe("b.mp4", "a:0")["duration"].flatMap { Double($0) }
    #expect(abs(try #require(audio) - 2) < 0.06)
    let first = try #require(try await clips.times("b.mp4").first)
    #expect(abs(first - 1) < 0.05)
  }

  /// Makes a file of three recordings of 6 seconds with the same times, the later the brighter.
  private func makeJoined(_ name: String) async throws {
    let isProgram = name.hasSuffix("mpg")
    var bytes: [UInt8] = []
    for color in ["0x202020", "0x808080", "0xE0E0E0"] {
      try await clips.make(
        "part-" + name,
        [
          "-f", "lavfi", "-i", "color=\(color):s=160x120:r=25:d=6", "-f", "lavfi", "-i",
          "sine=f=440:r=48000:d=6", "-c:v", isProgram ? "mpeg2video" : "libx264", "-g", "25",
          "-pix_fmt", "yuv420p", "-c:a", isProgram ? "mp2" : "aac",
        ])
      bytes += try clips.folder.bytes("part-" + name)
    }
    try clips.folder.write(bytes, to: name)
  }

  /// libavformat's duration of such a file is that of one recording, and a seek leads to any of them.
  @Test(arguments: ["a.ts", "a.mpg"])
  func partsOfJoinedRecordingsAreFound(name: String) async throws {
    try await makeJoined(name)
    #expect(try clips.describe(name).duration == nil)
    for (work, result) in [(TrackRendering.Work.h264(160, 120), "b.mp4"), (.copy, "c.mov")] {
      let rendering = MovieRendering(
        container: result == "b.mp4" ? .mp4 : .quickTime,
        tracks: [
          // A program stream may record when some frames are shown only.
          TrackRendering(
            index: 0, work: work, substitute: work == .copy ? .h264(160, 120) : nil),
          TrackRendering(index: 1, work: .aac),
        ], trim: TimeSpan(start: 8, end: 16), threads: 1)
      try clips.mustRender(name, to: result, rendering)
      for stream in ["v:0", "a:0"] {
        let length = try #require(Double(try await clips.probe(result, stream)["duration"] ?? ""))
        // A copy begins up to a key frame earlier.
        #expect(length > 7.8 && length < (work == .copy ? 9.2 : 8.2), "\(stream): \(length)")
      }
      let first = try await clips.meanLuma(result)
      #expect(abs(first - 126) < 6, "\(first)")
      let later = try await clips.meanLuma(result, filters: "select='gte(t,5.5)',")
      #expect(abs(later - 208) < 6, "\(later)")
    }
    let late = MovieRendering.mp4(
      .h264(160, 120), .aac, trim: TimeSpan(start: 20, end: 25))
    #expect(throws: (any Error).self) { try clips.mustRender(name, to: "d.mp4", late) }
  }

  @Test(arguments: ["a.m2ts", "a.ts", "a.mpg"])
  func aRecordingInOnePieceHasADuration(name: String) async throws {
    try await makeStream(name)
    let duration = try #require(try clips.describe(name).duration)
    #expect(abs(duration - 12) < 0.2)
  }

  /// Two seconds of the first audio track, and six of the second.
  private func makeTwoLanguages(_ name: String) async throws {
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=6", "-f", "lavfi", "-i", "sine=d=2", "-f",
        "lavfi", "-i", "sine=d=6", "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac",
        "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra", "-disposition:a:0",
        "default", "-disposition:a:1", "0",
      ])
  }

  /// The track that remains keeps its language, and players play it.
  @Test(arguments: ["a.mkv", "a.mov"], [true, false])
  func `a part may be without one of its audio tracks`(name: String, isCopied: Bool) async throws {
    try await makeTwoLanguages(name)
    let sound = TrackRendering.Work.aac
    try clips.mustRender(
      name, to: "b.mp4",
      MovieRendering(
        container: .mp4,
        tracks: [
          TrackRendering(index: 0, work: isCopied ? .copy : .h264(64, 48)),
          TrackRendering(index: 1, work: isCopied ? .copy : sound),
          TrackRendering(index: 2, work: isCopied ? .copy : sound),
        ], trim: TimeSpan(start: 3, end: 5)))
    let track = try await clips.probe("b.mp4", "a:0")
    #expect(track["TAG:language"] == "fra")
    #expect(track["DISPOSITION:default"] == "1")
    #expect(try await clips.probe("b.mp4", "a:1").isEmpty)
  }

  @Test(arguments: [TrackRendering.Work.copy, .aac])
  func `a part without audio is not an audio file`(work: TrackRendering.Work) async throws {
    try await makeTwoLanguages("a.mov")
    let rendering = MovieRendering(
      container: .m4a, tracks: [TrackRendering(index: 1, work: work)],
      trim: TimeSpan(start: 3, end: 5))
    guard case .failed(let failure) = try clips.render("a.mov", to: "b.m4a", rendering) else {
      throw ToolFailure(description: "an empty file was made")
    }
    #expect(failure.message == "The video has no audio in the selected part.")
  }
}
