import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import MediaFormats
@testable import MediaMaking

/// The moment of a Live Photo's still in a clip whose tracks are copied, re-encoded or cut. The expected values come from
/// exiftool, which reads the value, and from ffprobe, which reads the time.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct StillImageTimeTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// Two seconds at 30 frames a second with a key frame every half second.
  private func makeClip(
    _ name: String = "a.mov", moment: Int = 1234, isEarly: Bool = false
  ) async throws {
    try await clips.makeBars(
      name, seconds: "2",
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "15", "-sc_threshold", "0",
        "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "use_metadata_tags", "-metadata",
        "com.apple.quicktime.content.identifier=4D3B-11",
      ])
    try clips.folder.addStillImageTrack(to: name, moment: moment, isEarly: isEarly)
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-Keys:CreationDate=2023:05:06 09:08:09+02:00",
      "-Keys:Make=Apple", "-Keys:Model=iPhone 99",
      "-Keys:GPSCoordinates=47.36, 8.54, 408", clips.folder.path(name),
    ])
  }

  private func rendering(
    _ container: MovieRendering.Container, _ video: TrackRendering.Work, trim: TimeSpan? = nil
  ) -> MovieRendering {
    var rendering = MovieRendering.mp4(video, .copy, trim: trim)
    rendering.container = container
    return rendering
  }

  /// What exiftool finds in the samples of timed metadata.
  private func values(_ name: String) async throws -> String {
    try await Tool.exiftool.run([
      "-ee", "-s", "-StillImageTime", "-LivePhotoStillImageTransformReferenceDimensions",
      "-Keys:ContentIdentifier", "-Keys:CreationDate", "-Keys:Make", "-Keys:Model",
      clips.folder.path(name),
    ])
  }

  /// When ffprobe presents the sample of timed metadata; nil if there is none.
  private func moment(_ name: String) async throws -> Double? {
    let stream = try await clips.probe(name, "d")
    guard stream["codec_tag_string"] == "mebx" else { return nil }
    return stream["start_time"].flatMap { Double($0) }
  }

  @Test(
    arguments: [MovieRendering.Container.quickTime, .mp4, .m4v],
    [TrackRendering.Work.copy, .h264(160, 120)])
  func wholeClipsKeepTheMoment(
    container: MovieRendering.Container, video: TrackRendering.Work
  ) async throws {
    try await makeClip()
    let expected = try await values("a.mov")
    #expect(expected.contains("StillImageTime                  : -1"))
    #expect(expected.contains("1920 1440"))
    #expect(expected.contains("4D3B-11"))
    #expect(expected.contains("09:08:09+02:00"))
    #expect(try await moment("a.mov") == 1.234)
    let result = try clips.mustRender("a.mov", to: "b", rendering(container, video))
    #expect(result.notes.isEmpty)
    #expect(try await values("b") == expected)
    #expect(abs(try #require(try await moment("b")) - 1.234) < 0.001)
    let (before, after) = (try await clips.times("a.mov"), try await clips.times("b"))
    #expect(abs(try #require(after.first) - (try #require(before.first))) < 0.002)
    try await clips.mustDecode("b")
    let warnings = try await Tool.exiftool.run(["-ee", "-a", "-Warning", clips.folder.path("b")])
    #expect(warnings.isEmpty)
  }

  @Test(arguments: [0.3, 1.2])
  func encodedPartsMoveTheMoment(start: Double) async throws {
    try await makeClip()
    let trim = TimeSpan(start: start, end: 1.7)
    let result = try clips.mustRender(
      "a.mov", to: "b.mov", rendering(.quickTime, .h264(160, 120), trim: trim))
    #expect(result.notes.isEmpty)
    #expect(abs(try #require(try await moment("b.mov")) - (1.234 - start)) < 1 / 30)
    #expect(try await values("b.mov") == values("a.mov"))
  }

  /// A copied track begins at the key frame at 1 s, and so does the result.
  @Test func copiedPartsCountFromTheirKeyFrame() async throws {
    try await makeClip()
    try clips.mustRender(
      "a.mov", to: "b.mov", rendering(.quickTime, .copy, trim: TimeSpan(start: 1.2, end: 1.7)))
    #expect(abs(try #require(try await moment("b.mov")) - 0.234) < 1 / 30)
    #expect(try await values("b.mov") == values("a.mov"))
    try await clips.mustDecode("b.mov")
  }

  @Test(arguments: [TimeSpan(start: 0, end: 1.2), TimeSpan(start: 1.6)])
  func aMomentThatIsCutOffIsLeftOut(trim: TimeSpan) async throws {
    try await makeClip()
    for video in [TrackRendering.Work.copy, .h264(160, 120)] {
      let result = try clips.mustRender(
        "a.mov", to: "b.mov", rendering(.quickTime, video, trim: trim))
      #expect(result.notes.contains { $0.contains("the Live Photo's still") })
      #expect(try await moment("b.mov") == nil)
      let left = try await values("b.mov")
      #expect(!left.contains("StillImage"))
      #expect(left.contains("4D3B-11"))
    }
  }

  /// Some programs write a first sample without the value instead of an empty edit; others mark the first frame.
  @Test(arguments: [(1234, true), (0, false)])
  func otherFormsAreRead(moment: Int, isEarly: Bool) async throws {
    try await makeClip(moment: moment, isEarly: isEarly)
    try clips.mustRender("a.mov", to: "b.mov", rendering(.quickTime, .copy))
    let found = try #require(try await self.moment("b.mov"))
    #expect(abs(found - Double(moment) / 1000) < 0.001)
    #expect(try await values("b.mov") == values("a.mov"))
  }

  @Test func policiesDecide() async throws {
    try await makeClip()
    let expected = try await values("a.mov")
    for policy in [MetadataPolicy.withoutLocation, .withoutCaptions] {
      try clips.mustRender("a.mov", to: "b.mov", rendering(.quickTime, .copy), metadata: policy)
      #expect(try await values("b.mov") == expected)
      #expect(abs(try #require(try await moment("b.mov")) - 1.234) < 0.001)
    }
    let result = try clips.mustRender(
      "a.mov", to: "c.mov", rendering(.quickTime, .copy), metadata: .appearanceOnly)
    #expect(result.notes.isEmpty)
    #expect(try await moment("c.mov") == nil)
    #expect(try await values("c.mov").isEmpty)
    let bytes = try clips.folder.bytes("c.mov")
    #expect(bytes.firstRange(of: Array("still-image".utf8)) == nil)
  }

  @Test func thePlanKnowsTheTrack() async throws {
    try await makeClip()
    let kinds = try clips.describe("a.mov").tracks.map(\.kind)
    #expect(kinds == [.video, .audio, .stillImageTime])
    // A value of a type that is not QuickTime's is not read.
    var bytes = try clips.folder.bytes("a.mov")
    let type = Array("dtyp".utf8) + bigEndian(0) + bigEndian(65)
    let range = try #require(bytes.lastRange(of: type))
    bytes.replaceSubrange(range, with: Array("dtyp".utf8) + bigEndian(1) + bigEndian(65))
    try clips.folder.write(bytes, to: "b.mov")
    #expect(try clips.describe("b.mov").tracks.map(\.kind) == [.video, .audio, .other])
  }

  /// Values that are too long for these keys, and places in them, are not copied.
  @Test func hiddenPlacesAreNotCopied() async throws {
    try await makeClip()
    var bytes = try clips.folder.bytes("a.mov")
    let dimensions: [UInt8] = [0x44, 0xF0, 0, 0, 0x44, 0xB4, 0, 0]
    let range = try #require(bytes.lastRange(of: dimensions))
    bytes.replaceSubrange(range, with: Array("lat:47.3".utf8))
    try clips.folder.write(bytes, to: "a.mov")
    try clips.mustRender(
      "a.mov", to: "b.mov", rendering(.quickTime, .copy), metadata: .withoutLocation)
    #expect(try clips.folder.bytes("b.mov").firstRange(of: Array("lat:47.3".utf8)) == nil)
    #expect(try await moment("b.mov") != nil)
  }
}

extension [UInt8] {
  fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? {
    indices.reversed().lazy.map { $0..<Swift.min($0 + part.count, count) }
      .first { Array(self[$0]) == part }
  }
}
