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

/// Clips made by ffmpeg, rendered, and read with ffprobe and ffmpeg: every expected value is an argument of
/// ffmpeg or its output for the source.
struct MovieClips {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Makes a clip by ffmpeg's options.
  func make(_ name: String, _ options: [String]) async throws {
    try await folder.make(name, with: .ffmpeg, ["-v", "error", "-y"] + options)
  }

  /// A second of moving bars and a tone.
  func makeBars(
    _ name: String, size: String = "320x240", rate: String = "30", seconds: String = "1",
    _ options: [String]
  ) async throws {
    try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate):d=\(seconds)", "-f", "lavfi", "-i",
        "sine=f=440:r=48000:d=\(seconds)",
      ] + options)
  }

  func describe(_ name: String) throws -> MovieDescription {
    let item = ExamineItem(path: BytePath(folder.path(name)), uniformType: .mpeg4)
    switch examine(item) {
    case .movie(let movie): return movie
    case let other: throw ToolFailure(description: "\(name): \(other)")
    }
  }

  func render(
    _ source: String, to target: String, _ rendering: MovieRendering,
    metadata: MetadataPolicy = .keep, range: ByteRange? = nil
  ) throws -> RenderReply {
    try folder.render(source, .movie(rendering), to: target, metadata: metadata, range: range)
  }

  @discardableResult
  func mustRender(
    _ source: String, to target: String, _ rendering: MovieRendering,
    metadata: MetadataPolicy = .keep, range: ByteRange? = nil
  ) throws -> RenderResult {
    try folder.mustRender(source, .movie(rendering), to: target, metadata: metadata, range: range)
  }

  /// ffprobe's output for one stream, by key.
  func probe(_ name: String, _ stream: String = "v:0") async throws -> [String: String] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", stream, "-show_streams", "-of", "default=nw=1",
      folder.path(name),
    ])
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// When frames are shown, in seconds.
  func times(_ name: String, _ stream: String = "v:0") async throws -> [Double] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", stream, "-show_entries", "frame=pts_time", "-of",
      "csv=p=0", folder.path(name),
    ])
    return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
  }

  /// Throws if ffmpeg reports an error when it decodes the whole file.
  func mustDecode(_ name: String) async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-xerror", "-i", folder.path(name), "-fps_mode", "passthrough", "-f", "null",
      "-",
    ])
  }

  /// The mean of the first frame's luma, 0–255.
  func meanLuma(_ name: String, filters: String = "") async throws -> Double {
    let log = try await Tool.ffprobe.run([
      "-v", "error", "-f", "lavfi", "-i",
      "movie=\(folder.path(name)),\(filters)signalstats", "-show_entries",
      "frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0", "-read_intervals", "%+#1",
    ])
    // Some versions of ffprobe print a comma after the last value.
    return try #require(Double(log.split { ",\n".contains($0) }.first ?? ""))
  }
}

extension MovieRendering {
  /// A rendering for each track of a source, in order.
  static func mp4(_ works: TrackRendering.Work..., trim: TimeSpan? = nil) -> MovieRendering {
    MovieRendering(
      container: .mp4,
      tracks: works.enumerated().map { TrackRendering(index: $0.offset, work: $0.element) },
      trim: trim, threads: 1)
  }
}

extension TrackRendering.Work {
  static func h264(
    _ width: Int, _ height: Int, maxFrameRate: Double? = nil
  ) -> TrackRendering.Work {
    .encodeVideo(
      VideoEncoding(
        codec: .h264, quality: 18, speed: "ultrafast",
        size: PixelSize(width: width, height: height),
        maxFrameRate: maxFrameRate))
  }

  static func hevc(_ width: Int, _ height: Int) -> TrackRendering.Work {
    .encodeVideo(
      VideoEncoding(
        codec: .hevc, quality: 24, speed: "ultrafast",
        size: PixelSize(width: width, height: height),
        keepsDynamicRange: true))
  }

  static let aac = TrackRendering.Work.encodeAudio(AudioEncoding(codec: .aac, bitRate: 96_000))
}
