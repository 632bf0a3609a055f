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

  /// An audio track in a file, and its place in the result.
  struct Sound: Sendable {
    var name = "a.mkv"
    var layout: String
    var channels: Int
    var options: [String]
    /// The channels of AAC, and the one that is heard; those of the source if nil.
    var coded: (channels: Int, heard: Int)?
  }

  /// Each channel keeps its place. Layouts that AAC does not have become larger ones with silent channels.
  @Test(
    arguments: [
      Sound(layout: "5.1(side)", channels: 6, options: ["-c:a", "ac3"]),
      Sound(layout: "3.0", channels: 3, options: ["-c:a", "ac3"]),
      Sound(name: "a.ts", layout: "5.1(side)", channels: 6, options: ["-c:a", "eac3"]),
      Sound(layout: "5.1(side)", channels: 6, options: ["-c:a", "dca", "-strict", "-2"]),
      // 5.0 has a centre before the back channels.
      Sound(layout: "quad", channels: 4, options: ["-c:a", "flac"], coded: (5, 3)),
      Sound(layout: "2.1", channels: 3, options: ["-c:a", "flac"], coded: (6, 1)),
      Sound(layout: "3.0(back)", channels: 3, options: ["-c:a", "flac"], coded: (4, 1)),
      // In 7.1 the side channels are the last two.
      Sound(layout: "6.1", channels: 7, options: ["-c:a", "flac"], coded: (8, 6)),
      Sound(name: "a.mov", layout: "5.1(side)", channels: 6, options: ["-c:a", "pcm_s16le"]),
      Sound(name: "a.mov", layout: "5.0(side)", channels: 5, options: ["-c:a", "alac"]),
      Sound(name: "a.ts", layout: "mono", channels: 1, options: ["-c:a", "mp2"]),
      Sound(name: "a.ts", layout: "stereo", channels: 2, options: ["-c:a", "mp2"]),
    ])
  func audioOfEveryLayoutIsEncoded(source: Sound) async throws {
    try await make(source.name, source.layout, channels: source.channels, source.options)
    try encode(source.name, channels: 8)
    let (count, heard) = source.coded ?? (source.channels, max(0, source.channels - 2))
    let sound = try await clips.probe("result.mp4", "a:0")
    #expect(sound["channels"] == String(count))
    let seconds = try #require(Double(sound["duration"] ?? ""))
    #expect(abs(seconds - 2) < 0.1)
    try await expectOnly(heard, of: count, in: "result.mp4")
  }

  /// PCM can have any layout, so its channels stay the same.
  @Test(
    arguments: [("quad", 4), ("2.1", 3), ("3.1", 4), ("5.1(side)", 6), ("6.1", 7)])
  func pcmKeepsItsLayout(layout: String, channels: Int) async throws {
    try await make("a.mkv", layout, channels: channels, ["-c:a", "flac"])
    let rendering = MovieRendering(
      container: .quickTime,
      tracks: [
        TrackRendering(
          index: 0, work: .encodeAudio(AudioEncoding(codec: .pcm, maxChannels: 8)))
      ], threads: 1)
    try clips.mustRender("a.mkv", to: "result.mov", rendering)
    #expect(try await clips.probe("result.mov", "a:0")["channels"] == String(channels))
    try await expectOnly(channels - 2, of: channels, in: "result.mov")
  }

  private func expectOnly(_ heard: Int, of channels: Int, in name: String) async throws {
    let levels = try await levels(name, channels: channels)
    try #require(levels.count == channels)
    for (index, level) in levels.enumerated() {
      #expect(index == heard ? level > -15 : level < -40, "channel \(index): \(level) dB")
    }
  }

  /// MOV stores PCM without times (ISO/IEC 14496-12 §8.6.1.2 with one duration for all samples).
  @Test(arguments: ["pcm_s16le", "pcm_u8", "pcm_f32le"])
  func aGapBetweenCopiedSamplesIsSilent(codec: String) async throws {
    try await make(
      "a.mkv", "stereo", channels: 2,
      ["-af", "asetpts='PTS+2/TB*gte(T,1)'", "-c:a", codec])
    let rendering = MovieRendering(
      container: .quickTime, tracks: [TrackRendering(index: 0, work: .copy)], threads: 1)
    try clips.mustRender("a.mkv", to: "result.mov", rendering)
    let sound = try await clips.probe("result.mov", "a:0")
    let seconds = try #require(Double(sound["duration"] ?? ""))
    #expect(abs(seconds - 4) < 0.05)
    let levels = try await secondLevels("result.mov", 4)
    #expect(
      levels[0] > -15 && levels[1] < -60 && levels[2] < -60 && levels[3] > -15, "\(levels) dB")
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
