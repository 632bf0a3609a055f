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
@testable import MetadataTransfer

/// A movie's further contents: chapters, subtitles, several audio tracks, and timestamps that jump.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct MovieExtrasTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private let h264 = [
    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac",
  ]

  // MARK: Chapters

  private func makeChapters(_ name: String) async throws {
    let list = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=2000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=2000
      END=5000
      title=Zwölf
      [CHAPTER]
      TIMEBASE=1/1000
      START=5000
      END=6000
      title=Three
      """
    try clips.folder.write(Array(list.utf8), to: "chapters.txt")
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=6", "-i", clips.folder.path("chapters.txt"), "-map", "0", "-map",
        "1", "-map_chapters", "2",
      ] + h264)
  }

  /// Each chapter as ffprobe prints it: `0.0-2.0 One`.
  private func chapters(_ name: String) async throws -> [String] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "chapter=start_time,end_time:chapter_tags=title", "-of",
      "csv=p=0", clips.folder.path(name),
    ])
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: ",")
      let times = fields.prefix(2).map { time in
        String(((Double(time) ?? -1) * 10).rounded() / 10)
      }
      return times.joined(separator: "-") + " " + (fields.last ?? "")
    }
  }

  @Test(arguments: ["a.mkv", "a.mov", "a.mp4"])
  func chaptersAreKept(name: String) async throws {
    try await makeChapters(name)
    let source = try await chapters(name)
    try #require(source == ["0.0-2.0 One", "2.0-5.0 Zwölf", "5.0-6.0 Three"])
    for (result, video) in [("copy.mp4", TrackRendering.Work.copy), ("new.mp4", .h264(80, 60))] {
      try clips.mustRender(name, to: result, .mp4(video, .copy))
      #expect(try await chapters(result) == source)
      let length = try await clips.probe(result)["duration"].flatMap { Double($0) }
      #expect(abs(try #require(length) - 6) < 0.05)
    }
    try clips.mustRender(name, to: "bare.mp4", .mp4(.copy, .copy), metadata: .appearanceOnly)
    #expect(try await chapters("bare.mp4") == [])
  }

  @Test(arguments: ["a.mkv", "a.mp4"])
  func chaptersOfAPartBeginWithIt(name: String) async throws {
    try await makeChapters(name)
    try clips.mustRender(
      name, to: "b.mp4", .mp4(.h264(80, 60), .aac, trim: TimeSpan(start: 3, end: 5.5)))
    #expect(try await chapters("b.mp4") == ["0.0-2.0 Zwölf", "2.0-2.5 Three"])
  }

  @Test func chaptersDoNotCountAsAnOmittedTrack() async throws {
    try await makeChapters("a.mov")
    #expect(try clips.describe("a.mov").tracks.map(\.kind) == [.video, .audio, .chapters])
  }

  // MARK: Subtitles and audio tracks

  private func makeSubtitles(_ name: String, _ codec: String) async throws {
    let text = """
      1
      00:00:00,500 --> 00:00:02,000
      Hello world

      2
      00:00:03,000 --> 00:00:04,500
      Second line
      over two


      """
    try clips.folder.write(Array(text.utf8), to: "text.srt")
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=5", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=5", "-f", "lavfi", "-i", "sine=f=880:r=48000:d=5", "-i",
        clips.folder.path("text.srt"), "-map", "0", "-map", "1", "-map", "2", "-map", "3",
      ] + h264 + [
        "-c:s", codec, "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
        "-metadata:s:s:0", "language=fra", "-disposition:a:0", "0", "-disposition:a:1", "default",
      ])
  }

  /// The subtitles as ffmpeg converts them to SubRip, without formatting.
  private func subtitles(_ name: String) async throws -> String {
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(name), "-map", "0:s:0", "-f", "srt", "-",
    ]).replacing(/<[^>]*>/, with: "").replacing("\r\n", with: "\n")
  }

  @Test(arguments: ["subrip", "ass", "webvtt"])
  func textSubtitlesAreConverted(codec: String) async throws {
    try await makeSubtitles("a.mkv", codec)
    let tracks = try clips.describe("a.mkv").tracks
    try #require(tracks.map(\.kind) == [.video, .audio, .audio, .subtitle])
    try #require(tracks[3].codec == codec)
    for (result, video) in [("copy.mp4", TrackRendering.Work.copy), ("new.mp4", .h264(80, 60))] {
      try clips.mustRender("a.mkv", to: result, .mp4(video, .copy, .copy, .encodeSubtitles))
      #expect(try await subtitles(result) == subtitles("a.mkv"))
      let track = try await clips.probe(result, "s:0")
      #expect(track["codec_name"] == "mov_text")
      #expect(track["TAG:language"] == "fra")
      try await clips.mustDecode(result)
    }
  }

  @Test func subtitlesOfAPartBeginWithIt() async throws {
    try await makeSubtitles("a.mkv", "subrip")
    try clips.mustRender(
      "a.mkv", to: "b.mp4",
      .mp4(.h264(80, 60), .aac, .aac, .encodeSubtitles, trim: TimeSpan(start: 1, end: 4)))
    // Matroska begins with AAC's priming samples, some hundredths of a second before the video.
    let printed = try await subtitles("b.mp4")
    #expect(printed.contains(/00:00:00,000 --> 00:00:01,0\d\d\nHello world/))
    #expect(printed.contains(/00:00:02,0\d\d --> 00:00:03,000\nSecond line\nover two/))
  }

  /// The line appears long before the key frame at which the part begins, in another cluster of the file.
  @Test(arguments: [true, false])
  func `subtitles that are still on the screen are in a part`(isCopied: Bool) async throws {
    let text = "1\n00:00:01,000 --> 00:00:25,000\nHello\n\n"
    try clips.folder.write(Array(text.utf8), to: "text.srt")
    try await clips.make(
      "a.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=30", "-i", clips.folder.path("text.srt"),
        "-cluster_time_limit", "1000", "-c:s", "subrip",
      ] + h264)
    try clips.mustRender(
      "a.mkv", to: "b.mp4",
      .mp4(isCopied ? .copy : .h264(64, 48), .encodeSubtitles, trim: TimeSpan(start: 20, end: 28)))
    let lines = try await subtitles("b.mp4").split(separator: "\n")
    #expect(lines == ["1", "00:00:00,000 --> 00:00:05,000", "Hello"])
    #expect(try await clips.times("b.mp4").count == 200)
  }

  /// "Hello world" is on the screen from 0.5 s, "Second line" until 4.5 s: the part is from 1 to 4 s.
  @Test(arguments: ["a.mp4", "a.mov"])
  func `copied subtitles of a part begin and end with it`(name: String) async throws {
    try await makeSubtitles(name, "mov_text")
    try clips.mustRender(
      name, to: "b.mp4",
      .mp4(.h264(80, 60), .aac, .aac, .copy, trim: TimeSpan(start: 1, end: 4)))
    let lines = try await subtitles("b.mp4").split(separator: "\n")
    #expect(
      lines == [
        "1", "00:00:00,000 --> 00:00:01,000", "Hello world", "2", "00:00:02,000 --> 00:00:03,000",
        "Second line", "over two",
      ])
  }

  /// libavformat's muxer enables the first subtitle track by itself if none is the default.
  @Test(arguments: [
    ["0", "0"], ["0", "default"], ["default", "0"],
  ])
  func onlyDefaultSubtitlesAreEnabled(dispositions: [String]) async throws {
    let text = "1\n00:00:00,500 --> 00:00:02,000\nHello\n\n"
    try clips.folder.write(Array(text.utf8), to: "text.srt")
    try await clips.make(
      "a.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-i", clips.folder.path("text.srt"),
        "-map", "0", "-map", "1", "-map", "1",
      ] + h264 + [
        "-c:s", "subrip", "-disposition:s:0", dispositions[0], "-disposition:s:1", dispositions[1],
      ])
    var rendering = MovieRendering.mp4(.copy, .encodeSubtitles, .encodeSubtitles)
    try clips.mustRender("a.mkv", to: "a.mp4", rendering)
    rendering.container = .quickTime
    try clips.mustRender("a.mkv", to: "a.mov", rendering)
    try clips.mustRender("a.mp4", to: "b.mp4", .mp4(.h264(80, 60), .copy, .copy))
    for name in ["a.mkv", "a.mp4", "a.mov", "b.mp4"] {
      for (index, disposition) in dispositions.enumerated() {
        let isDefault = try await clips.probe(name, "s:\(index)")["DISPOSITION:default"]
        #expect(isDefault == (disposition == "0" ? "0" : "1"), "\(index) of \(name)")
      }
      if name != "a.mkv" {
        #expect(try await clips.probe(name, "v:0")["DISPOSITION:default"] == "1")
      }
    }
  }

  @Test(arguments: ["a.mkv", "a.mp4", "a.mov"])
  func everyAudioTrackKeepsItsLanguage(name: String) async throws {
    try await makeSubtitles(name, name == "a.mkv" ? "subrip" : "mov_text")
    let works: [TrackRendering.Work] = [.copy, .aac]
    for sound in works {
      try clips.mustRender(
        name, to: "b.mp4",
        .mp4(.copy, sound, sound, name == "a.mkv" ? .encodeSubtitles : .copy))
      for (index, language) in ["eng", "deu"].enumerated() {
        let before = try await clips.probe(name, "a:\(index)")
        let after = try await clips.probe("b.mp4", "a:\(index)")
        // QuickTime's own codes know a few dozen languages (QuickTime File Format, "Language Code
        // Values"), and ffmpeg's writer not all of these.
        #expect(after["TAG:language"] == before["TAG:language"] ?? "und")
        if name != "a.mov" { #expect(after["TAG:language"] == language) }
        #expect(after["DISPOSITION:default"] == before["DISPOSITION:default"])
      }
    }
  }

  // MARK: User data

  /// The boxes in a part of a file.
  private func boxes(
    _ source: ArraySource, in range: Range<UInt64>
  ) throws -> [(type: FourCC, bytes: [UInt8])] {
    try source.boxes(in: range).map {
      ($0.type, source.bytes(at: $0.offset, count: Int($0.end - $0.offset)))
    }
  }

  /// libavformat makes a stream of a cover when it meets one, here before those of the tracks.
  @Test func userDataStaysWithItsTrackAfterACover() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x32", "-frames:v", "1",
      clips.folder.path("cover.jpg"),
    ])
    try await clips.makeBars(
      "a.mp4",
      ["-i", clips.folder.path("cover.jpg"), "-map", "0", "-map", "1", "-map", "2"] + h264
        + ["-c:v:1", "copy", "-disposition:v:1", "attached_pic"])
    let source = ArraySource(try clips.folder.bytes("a.mp4"))
    let top = try source.boxes(in: 0..<source.count)
    let old = try #require(top.last)
    try #require(old.type == "moov")
    var parts = try boxes(source, in: old.payload)
    let cover = try #require(parts.firstIndex { $0.type == "udta" })
    try #require(parts[cover].bytes.firstIndex(of: "covr") != nil)
    var names = ["Video", "Audio"]
    for index in parts.indices where parts[index].type == "trak" {
      // 3GPP TS 26.244 §8: version and flags, the language, the text.
      let author = [0, 0, 0, 0, 0x55, 0xC4] + Array(names.removeFirst().utf8) + [0]
      let userData = isoBox("udta", isoBox("auth", author))
      parts[index].bytes = isoBox("trak", parts[index].bytes.bytes(from: 8) + userData)
    }
    parts.insert(parts.remove(at: cover), at: 1)
    try clips.folder.write(
      source.bytes(at: 0, count: Int(old.offset)) + isoBox("moov", parts.flatMap(\.bytes)),
      to: "b.mp4")
    #expect(try clips.describe("b.mp4").tracks.map(\.codec) == ["mjpeg", "h264", "aac"])
    let rendering = MovieRendering(
      container: .mp4,
      tracks: [1, 2].map { TrackRendering(index: $0, work: .copy) }, threads: 1)
    try clips.mustRender("b.mp4", to: "c.mp4", rendering)
    for name in ["b.mp4", "c.mp4"] {
      let texts = try await Tool.exiftool.run([
        "-s3", "-Track1Author", "-Track2Author", clips.folder.path(name),
      ])
      #expect(texts == "Video\nAudio", "\(name)")
    }
  }

  // MARK: Timestamps

  /// The program of the first video is shown. The clock of the other one is 20 s earlier.
  @Test func `a broadcast of several programs is one of them`() async throws {
    let bars = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"]
    let tone = ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=2"]
    let later = ["-itsoffset", "20"]
    try await clips.make(
      "a.ts",
      later + bars + later + tone + bars + tone + [
        "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "mpeg2video", "-c:a", "mp2",
        "-program", "title=A:st=0:st=1", "-program", "title=B:st=2:st=3",
      ])
    #expect(try clips.describe("a.ts").tracks.map(\.kind) == [.video, .audio, .video, .other])
    try clips.mustRender("a.ts", to: "b.mp4", .mp4(.h264(64, 48), .aac))
    for stream in ["v:0", "a:0"] {
      let times = try await clips.times("b.mp4", stream)
      #expect(try abs(#require(times.first)) < 0.1 && abs(#require(times.last) - 2) < 0.1)
    }
  }

  /// Two concatenated recordings with unrelated timestamps; the `ffmpeg` command's result is the reference.
  @Test(arguments: [["a.ts", "b.ts"], ["b.ts", "a.ts"]])
  func timestampsMayJump(parts: [String]) async throws {
    for (name, seconds, start) in [("a.ts", "3", "100"), ("b.ts", "2", "5")] {
      try await clips.makeBars(
        name, seconds: seconds, h264 + ["-output_ts_offset", start])
    }
    try clips.folder.write(
      try clips.folder.bytes(parts[0]) + clips.folder.bytes(parts[1]), to: "c.ts")
    try await clips.make("reference.mp4", ["-i", clips.folder.path("c.ts"), "-c", "copy"])
    for (result, rendering) in [
      ("copy.mp4", MovieRendering.mp4(.copy, .copy)), ("new.mp4", .mp4(.h264(160, 120), .aac)),
    ] {
      try clips.mustRender("c.ts", to: result, rendering)
      try await clips.mustDecode(result)
      for stream in ["v:0", "a:0"] {
        let expected = try await clips.probe("reference.mp4", stream)["duration"]
        let length = try await clips.probe(result, stream)["duration"]
        let gap = try abs(
          #require(Double(expected ?? "")) - #require(Double(length ?? "")))
        #expect(gap < 0.034, "\(stream) of \(result): \(length ?? "") for \(expected ?? "")")
      }
      #expect(try await clips.times(result).count == 150)
    }
  }

  /// A recording three times in succession. Its audio ends after its video, so the audio's times overlap by less than a
  /// frame, and the result's time base is coarser than the source's.
  @Test(arguments: ["1.61", "1.72", "1.94"])
  func joinedRecordingsMayOverlap(seconds: String) async throws {
    try await clips.makeBars("a.ts", seconds: seconds, h264 + ["-c:a", "aac"])
    let part = try clips.folder.bytes("a.ts")
    try clips.folder.write(part + part + part, to: "b.ts")
    try clips.mustRender("b.ts", to: "c.mp4", .mp4(.copy, .copy))
    try await clips.mustDecode("c.mp4")
    let count = try await clips.times("a.ts").count
    #expect(try await clips.times("c.mp4").count == 3 * count)
    let length = try await clips.probe("c.mp4", "a:0")["duration"]
    let expected = try 3 * #require(Double(seconds))
    #expect(try abs(#require(Double(length ?? "")) - expected) < 0.2)
  }
}
