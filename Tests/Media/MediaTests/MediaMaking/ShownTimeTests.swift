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

/// How long frames are shown where a container does not record it, or FFmpeg does not read it. Expected times follow
/// from the frame rates and filters with which ffmpeg makes the sources.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct ShownTimeTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private func duration(_ name: String) async throws -> Double {
    try #require(try await clips.probe(name)["duration"].flatMap { Double($0) })
  }

  /// 20 frames in two thirds of a second, and one after a second more, as screen recorders write them.
  @Test(arguments: [
    ("a.mp4", "0", 0.1, 0.55, 14), ("a.mp4", "2", 0.1, 0.55, 14), ("a.mp4", "0", 0.5, 1.6, 5),
    ("a.mp4", "2", 0.5, 1.6, 5), ("a.mkv", "2", 0.5, 1.6, 6),
  ])
  func `the last frame of a part is shown until its end`(
    name: String, bFrames: String, from: Double, to: Double, count: Int
  ) async throws {
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-f", "lavfi", "-i", "sine=d=2",
        "-vf", "select='lt(n,20)+eq(n,50)'", "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", "-bf", bFrames, "-c:a", "aac",
      ])
    let trim = TimeSpan(start: from, end: to)
    for work in [TrackRendering.Work.h264(160, 120), .hevc(160, 120)] {
      try clips.mustRender(name, to: "b.mp4", .mp4(work, .aac, trim: trim))
      #expect(try await clips.times("b.mp4").count == count)
      // The last packet that is decoded may be shown earlier than the last one.
      #expect(abs(try await duration("b.mp4") - (to - from)) < 0.034)
    }
  }

  /// AVI has decoding times alone, and FFmpeg's decoder returns the last frames without any.
  @Test(arguments: [["mpeg4"], ["libx264", "-pix_fmt", "yuv420p", "-bsf:v", "h264_mp4toannexb"]])
  func `frames without times follow the frame before`(codec: [String]) async throws {
    try await clips.makeBars("a.avi", ["-c:v"] + codec + ["-bf", "2", "-c:a", "mp3"])
    try clips.mustRender("a.avi", to: "b.mp4", .mp4(.h264(320, 240), .aac))
    let times = try await clips.times("b.mp4")
    #expect(times.count == 30)
    for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 1 / 30) < 0.001) }
    let trim = TimeSpan(start: 0.5, end: 2)
    try clips.mustRender("a.avi", to: "c.mp4", .mp4(.h264(320, 240), .aac, trim: trim))
    let last = try #require(try await clips.times("c.mp4").last)
    let whole = try #require(times.last)
    // The whole result begins with the audio.
    #expect(abs(last + 0.5 - whole) < 0.002)
  }

  /// The clock in the coded video ticks 1200 times a second, as in clips of an iPhone application.
  @Test func `a copy lasts as long as its source`() async throws {
    try await clips.make(
      "a.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=15:d=1", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", "-bf", "2", "-bsf:v", "h264_metadata=tick_rate=1200", "-video_track_timescale",
        "600",
      ])
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.copy))
    #expect(abs(try await duration("b.mp4") - 1) < 0.002)
    try clips.mustRender("a.mov", to: "c.mp4", .mp4(.h264(160, 120)))
    #expect(abs(try await duration("c.mp4") - 1) < 0.002)
  }

  /// A DVD records when frames are shown once in a group of pictures (ISO/IEC 13818-1 §2.7.4 asks for every 0.7 s).
  @Test func `a copy without presentation times is re-encoded`() async throws {
    try await clips.makeBars(
      "a.mpg", seconds: "2",
      ["-c:v", "mpeg2video", "-b:v", "1M", "-bf", "2", "-g", "12", "-c:a", "mp2", "-f", "vob"])
    try clips.folder.write(Self.removingTimes(try clips.folder.bytes("a.mpg")), to: "b.mpg")
    let rendering = MovieRendering(
      container: .mp4,
      tracks: try clips.describe("b.mpg").tracks.filter { [.video, .audio].contains($0.kind) }
        .map { track in
          TrackRendering(
            index: track.index, work: .copy,
            substitute: track.kind == .video ? .h264(320, 240) : nil)
        }, threads: 1)
    let result = try clips.mustRender("b.mpg", to: "c.mp4", rendering)
    #expect(
      result.notes == [
        "The video track has frames of which the file does not record when they are shown: it is re-encoded."
      ])
    #expect(result.isReencoded)
    let times = try await clips.times("c.mp4")
    #expect(times.count == 60)
    for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 1 / 30) < 0.001) }
  }

  /// Overwrites the times of all packets of video but each twelfth with stuffing bytes (ISO/IEC 13818-1 §2.4.3.6).
  private static func removingTimes(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var number = 0
    for start in bytes.indices.dropLast(20)
    where bytes[start..<start + 4].elementsEqual([0, 0, 1, 0xE0]) && bytes[start + 7] >> 6 != 0 {
      if number % 12 != 0 {
        let length = bytes[start + 7] >> 6 == 3 ? 10 : 5
        bytes[start + 7] &= 0x3F
        for index in start + 9..<start + 9 + length { bytes[index] = 0xFF }
      }
      number += 1
    }
    return bytes
  }

  /// Cameras split recordings so that the clock goes on from the file before.
  @Test(arguments: [TrackRendering.Work.copy, .h264(320, 240)])
  func `a part of fragments counts from their first time`(work: TrackRendering.Work) async throws {
    try await clips.makeBars(
      "a.mp4", seconds: "2",
      [
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "15", "-bf", "0", "-c:a", "aac",
        "-output_ts_offset", "10", "-movflags", "frag_keyframe+empty_moov+delay_moov",
      ])
    let trim = TimeSpan(start: 0.55, end: 1.05)
    try clips.mustRender("a.mp4", to: "b.mp4", .mp4(work, .aac, trim: trim))
    let count = try await clips.times("b.mp4").count
    #expect(work == .copy ? (15...18).contains(count) : (15...16).contains(count))
  }
}
