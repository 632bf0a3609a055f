import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Tracks that pause and go on: later samples must keep their places beside those of other tracks.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct PausesTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"]

  private func packetTimes(_ name: String, _ stream: String) async throws -> [Double] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of",
      "csv=p=0", clips.folder.path(name),
    ])
    return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
  }

  private func frames(_ name: String) async throws -> [String] {
    let text = try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(name), "-map", "0:v:0", "-fps_mode", "passthrough",
      "-f", "framemd5", "-",
    ])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The longest step between consecutive times, and where it ends.
  private func gap(_ times: [Double]) -> (length: Double, end: Double) {
    let steps = zip(times, times.dropFirst()).map { ($1 - $0, $1 - times[0]) }
    return steps.max { $0.0 < $1.0 } ?? (0, 0)
  }

  // MARK: Timestamps

  /// Audio or video is missing from 4 to 20 s of 26.
  @Test(arguments: ["a.ts", "a.mkv", "a.mov"], ["video", "audio"])
  func `a track that pauses stays in sync`(name: String, kind: String) async throws {
    let select = "lt(t,4)+gte(t,20)"
    let (video, audio) =
      kind == "video"
      ? (",select='\(select)'", "") : ("", ",aselect='\(select)'")
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=26\(video)", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=26\(audio)", "-fps_mode", "passthrough", "-c:a", "aac",
      ] + h264)
    let stream = kind == "video" ? "v:0" : "a:0"
    let source = gap(try await packetTimes(name, stream).sorted())
    try #require(abs(source.length - 16) < 0.2, "\(source)")
    for isCopied in [true, false] {
      let rendering = MovieRendering.mp4(
        isCopied ? .copy : .h264(64, 48), isCopied ? .copy : .aac)
      try clips.mustRender(name, to: "b.mp4", rendering)
      let (pictures, sound) = (
        try await packetTimes("b.mp4", "v:0").sorted(),
        try await packetTimes("b.mp4", "a:0").sorted()
      )
      for (what, times) in [("video", pictures), ("audio", sound)] {
        let (first, last) = (try #require(times.first), try #require(times.last))
        #expect(abs(first) < 0.1, "\(what) of \(name), copied: \(isCopied)")
        #expect(abs(last - 26) < 0.1, "\(what) of \(name), copied: \(isCopied)")
      }
      if kind == "video" || isCopied {
        let found = gap(kind == "video" ? pictures : sound)
        #expect(abs(found.end - source.end) < 0.05, "\(found), not \(source)")
        #expect(abs(found.length - source.length) < 0.05)
      } else {
        // Silence.
        #expect(gap(sound).length < 0.1)
      }
    }
  }

  /// A clock that is set back after a pause of the audio: both parts stay in sync.
  @Test func `a recording may follow a pause`() async throws {
    try await clips.make(
      "0.ts",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=20", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=6", "-c:a", "aac",
      ] + h264)
    try await clips.make(
      "1.ts",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=5", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=5", "-c:a", "aac",
      ] + h264)
    try clips.folder.write(
      try clips.folder.bytes("0.ts") + clips.folder.bytes("1.ts"), to: "a.ts")
    for work in [TrackRendering.Work.copy, .h264(64, 48)] {
      try clips.mustRender("a.ts", to: "b.mp4", .mp4(work, .copy))
      let pictures = try await packetTimes("b.mp4", "v:0").sorted()
      #expect(abs(try #require(pictures.last) - 25) < 0.2)
      let sound = try await packetTimes("b.mp4", "a:0")
      let found = gap(sound)
      #expect(abs(found.end - 20) < 0.3 && abs(found.length - 14) < 0.3, "\(found)")
      #expect(abs(try #require(sound.last) - 25) < 0.3)
    }
  }

  /// The end of the last packet of AC-3 is found by the next part's first one, after frames of that part.
  @Test(arguments: [TrackRendering.Work.copy, .h264(64, 48)])
  func `a packet may follow the next recording's first ones`(work: TrackRendering.Work) async throws
  {
    try await clips.make(
      "0.ts",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=3", "-c:a", "ac3",
      ] + h264)
    let part = try clips.folder.bytes("0.ts")
    try clips.folder.write(part + part + part, to: "a.ts")
    try clips.mustRender("a.ts", to: "b.mp4", .mp4(work, .copy))
    for stream in ["v:0", "a:0"] {
      let times = try await packetTimes("b.mp4", stream).sorted()
      #expect(gap(times).length < 0.1, "\(stream) pauses: \(gap(times))")
      #expect(abs(try #require(times.last) - 9) < 0.2)
    }
  }

  // MARK: Edit lists

  /// Gives tracks of a movie of two seconds these edits, in seconds; nil for an empty edit.
  private func edit(
    _ name: String, to target: String, tracks: Set<Int>,
    _ edits: [(length: Double, start: Double?)], rate: Int = 0x10000
  ) throws {
    let source = ArraySource(try clips.folder.bytes(name))
    let moov = try #require(try source.boxes(in: 0..<source.count).last { $0.type == "moov" })
    var number = -1
    var scale = 0
    func rebuilt(_ box: ISOBox) throws -> [UInt8] {
      let content = source.bytes(at: box.payload.lowerBound, count: box.payload.count)
      switch box.type {
      case "moov": return isoBox("moov", try source.boxes(inside: box).flatMap(rebuilt))
      case "trak":
        number += 1
        let header = try #require(content.firstRange(of: Array("mdhd".utf8))).upperBound
        scale = Int(try #require(content.u32(at: header + 12)))
        return isoBox("trak", try source.boxes(inside: box).flatMap(rebuilt))
      case "edts" where tracks.contains(number):
        let first = Int(try #require(content.u32(at: 20)))
        let list = edits.flatMap { edit in
          bigEndian(Int(edit.length * 1000))
            + bigEndian(edit.start.map { first + Int($0 * Double(scale)) } ?? -1)
            + bigEndian(rate)
        }
        return isoBox(
          "edts", isoBox("elst", bigEndian(0) + bigEndian(edits.count) + list))
      default: return isoBox(box.type, content)
      }
    }
    try clips.folder.write(
      source.bytes(at: 0, count: Int(moov.offset)) + rebuilt(moov), to: target)
  }

  private func makeMovie(_ options: [String] = ["-bf", "2"]) async throws {
    try await clips.makeBars(
      "a.mov", size: "160x120", rate: "25", seconds: "2", h264 + options + ["-c:a", "aac"])
  }

  /// After one second, nothing is shown or heard for another one.
  @Test(arguments: [[0], [1], [0, 1]], [true, false])
  func `an empty edit is a pause`(tracks: [Int], isCopied: Bool) async throws {
    try await makeMovie()
    try edit("a.mov", to: "b.mov", tracks: Set(tracks), [(1, 0), (1, nil), (1, 1)])
    let rendering = MovieRendering.mp4(
      isCopied ? .copy : .h264(160, 120), isCopied ? .copy : .aac)
    let result = try clips.mustRender("b.mov", to: "c.mp4", rendering)
    #expect(result.notes.isEmpty)
    try await clips.mustDecode("c.mp4")
    if isCopied { #expect(try await frames("c.mp4") == frames("a.mov")) }
    let times = try await clips.times("c.mp4")
    let pause = tracks.contains(0) ? 1.0 : 0
    #expect(times.count == 50)
    for (index, time) in times.enumerated() {
      let expected = Double(index) / 25 + (index >= 25 ? pause : 0)
      #expect(abs(time - expected) < 0.002)
    }
    let sound = try await packetTimes("c.mp4", "a:0")
    let last = try #require(sound.last)
    #expect(abs(last - (tracks.contains(1) ? 3 : 2)) < 0.06, "\(last)")
    if isCopied, tracks.contains(1) {
      let found = gap(sound)
      #expect(abs(found.length - 1) < 0.05 && abs(found.end - 2) < 0.06, "\(found)")
    }
  }

  /// The part begins after the pause, in which no frame is.
  @Test(arguments: [true, false])
  func `a part after an empty edit begins where asked`(isCopied: Bool) async throws {
    try await makeMovie()
    try edit("a.mov", to: "b.mov", tracks: [0, 1], [(1, 0), (1, nil), (1, 1)])
    let rendering = MovieRendering.mp4(
      isCopied ? .copy : .h264(160, 120), isCopied ? .copy : .aac,
      trim: TimeSpan(start: 2, end: 2.6))
    try clips.mustRender("b.mov", to: "c.mp4", rendering)
    #expect(try await clips.times("c.mp4").count == 15)
    if isCopied { #expect(try await frames("c.mp4") == Array(frames("a.mov")[25..<40])) }
    let sound = try #require(Double(try await clips.probe("c.mp4", "a:0")["duration"] ?? ""))
    #expect(abs(sound - 0.6) < 0.05)
  }

  /// FFmpeg does not know the rates of edits. The edit lasts a second; at twice the speed, that is two seconds of media.
  @Test(arguments: [(0, 25), (0x8000, 13), (0x20000, 50)])
  func `another speed is noted`(rate: Int, count: Int) async throws {
    try await makeMovie()
    try edit("a.mov", to: "b.mov", tracks: [0], [(1, 0)], rate: rate)
    let result = try clips.mustRender("b.mov", to: "c.mp4", .mp4(.copy, .copy))
    #expect(result.notes.contains { $0.contains("at another speed") })
    #expect(try await clips.times("c.mp4").count == count)
  }

  /// Two edits that follow one another are one, although the second one begins between key frames.
  @Test func `continuous edits are one`() async throws {
    try await makeMovie(["-bf", "2", "-g", "50"])
    try edit("a.mov", to: "b.mov", tracks: [0, 1], [(0.6, 0), (1.4, 0.6)])
    try clips.mustRender("b.mov", to: "c.mp4", .mp4(.copy, .copy))
    #expect(try await frames("c.mp4") == frames("a.mov"))
    #expect(try await clips.times("c.mp4").last.map { abs($0 - 1.96) < 0.002 } == true)
  }

  /// After an empty edit, the media begins between key frames: a copy would show the frames before.
  @Test func `media that begins in the middle is re-encoded`() async throws {
    try await makeMovie(["-bf", "2", "-g", "50"])
    try edit("a.mov", to: "b.mov", tracks: [0], [(1, nil), (1, 0.6)])
    var rendering = MovieRendering.mp4(.copy, .copy)
    rendering.tracks[0].substitute = .h264(160, 120)
    let result = try clips.mustRender("b.mov", to: "c.mp4", rendering)
    #expect(result.notes.contains { $0.contains("an edit list hides") })
    let times = try await clips.times("c.mp4")
    #expect(times.count == 25)
    #expect(abs(try #require(times.first) - 1) < 0.002)
  }
}
