import Foundation
import Testing
import Workbench

/// Every playable video of the corpus through the presets that matter most, looked at with ffprobe and
/// played to the end by ffmpeg.
@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: Half.isAtHand))
struct MovieCorpusTests {
  /// A line of the manifest.
  private struct Line: Decodable {
    var sourcePath: String
    var mediaURL: URL?
    var action: String
    var error: String?
  }

  /// What ffprobe says of a file.
  private struct Movie: Decodable {
    struct Stream: Decodable {
      struct SideData: Decodable {
        var rotation: Int?
      }

      var codec_type: String?
      var codec_name: String?
      var codec_tag_string: String?
      var width: Int?
      var height: Int?
      var pix_fmt: String?
      var color_transfer: String?
      var avg_frame_rate: String?
      var duration: String?
      var side_data_list: [SideData]?
    }

    var streams: [Stream]

    var picture: Stream? { streams.first { $0.codec_type == "video" } }
  }

  /// Parts of files that show how a format begins, and no videos.
  private static let fragments = ["exiftool+exiftool/", "mozilla+mp4parse-rust/"]
  /// Its header promises 39 hours.
  private static let liars = ["sample_fragmented.mp4"]
  /// Four frames and a fifth after the end that the header records, from which two of them are decoded:
  /// a copied track keeps it and shows it. docs/presets.md says so.
  private static let hiders = ["HEVC1920x1080 dolbyVision-hdr.MOV"]

  @Test(arguments: ["compatible", "1280x720", "MediumQuality", "HEVC1920x1080", "Passthrough"])
  func `every playable video comes out as the preset says`(preset: String) async throws {
    let scanned = try await Half.library.scanned()
    let bench = scanned.bench
    // The two presets that re-encode the most leave the longest videos to the others.
    let seconds = ["1280x720", "HEVC1920x1080"].contains(preset) ? 10 : 60
    let outcome = try await bench.shoebox(
      [
        "export", "--where", "videos and duration < \(seconds)s", "--video-preset", preset, "--to",
        "\(bench.folder)/movies/\(preset)", "--manifest", "\(bench.folder)/\(preset).jsonl",
      ], seconds: 1200)
    #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
    let text = try String(contentsOfFile: "\(bench.folder)/\(preset).jsonl", encoding: .utf8)
    let lines = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.count > 40)
    for line in lines where !Self.fragments.contains(where: line.sourcePath.contains) {
      guard let result = line.mediaURL?.path, line.action != "failed" else {
        Issue.record("\(line.sourcePath): \(line.error ?? line.action)")
        continue
      }
      try await compare(line.sourcePath, result, line.action, preset, bench)
    }
    try await bench.bash("rm -rf movies")
  }

  private func probe(_ path: String, _ bench: Workbench) async throws -> Movie {
    let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
    let text = try await bench.bash("ffprobe -v error -show_streams -of json \(quoted)")
    return try JSONDecoder().decode(Movie.self, from: Data(text.utf8))
  }

  private func compare(
    _ source: String, _ result: String, _ action: String, _ preset: String, _ bench: Workbench
  ) async throws {
    let (before, after) = (try await probe(source, bench), try await probe(result, bench))
    guard preset != "Passthrough" else {
      #expect(action == "copied", "\(source)")
      return
    }
    let picture = try #require(after.picture, "\(source)")
    let isHEVC = preset.hasPrefix("HEVC")
    #expect(picture.codec_name == (isHEVC ? "hevc" : "h264"), "\(source)")
    #expect(picture.codec_tag_string == (isHEVC ? "hvc1" : "avc1"), "\(source)")
    let formats = ["yuv420p", "yuvj420p"] + (isHEVC ? ["yuv420p10le"] : [])
    #expect(formats.contains(picture.pix_fmt ?? ""), "\(source)")
    if !isHEVC {
      #expect(!["smpte2084", "arib-std-b67"].contains(picture.color_transfer), "\(source)")
    }
    let boxes = [
      "1280x720": (1280, 720), "MediumQuality": (568, 320), "HEVC1920x1080": (1920, 1080),
    ]
    if let box = boxes[preset], let width = picture.width, let height = picture.height {
      #expect(max(width, height) <= box.0 && min(width, height) <= box.1, "\(source)")
    }
    if action == "transcoded", before.picture?.codec_name != picture.codec_name {
      #expect(picture.side_data_list?.contains { $0.rotation != nil } != true, "\(source)")
    }
    let name = source.split(separator: "/").last ?? ""
    guard !Self.hiders.contains("\(preset) \(name)") else { return }
    if !Self.liars.contains(where: source.hasSuffix) { compareLengths(before, after, source) }
    let quoted = "'" + result.replacing("'", with: "'\\''") + "'"
    let complaints = try await bench.bash(
      "ffmpeg -v error -i \(quoted) -fps_mode passthrough -enc_time_base -1 -f null - 2>&1")
    #expect(complaints.isEmpty, "\(source): \(complaints.prefix(200))")
  }

  /// To a frame, by the source's own rate.
  private func compareLengths(_ before: Movie, _ after: Movie, _ source: String) {
    guard let first = before.picture?.duration.flatMap({ Double($0) }),
      let second = after.picture?.duration.flatMap({ Double($0) })
    else { return }
    let parts = (before.picture?.avg_frame_rate ?? "").split(separator: "/").compactMap {
      Double($0)
    }
    let frame = parts.count == 2 && parts[0] > 0 ? parts[1] / parts[0] : 0.04
    #expect(abs(first - second) <= max(frame, 1 / 30) + 0.002, "\(source): \(first) → \(second)")
  }
}
