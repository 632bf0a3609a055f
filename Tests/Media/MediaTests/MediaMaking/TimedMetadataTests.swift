import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import MediaFormats
@testable import MediaMaking

/// GoPro's positions in movies whose tracks are copied, re-encoded or cut. The expected values come from exiftool, which reads
/// the positions, and from ffprobe, which reads when they are presented.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct TimedMetadataTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// Six seconds with a key frame every two seconds, and a position every 0.9 s, from 10° on.
  private func makeClip(
    _ name: String = "a.mp4", _ change: (inout TimedMetadataTrack) -> Void = { _ in }
  ) async throws {
    try await clips.makeBars(
      name, size: "160x120", rate: "25", seconds: "6",
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "50", "-sc_threshold", "0",
        "-pix_fmt", "yuv420p", "-c:a", "aac",
      ])
    var track = TimedMetadataTrack(
      samples: (10..<17).map { TimedMetadataTrack.position(latitude: $0) }, duration: 900)
    change(&track)
    try clips.folder.add(track, to: name)
  }

  private func rendering(
    _ video: TrackRendering.Work = .copy, _ container: MovieRendering.Container = .mp4,
    trim: TimeSpan? = nil
  ) -> MovieRendering {
    var rendering = MovieRendering.mp4(video, .copy, trim: trim)
    rendering.container = container
    rendering.keepsTimedMetadata = true
    return rendering
  }

  private struct Position: Hashable {
    var latitude: Int
    /// Milliseconds.
    var time: Int
    var duration: Int

    init(_ latitude: Int, _ time: Int, _ duration: Int) {
      (self.latitude, self.time, self.duration) = (latitude, time, duration)
    }
  }

  /// What exiftool finds in the samples. It does not read edit lists.
  private func positions(_ name: String) async throws -> [Position] {
    let text = try await Tool.exiftool.run([
      "-ee", "-n", "-p", "$GPSLatitude $SampleTime $SampleDuration", clips.folder.path(name),
    ])
    return text.split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 3 else { return nil }
      let times = numbers.map { Int(($0 * 1000).rounded()) }
      return Position(times[0] / 1000, times[1], times[2])
    }
  }

  /// When ffprobe presents the samples of timed metadata, in milliseconds.
  private func times(_ name: String) async throws -> [Int] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "d", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      clips.folder.path(name),
    ])
    return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
      .map { Int(($0 * 1000).rounded()) }
  }

  /// A copied track begins at the key frame at 2 s, and so does the result. The samples of 1.8 s and 3.6 s are cut.
  @Test func copiedPartsHaveTheirPositions() async throws {
    try await makeClip()
    #expect(
      try await positions("a.mp4") == (0..<7).map { Position(10 + $0, $0 * 900, 900) })
    let result = try clips.mustRender(
      "a.mp4", to: "b.mp4", rendering(trim: TimeSpan(start: 2.5, end: 4.4)))
    #expect(result.notes.count == 1)
    #expect(result.notes.first?.contains("earlier") == true)
    let expected = [Position(12, 0, 700), Position(13, 700, 900), Position(14, 1600, 800)]
    #expect(try await positions("b.mp4") == expected)
    #expect(try await times("b.mp4") == [0, 700, 1600])
    let stream = try await clips.probe("b.mp4", "d")
    #expect(stream["codec_tag_string"] == "gpmd")
    #expect(stream["TAG:handler_name"]?.hasSuffix("GoPro MET") == true)
    let length = Double(try await clips.probe("b.mp4")["duration"] ?? "") ?? 0
    #expect(abs(length - 2.4) < 0.05)
    try await clips.mustDecode("b.mp4")
    let warnings = try await Tool.exiftool.run([
      "-ee", "-a", "-Warning", "-Error", clips.folder.path("b.mp4"),
    ])
    #expect(warnings.isEmpty)
  }

  @Test func encodedPartsHaveTheirPositions() async throws {
    try await makeClip()
    let trim = TimeSpan(start: 2.5, end: 4.4)
    let result = try clips.mustRender(
      "a.mp4", to: "b.mp4", rendering(.h264(160, 120), trim: trim))
    #expect(result.notes.isEmpty)
    let found = try await positions("b.mp4")
    #expect(found.map(\.latitude) == [12, 13, 14])
    #expect(found.map(\.time) == [0, 200, 1100])
    #expect(try await times("b.mp4") == [0, 200, 1100])
  }

  @Test(arguments: [MovieRendering.Container.mp4, .quickTime])
  func wholeMoviesHaveAllPositions(container: MovieRendering.Container) async throws {
    try await makeClip()
    let result = try clips.mustRender("a.mp4", to: "b", rendering(.copy, container))
    #expect(result.notes.isEmpty)
    let found = try await positions("b")
    #expect(found.map(\.latitude) == Array(10..<17))
    #expect(found.map(\.time) == (0..<7).map { $0 * 900 })
    #expect(try await times("b") == (0..<7).map { $0 * 900 })
    try await clips.mustDecode("b")
  }

  /// QuickTime's forms of the headers become those of MP4.
  @Test func headersHaveTheFormOfTheContainer() async throws {
    try await makeClip("a.mov")
    try clips.mustRender("a.mov", to: "b.mp4", rendering())
    let tags = try await Tool.exiftool.run([
      "-ee", "-a", "-s3", "-HandlerDescription", "-MediaLanguageCode", clips.folder.path("b.mp4"),
    ])
    #expect(tags.split(separator: "\n").contains("GoPro MET"))
    #expect(try await positions("b.mp4").count == 7)
    let bytes = try clips.folder.bytes("b.mp4")
    #expect(bytes.firstRange(of: Array("nmhd".utf8)) != nil)
    #expect(bytes.firstRange(of: Array("gmhd".utf8)) == nil)
    try clips.mustRender("b.mp4", to: "c.mov", rendering(.copy, .quickTime))
    #expect(try clips.folder.bytes("c.mov").firstRange(of: Array("gmhd".utf8)) != nil)
    let stream = try await clips.probe("c.mov", "d")
    #expect(stream["TAG:handler_name"] == "GoPro MET")
    #expect(try await positions("c.mov").count == 7)
  }

  /// A track that begins later, by an edit list.
  @Test func delaysStay() async throws {
    try await makeClip { $0.delay = 1500 }
    #expect(try await times("a.mp4") == (0..<7).map { 1500 + $0 * 900 })
    try clips.mustRender("a.mp4", to: "b.mp4", rendering(trim: TimeSpan(start: 0, end: 3)))
    #expect(try await times("b.mp4") == [1500, 2400])
    #expect(try await positions("b.mp4").map(\.latitude) == [10, 11])
    // From the key frame at 2 s on, the first sample has 0.4 s left.
    try clips.mustRender("a.mp4", to: "c.mp4", rendering(trim: TimeSpan(start: 2, end: 4)))
    #expect(try await times("c.mp4") == [0, 400, 1300])
  }

  /// The IDs of tracks are those of the result.
  @Test func referencesStay() async throws {
    try await makeClip()
    var reversed = rendering()
    reversed.tracks.reverse()
    try clips.mustRender("a.mp4", to: "b.mp4", reversed)
    #expect(try await clips.probe("b.mp4", "1")["codec_type"] == "video")
    let bytes = try clips.folder.bytes("b.mp4")
    let reference = Array("tref".utf8) + bigEndian(12) + Array("cdsc".utf8) + bigEndian(2)
    #expect(bytes.firstRange(of: reference) != nil)
    // A track that is not in the result.
    try await makeClip { $0.reference = 7 }
    try clips.mustRender("a.mp4", to: "b.mp4", rendering())
    #expect(try clips.folder.bytes("b.mp4").firstRange(of: Array("cdsc".utf8)) == nil)
    #expect(try await positions("b.mp4").count == 7)
  }

  @Test func policiesDecide() async throws {
    try await makeClip()
    let trim = TimeSpan(start: 2.5, end: 4.4)
    for policy in [MetadataPolicy.withoutLocation, .appearanceOnly] {
      try clips.mustRender("a.mp4", to: "b.mp4", rendering(trim: trim), metadata: policy)
      #expect(try await clips.probe("b.mp4", "d").isEmpty)
      #expect(try clips.folder.bytes("b.mp4").firstRange(of: Array("GPS5".utf8)) == nil)
    }
    try clips.mustRender("a.mp4", to: "b.mp4", rendering(trim: trim), metadata: .withoutCaptions)
    #expect(try await positions("b.mp4").count == 3)
    var without = rendering(trim: trim)
    without.keepsTimedMetadata = false
    try clips.mustRender("a.mp4", to: "b.mp4", without)
    #expect(try await clips.probe("b.mp4", "d").isEmpty)
  }

  /// Tracks of other forms are left out, which the plan names.
  @Test func thePlanKnowsTheTrack() async throws {
    try await makeClip()
    #expect(try clips.describe("a.mp4").tracks.map(\.kind) == [.video, .audio, .timedMetadata])
    let others: [(inout TimedMetadataTrack) -> Void] = [
      { $0.entry = "fdsc" }, { $0.entries = 2 }, { $0.isInFile = false }, { $0.samples = [] },
    ]
    for change in others {
      try await makeClip("b.mp4", change)
      let kinds = try clips.describe("b.mp4").tracks.map(\.kind)
      #expect(!kinds.contains(.timedMetadata))
      try clips.mustRender("b.mp4", to: "c.mp4", rendering())
      #expect(try await clips.probe("c.mp4", "d").isEmpty)
    }
  }
}
