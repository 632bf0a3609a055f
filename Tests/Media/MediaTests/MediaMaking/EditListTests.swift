import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

/// Movies that show only parts of their tracks (ISO/IEC 14496-12 §8.6.6), or begin late. ffmpeg, which decodes the
/// source from its beginning, decides what is seen when.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct EditListTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// 25 frames a second, a key frame every two seconds, and frames that are decoded before they are shown.
  private func makeMovie(_ name: String, _ options: [String] = []) async throws {
    try await clips.makeBars(
      name, size: "160x120", rate: "25", seconds: "8",
      ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "50", "-sc_threshold", "0"]
        + ["-c:a", "aac"] + options)
  }

  /// The digests of a movie's frames as ffmpeg shows them, from a time on.
  private func frames(_ name: String, from start: Double = 0) async throws -> [String] {
    let text = try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(name), "-map", "0:v:0", "-vf",
      "trim=start=\(start - 0.001)", "-fps_mode", "passthrough", "-f", "framemd5", "-",
    ])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces)
    }
  }

  /// ffmpeg cuts between key frames and hides what it needs to decode only.
  @Test(arguments: [(0.0, 2.0, 50), (0.3, 2, 50), (0.0, 4, 100)])
  func hiddenFramesStayHidden(from: Double, to: Double, count: Int) async throws {
    try await makeMovie("a.mp4")
    try await clips.make("b.mp4", ["-ss", "1.4", "-i", clips.folder.path("a.mp4"), "-c", "copy"])
    let result = try clips.mustRender(
      "b.mp4", to: "c.mp4", .mp4(.copy, .copy, trim: TimeSpan(start: from, end: to)))
    #expect(result.notes.contains { $0.contains("0.30 s earlier") } == (from > 0))
    let source = try await frames("b.mp4")
    #expect(try await frames("c.mp4") == Array(source.prefix(count)))
    #expect(try await clips.times("c.mp4").first == 0)
    try await clips.mustDecode("c.mp4")
  }

  private func isoBox(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + type + content
  }

  /// The boxes with the edit list of each track replaced.
  private func boxes(
    _ content: [UInt8], parts: [(start: Double, length: Double)], scale: Int = 1
  ) throws -> [UInt8] {
    func number(_ bytes: [UInt8], _ offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    var changed: [UInt8] = []
    var position = 0
    while position + 8 <= content.count {
      let size = number(content, position)
      try #require(size >= 8 && position + size <= content.count)
      let type = Array(content[(position + 4)..<(position + 8)])
      let inner = Array(content[(position + 8)..<(position + size)])
      switch String(decoding: type, as: UTF8.self) {
      case "moov": changed += isoBox(type, try boxes(inner, parts: parts))
      case "trak":
        let header = try #require(inner.firstRange(of: Array("mdhd".utf8))).upperBound
        let scale = number(inner, header + 12)
        changed += isoBox(type, try boxes(inner, parts: parts, scale: scale))
      case "edts":
        // The movie counts in thousandths. ffmpeg's only edit begins at the first frame.
        let first = number(inner, 20)
        let edits = parts.flatMap { part in
          bigEndian(Int(part.length * 1000)) + bigEndian(first + Int(part.start * Double(scale)))
            + bigEndian(0x10000)
        }
        changed += isoBox(
          type, isoBox(Array("elst".utf8), bigEndian(0) + bigEndian(parts.count) + edits))
      default: changed += content[position..<(position + size)]
      }
      position += size
    }
    return changed
  }

  /// Makes a movie that shows these parts of 8 seconds, in seconds.
  private func makeJoined(_ name: String, _ parts: [(start: Double, length: Double)]) async throws {
    try await makeMovie("whole.mov")
    try clips.folder.write(try boxes(clips.folder.bytes("whole.mov"), parts: parts), to: name)
  }

  /// Two parts with frames between them, a part twice, and two parts in another order.
  @Test(arguments: [[1, 5], [1, 1], [5, 1]])
  func aPartOfJoinedPartsIsExact(starts: [Double]) async throws {
    try await makeJoined("a.mov", starts.map { (start: $0, length: 2) })
    let description = try clips.describe("a.mov")
    #expect(description.tracks.map(\.joinsParts) == [true, true])
    // As ffmpeg shows the movie: a hundred frames.
    try #require(try await clips.times("a.mov").count == 100)
    try clips.mustRender(
      "a.mov", to: "b.mp4", .mp4(.h264(160, 120), .aac, trim: TimeSpan(start: 1, end: 3)))
    let times = try await clips.times("b.mp4")
    #expect(times.count == 50)
    #expect(times.first == 0)
    let log = clips.folder.path("ssim.txt")
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path("b.mp4"), "-i", clips.folder.path("a.mov"), "-lavfi",
      "[0:v]settb=1/25,setpts=N[a];[1:v]trim=start_frame=25:end_frame=75,settb=1/25,setpts=N[b];"
        + "[a][b]ssim=f=\(log)", "-f", "null", "-",
    ])
    let values = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap
    {
      $0.firstMatch(of: /All:([0-9.]+)/).flatMap { Double($0.output.1) }
    }
    #expect(values.count == 50)
    #expect(values.allSatisfy { $0 > 0.9 }, "\(values)")
  }

  @Test func aMovieOfOnePartJoinsNothing() async throws {
    try await makeJoined("a.mov", [(start: 1.4, length: 4)])
    #expect(try clips.describe("a.mov").tracks.allSatisfy { !$0.joinsParts })
  }

  /// Recorders split a recording into files whose clocks go on.
  @Test(arguments: ["mkv", "webm"])
  func aMatroskaMayBeginLate(ending: String) async throws {
    let codecs =
      ending == "mkv"
      ? ["-c:v", "mpeg4", "-c:a", "aac"]
      : [
        "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M", "-c:a",
        "libopus",
      ]
    try await clips.makeBars(
      "a.\(ending)", size: "160x120", rate: "25", seconds: "8", codecs + ["-g", "25"])
    try await clips.make(
      "b%d.\(ending)",
      ["-i", clips.folder.path("a.\(ending)"), "-c", "copy", "-f", "segment", "-segment_time", "4"])
    let count = try await clips.times("b1.\(ending)").count
    try #require(count > 50)
    try clips.mustRender("b1.\(ending)", to: "c.mp4", .mp4(.h264(160, 120), .aac))
    #expect(abs(try await clips.times("c.mp4").count - count) <= 1)
  }

  /// The times of a part count from the beginning of the movie, in which nothing is seen for some time.
  @Test func aMovieMayBeginWithNothing() async throws {
    try await makeMovie("a.mp4")
    try await clips.make(
      "b.mov", ["-itsoffset", "5", "-i", clips.folder.path("a.mp4"), "-c", "copy"])
    try #require(try await clips.times("b.mov").first == 5)
    try clips.mustRender(
      "b.mov", to: "c.mp4", .mp4(.h264(160, 120), .aac, trim: TimeSpan(start: 6, end: 8)))
    #expect(try await clips.times("c.mp4").count == 50)
    try clips.mustRender(
      "b.mov", to: "d.mp4", .mp4(.copy, .copy, trim: TimeSpan(start: 7, end: 8)))
    let source = try await frames("b.mov")
    #expect(try await frames("d.mp4") == Array(source[50..<75]))
  }

  @Test(arguments: ["a.mkv", "a.mov"])
  func soundBeforeTheFirstFrameIsKept(name: String) async throws {
    try await clips.make(
      name,
      ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=6", "-itsoffset", "2", "-f", "lavfi", "-i"]
        + [
          "testsrc2=s=160x120:r=25:d=4", "-map", "1:v", "-map", "0:a", "-fps_mode", "passthrough",
          "-c:v", "mpeg4",
        ]
        + ["-c:a", "pcm_s16le"])
    try clips.mustRender(
      name, to: "b.mp4", .mp4(.h264(160, 120), .aac, trim: TimeSpan(start: 0.5, end: 4)))
    let sound = try #require(try await clips.times("b.mp4", "a:0").first)
    #expect(abs(sound) < 0.03, "\(sound)")
    let picture = try #require(try await clips.times("b.mp4").first)
    #expect(abs(picture - 1.5) < 0.05, "\(picture)")
  }
}
