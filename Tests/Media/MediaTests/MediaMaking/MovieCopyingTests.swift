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

/// Tracks that are copied to another container.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct MovieCopyingTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "15"]

  /// The decoded frames of a stream as one digest.
  private func digest(_ name: String, _ stream: String) async throws -> String {
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(name), "-map", "0:\(stream)", "-f", "md5", "-",
    ])
  }

  @Test(arguments: ["a.mov", "a.mkv", "a.ts", "a.flv"])
  func copiesHaveTheSameFrames(name: String) async throws {
    try await clips.makeBars(name, h264 + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-ar", "48000"])
    let result = try clips.mustRender(name, to: "b.mp4", .mp4(.copy, .copy))
    #expect(result.pixelSize == PixelSize(width: 320, height: 240))
    #expect(result.notes.isEmpty)
    try await clips.mustDecode("b.mp4")
    #expect(try await digest("b.mp4", "v:0") == digest(name, "v:0"))
    let picture = try await clips.probe("b.mp4")
    #expect(picture["codec_tag_string"] == "avc1")
    #expect(abs(try #require(Double(picture["duration"] ?? "")) - 1) < 0.034)
    let source = try await clips.times(name)
    let times = try await clips.times("b.mp4")
    #expect(times.count == source.count)
    #expect(zip(times, source).allSatisfy { abs(($0 - times[0]) - ($1 - source[0])) < 0.002 })
  }

  @Test func theHeaderComesFirst() async throws {
    try await clips.makeBars("a.mov", h264 + ["-c:a", "aac"])
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.copy, .copy))
    let bytes = try clips.folder.bytes("b.mp4")
    let header = try #require(bytes.firstRange(of: Array("moov".utf8)))
    let samples = try #require(bytes.firstRange(of: Array("mdat".utf8)))
    #expect(header.lowerBound < samples.lowerBound)
  }

  private func exif(_ name: String, _ options: [String] = []) async throws -> String {
    try await Tool.exiftool.run(
      ["-a", "-G1", "-s", "-n", "-api", "QuickTimeUTC"] + options + [
        "-Keys:all", "-UserData:all", "-ItemList:all", "-QuickTime:CreateDate", "-XMP:all",
        clips.folder.path(name),
      ])
  }

  private func makeTagged(_ name: String) async throws {
    try await clips.makeBars(
      name, h264 + ["-c:a", "aac", "-metadata", "creation_time=2023-05-06T07:08:09Z"])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-Keys:CreationDate=2023:05:06 09:08:09+02:00",
      "-Keys:GPSCoordinates=47.36, 8.54, 408", "-Keys:Make=Acme", "-Keys:Model=Phone 3",
      "-Keys:ContentIdentifier=ABC-123", "-Keys:Title=Lake", "-Keys:Software=1.2",
      "-UserData:GPSCoordinates=47.36, 8.54, 408", "-XMP-dc:Subject=boat",
      clips.folder.path(name),
    ])
  }

  @Test(arguments: [MovieRendering.Container.mp4, .quickTime])
  func metadataIsTheSources(container: MovieRendering.Container) async throws {
    try await makeTagged("a.mov")
    let source = try await exif("a.mov")
    #expect(source.contains("CreationDate"))
    for (name, video) in [("copy", TrackRendering.Work.copy), ("new", .h264(160, 120))] {
      var rendering = MovieRendering.mp4(video, .copy)
      rendering.container = container
      try clips.mustRender("a.mov", to: name, rendering)
      #expect(try await exif(name) == source)
    }
  }

  @Test func locationsAreLeftOutOnRequest() async throws {
    try await makeTagged("a.mov")
    try clips.mustRender(
      "a.mov", to: "b.mp4", .mp4(.copy, .copy), metadata: .withoutLocation)
    let left = try await exif("b.mp4")
    #expect(!left.contains("GPS"))
    #expect(left.contains("2023:05:06 09:08:09+02:00"))
    #expect(left.contains("Phone 3"))
    let bytes = try clips.folder.bytes("b.mp4")
    #expect(bytes.firstRange(of: Array("47.36".utf8)) == nil)
    try clips.mustRender("a.mov", to: "c.mp4", .mp4(.copy, .copy), metadata: .appearanceOnly)
    let bare = try await exif("c.mp4")
    #expect(!bare.contains("2023"))
    #expect(!bare.contains("Acme"))
  }

  /// Matroska has its own tags; they become QuickTime's keys.
  @Test func otherContainersMetadataIsTranslated() async throws {
    try await clips.makeBars(
      "a.mkv",
      h264 + [
        "-c:a", "aac", "-metadata", "creation_time=2023-05-06T07:08:09Z", "-metadata",
        "title=Lake",
      ])
    try clips.mustRender("a.mkv", to: "b.mp4", .mp4(.copy, .copy))
    let printed = try await exif("b.mp4")
    #expect(printed.contains("Lake"))
    #expect(printed.contains("2023:05:06 07:08:09"))
  }

  @Test func rotationIsCarried() async throws {
    try await clips.makeBars("b.mov", h264 + ["-c:a", "aac"])
    try await clips.folder.turn("b.mov", by: 90)
    let result = try clips.mustRender("b.mov", to: "c.mp4", .mp4(.copy, .copy))
    #expect(result.pixelSize == PixelSize(width: 240, height: 320))
    let before = try await clips.probe("b.mov")["rotation"]
    #expect(before != nil)
    #expect(try await clips.probe("c.mp4")["rotation"] == before)
  }

  /// There is a key frame every half second: 15 frames at 30 a second.
  @Test func aCopyIsCutAtAKeyFrameAndSaysSo() async throws {
    try await clips.makeBars(
      "a.mp4", seconds: "4", h264 + ["-sc_threshold", "0", "-c:a", "aac"])
    let result = try clips.mustRender(
      "a.mp4", to: "b.mp4", .mp4(.copy, .copy, trim: TimeSpan(start: 1.3, end: 3)))
    let note = try #require(result.notes.first)
    #expect(note.contains("0.30 s earlier"))
    try await clips.mustDecode("b.mp4")
    let length = try #require(Double(try await clips.probe("b.mp4")["duration"] ?? ""))
    #expect(abs(length - 2) < 0.12)
    let sound = try #require(Double(try await clips.probe("b.mp4", "a:0")["duration"] ?? ""))
    #expect(abs(sound - 2) < 0.05)
  }

  /// For FFmpeg, FLAC in MP4 is an experiment; players read it.
  @Test func losslessSoundIsCopied() async throws {
    try await clips.makeBars("a.mkv", h264 + ["-c:a", "flac"])
    try clips.mustRender("a.mkv", to: "b.mp4", .mp4(.copy, .copy))
    #expect(try await clips.probe("b.mp4", "a:0")["codec_name"] == "flac")
    try await clips.mustDecode("b.mp4")
  }

  /// Frames that are shown after the end may come before it in the stream, if others need them.
  @Test(arguments: ["a.mp4", "a.mkv"], [0.3, 0.55, 0.9])
  func aCopyEndsWhenAsked(name: String, end: Double) async throws {
    try await clips.makeBars(
      name, seconds: "2",
      ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-pix_fmt", "yuv420p", "-c:a", "aac"])
    let result = try clips.mustRender(
      name, to: "b.mp4", .mp4(.copy, .copy, trim: TimeSpan(start: 0, end: end)))
    #expect(result.notes.isEmpty)
    for stream in ["v:0", "a:0"] {
      let length = try #require(Double(try await clips.probe("b.mp4", stream)["duration"] ?? ""))
      #expect(abs(length - end) < 0.001, "\(stream)")
    }
    // FFmpeg 7 writes into Matroska that the audio begins before 0; the part is counted from there.
    let start = try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0",
      clips.folder.path(name),
    ])
    let origin = min(0, try #require(Double(start)))
    let source = try await clips.times(name).map { $0 - origin }.filter { $0 < end - 0.0001 }
    let times = try await clips.times("b.mp4")
    #expect(times.count == source.count)
    #expect(zip(times, source).allSatisfy { abs($0 - $1) < 0.002 })
    func frames(_ name: String) async throws -> String {
      try await Tool.ffmpeg.run([
        "-v", "error", "-i", clips.folder.path(name), "-map", "0:v:0", "-fps_mode", "passthrough",
        "-frames:v", String(source.count), "-f", "md5", "-",
      ])
    }
    #expect(try await frames("b.mp4") == frames(name))
    // And hardly any more.
    let stored = try #require(Int(try await clips.probe("b.mp4")["nb_frames"] ?? ""))
    #expect((source.count...source.count + 2).contains(stored))
  }

  @Test func aClipInsideAPictureIsReadAlone() async throws {
    try await clips.makeBars("a.mp4", h264 + ["-c:a", "aac"])
    try await clips.folder.makePicture("a.jpg")
    let picture = try clips.folder.bytes("a.jpg")
    let clip = try clips.folder.bytes("a.mp4")
    try clips.folder.write(picture + clip + [1, 2, 3], to: "motion.jpg")
    let range = ByteRange(offset: UInt64(picture.count), length: UInt64(clip.count))
    try clips.mustRender("motion.jpg", to: "b.mp4", .mp4(.copy, .copy), range: range)
    #expect(try await digest("b.mp4", "v:0") == digest("a.mp4", "v:0"))
  }

  @Test func truncatedEmptyAndOtherFilesFail() async throws {
    try await clips.makeBars(
      "a.mp4", seconds: "4", h264 + ["-c:a", "aac", "-movflags", "+faststart"])
    let bytes = try clips.folder.bytes("a.mp4")
    try clips.folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mp4")
    try clips.folder.write([], to: "empty.mp4")
    try clips.folder.write(Array(repeating: 7, count: 5000), to: "junk.mp4")
    let expected = [
      "cut.mp4": "it ends at", "empty.mp4": "is empty", "junk.mp4": "not a known video format",
    ]
    for (name, words) in expected {
      for video in [TrackRendering.Work.copy, .h264(320, 240)] {
        guard case .failed(let failure) = try clips.render(name, to: "b", .mp4(video, .copy))
        else { throw ToolFailure(description: "\(name) was rendered") }
        #expect(failure.message.contains(words), "\(failure.message)")
      }
    }
  }
}
