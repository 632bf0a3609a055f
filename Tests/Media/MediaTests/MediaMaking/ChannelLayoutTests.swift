import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Audio with an unusual channel layout, or with another one in the container than in the stream.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct ChannelLayoutTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// Two seconds in which only the last channel but one is audible.
  private func make(_ name: String, _ layout: String, channels: Int, _ options: [String])
    async throws
  {
    let tones = (1...channels).map { $0 == max(1, channels - 1) ? "0.5*sin(880*PI*t)" : "0" }
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i",
        "aevalsrc='\(tones.joined(separator: "|"))':c=\(layout):s=48000:d=2",
      ] + options)
  }

  /// Encodes a file's audio as AAC to `result.mp4`.
  private func encode(_ name: String, channels: Int) throws {
    let sound = AudioEncoding(codec: .aac, bitRate: 64_000 * channels, maxChannels: channels)
    try clips.mustRender(name, to: "result.mp4", .mp4(.encodeAudio(sound)))
  }

  /// The loudness of each channel in the middle of a file, in decibels.
  private func levels(_ name: String, channels: Int) async throws -> [Double] {
    let tags = (1...channels).map { "lavfi.astats.\($0).RMS_level" }.joined(separator: ",")
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-f", "lavfi", "-i",
      "amovie=\(clips.folder.path(name)),atrim=start=0.5:end=1.5,astats=metadata=1",
      "-show_entries", "frame_tags=" + tags, "-of", "csv=p=0",
    ])
    let last = text.split(separator: "\n").last ?? ""
    return last.split(separator: ",").map { Double($0) ?? -200 }
  }

  @Test(
    arguments: [
      ("a.mkv", "5.1(side)", 6, ["-c:a", "ac3"]), ("a.mkv", "3.0", 3, ["-c:a", "ac3"]),
      ("a.ts", "5.1(side)", 6, ["-c:a", "eac3"]),
      ("a.mkv", "5.1(side)", 6, ["-c:a", "dca", "-strict", "-2"]),
      ("a.mkv", "quad", 4, ["-c:a", "flac"]), ("a.mkv", "2.1", 3, ["-c:a", "flac"]),
      ("a.mov", "5.1(side)", 6, ["-c:a", "pcm_s16le"]),
      ("a.mov", "5.0(side)", 5, ["-c:a", "alac"]),
      ("a.ts", "mono", 1, ["-c:a", "mp2"]), ("a.ts", "stereo", 2, ["-c:a", "mp2"]),
    ] as [(String, String, Int, [String])])
  func audioOfEveryLayoutIsEncoded(
    name: String, layout: String, channels: Int, options: [String]
  ) async throws {
    try await make(name, layout, channels: channels, options)
    try encode(name, channels: channels)
    let sound = try await clips.probe("result.mp4", "a:0")
    #expect(sound["channels"] == String(channels))
    let seconds = try #require(Double(sound["duration"] ?? ""))
    #expect(abs(seconds - 2) < 0.1)
    // Each channel keeps its place; these two layouts have no counterpart in AAC and are mixed.
    guard layout != "2.1", layout != "quad" else { return }
    let levels = try await levels("result.mp4", channels: channels)
    try #require(levels.count == channels)
    for (index, level) in levels.enumerated() {
      let isHeard = index == max(0, channels - 2)
      #expect(isHeard ? level > -15 : level < -40, "channel \(index): \(level) dB")
    }
  }

  /// A broadcast that changes its format: a second each.
  @Test func theAudioFormatMayChange() async throws {
    try await make("a.ts", "stereo", channels: 2, ["-c:a", "mp2", "-t", "1"])
    try await make("b.ts", "mono", channels: 1, ["-c:a", "mp2", "-ar", "44100", "-t", "1"])
    try clips.folder.write(clips.folder.bytes("a.ts") + clips.folder.bytes("b.ts"), to: "c.ts")
    try encode("c.ts", channels: 2)
    let sound = try await clips.probe("result.mp4", "a:0")
    #expect(sound["channels"] == "2")
    let seconds = try #require(Double(sound["duration"] ?? ""))
    #expect(abs(seconds - 2) < 0.15)
    // AAC has 1024 samples a packet, also where the format changes.
    let times = try await packetTimes("result.mp4")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1024 }, "\(times)")
    let levels = try await secondLevels("result.mp4", 2)
    #expect(levels.allSatisfy { $0 > -15 }, "\(levels) dB")
  }

  /// The part after a change of the format starts two seconds after the end of the part before it.
  @Test func aGapBeforeAnotherFormatIsSilent() async throws {
    try await make("a.ts", "stereo", channels: 2, ["-c:a", "mp2", "-t", "1"])
    try await make(
      "b.ts", "mono", channels: 1,
      ["-c:a", "mp2", "-ar", "44100", "-t", "1", "-output_ts_offset", "3"])
    try clips.folder.write(clips.folder.bytes("a.ts") + clips.folder.bytes("b.ts"), to: "c.ts")
    try encode("c.ts", channels: 2)
    let sound = try await clips.probe("result.mp4", "a:0")
    let seconds = try #require(Double(sound["duration"] ?? ""))
    #expect(abs(seconds - 4) < 0.15)
    let times = try await packetTimes("result.mp4")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1024 }, "\(times)")
    let levels = try await secondLevels("result.mp4", 4)
    try #require(levels.count == 4)
    #expect(
      levels[0] > -15 && levels[1] < -60 && levels[2] < -60 && levels[3] > -15, "\(levels) dB")
  }

  /// When the packets of a file's audio are played, in samples.
  private func packetTimes(_ name: String) async throws -> [Int] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=pts", "-of", "csv=p=0",
      clips.folder.path(name),
    ])
    return text.split(whereSeparator: { $0.isNewline || $0 == "," }).compactMap { Int($0) }
  }

  /// The loudness of the first channel in the middle half of each of a file's seconds, in decibels.
  private func secondLevels(_ name: String, _ seconds: Int) async throws -> [Double] {
    var levels: [Double] = []
    for second in 0..<seconds {
      let text = try await Tool.ffprobe.run([
        "-v", "error", "-f", "lavfi", "-i",
        "amovie=\(clips.folder.path(name)),atrim=start=\(second).25:end=\(second).75,"
          + "astats=metadata=1", "-show_entries", "frame_tags=lavfi.astats.1.RMS_level", "-of",
        "csv=p=0",
      ])
      levels.append(Double(text.split(separator: "\n").last ?? "") ?? -200)
    }
    return levels
  }
}
