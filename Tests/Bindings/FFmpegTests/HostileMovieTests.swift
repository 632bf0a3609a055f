import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

/// Movies of ffmpeg with sizes and times that no camera writes.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct HostileMovieTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// One bit for each of 256 million pixels, which are 32 MB: the limit counts pixels.
  @Test func framesAboveTheLimitAreNotDecoded() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "color=white:s=16000x16000", "-frames:v", "1",
      "-pix_fmt", "monob", "-c:v", "png", folder.path("a.mov"),
    ])
    #expect(!PixelSize(width: 16_000, height: 16_000).isDecodable)
    #expect(throws: MovieMakingError.self) {
      try render(
        .quickTime, folder.bytes("a.mov"),
        .encodeVideo(
          VideoEncoding(
            codec: .h264, speed: "ultrafast", size: PixelSize(width: 64, height: 64))), trim: nil)
    }
  }

  /// Renders a movie's video.
  private func render(
    _ demuxer: Demuxer, _ bytes: [UInt8], _ work: TrackRendering.Work, trim: TimeSpan?
  ) throws {
    try folder.write([], to: "result.mp4")
    let target = try #require(FileHandle(forWritingAtPath: folder.path("result.mp4")))
    let source = try MovieFile(demuxer, size: UInt64(bytes.count), readsPackets: true) {
      Array(bytes.dropFirst(Int($0)).prefix($1))
    }
    let rendering = MovieRendering(
      container: .mp4, tracks: [TrackRendering(index: 0, work: work)], trim: trim, threads: 1)
    let maker = try MovieMaker(
      source, rendering, descriptor: target.fileDescriptor, creationTime: nil,
      keepsChapters: false, displays: [:], toneTable: { _, _ in nil })
    _ = try maker.make { _ in }
  }

  /// Copies and re-encodes parts of a movie. Its times make no sense, so the result does not matter.
  private func renderParts(_ demuxer: Demuxer, _ bytes: [UInt8]) {
    let encoding = VideoEncoding(
      codec: .h264, speed: "ultrafast", size: PixelSize(width: 64, height: 48))
    for work in [TrackRendering.Work.copy, .encodeVideo(encoding)] {
      for trim in [nil, TimeSpan(start: 0.5, end: 0.8), TimeSpan(start: 1e9, end: 1e12)] {
        try? render(demuxer, bytes, work, trim: trim)
      }
    }
  }

  /// RFC 9559 §5.1.3.1: a cluster's timestamp in units of a millisecond. As microseconds it has more than 64 bits.
  @Test func latestTimesOfMatroskaEndNoProcess() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "mpeg4",
      "-output_ts_offset", "9000000000000", folder.path("a.mkv"),
    ])
    var bytes = try folder.bytes("a.mkv")
    let clusters = bytes.indices.dropLast(8).filter { bytes[$0] == 0xE7 && bytes[$0 + 1] == 0x87 }
    try #require(!clusters.isEmpty)
    for start in clusters {
      bytes.replaceSubrange(
        start + 2..<start + 9, with: [0x7F] + [UInt8](repeating: 0xFF, count: 6))
    }
    renderParts(.matroska, bytes)
  }

  /// ISO/IEC 14496-12 §8.8.12: the first decoding time of a fragment, here in units of half a nanosecond. Most of the
  /// 64 bits are used; those of a later part do not suffice.
  @Test func latestTimesOfMP4EndNoProcess() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "mpeg4",
      "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-video_track_timescale",
      "2000000000", folder.path("a.mp4"),
    ])
    var bytes = try folder.bytes("a.mp4")
    let name = Array("tfdt".utf8)
    let fragments = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4].elementsEqual(name) }
    try #require(!fragments.isEmpty)
    for start in fragments {
      // 2^63 is 0x80 and zeros.
      bytes[start + 8] |= 0x70
    }
    renderParts(.quickTime, bytes)
  }
}
