import CodecMessages
import Foundation
import MediaModel
import MediaTools
import Testing

@testable import Codec

/// Colours and sizes that the result cannot have as they are.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieColorTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  @Test func oddSizesFullRangeAndManyChannels() async throws {
    try await clips.make(
      "a.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=321x241:r=25:d=1", "-f", "lavfi", "-i",
        "anoisesrc=d=1:r=48000,aformat=channel_layouts=5.1", "-c:v", "mjpeg", "-pix_fmt",
        "yuvj444p", "-c:a", "pcm_s24le",
      ])
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.h264(320, 240), .aac))
    let picture = try await clips.probe("b.mp4")
    #expect(picture["pix_fmt"] == "yuv420p")
    #expect(picture["width"] == "320")
    #expect(try await clips.probe("b.mp4", "a:0")["channels"] == "2")
    #expect(abs(try await clips.meanLuma("b.mp4") - referenceLuma()) < 2)
  }

  /// ffmpeg's own conversion of the same clip.
  private func referenceLuma() async throws -> Double {
    try await clips.make(
      "reference.mp4",
      ["-i", clips.folder.path("a.mov"), "-vf", "scale=320:240:out_range=tv,format=yuv420p"])
    return try await clips.meanLuma("reference.mp4")
  }

  /// Ten-bit values that are called HLG and PQ; ffmpeg's own chain of filters says what they are in SDR.
  @Test(arguments: [("arib-std-b67", "hlg"), ("smpte2084", "pq")])
  func highDynamicRangeBecomesBT709(transfer: String, range: String) async throws {
    let tags = "-color_primaries bt2020 -color_trc \(transfer) -colorspace bt2020nc"
    try await clips.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4", "-pix_fmt", "yuv420p10le", "-c:v",
        "libx265", "-preset", "ultrafast", "-crf", "10",
        "-x265-params", "log-level=none", "-tag:v", "hvc1",
      ] + tags.split(separator: " ").map(String.init))
    let track = try #require(try clips.describe("a.mp4").tracks.first)
    #expect(track.dynamicRange.rawValue == range)
    #expect(track.bitDepth == 10)

    try clips.mustRender("a.mp4", to: "sdr.mp4", .mp4(.h264(320, 240)))
    let sdr = try await clips.probe("sdr.mp4")
    #expect(sdr["color_transfer"] == "bt709")
    #expect(sdr["color_space"] == "bt709")
    #expect(sdr["color_primaries"] == "bt709")
    #expect(sdr["pix_fmt"] == "yuv420p")
    try await clips.make(
      "reference.mp4",
      [
        "-i", clips.folder.path("a.mp4"), "-vf",
        "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,"
          + "zscale=t=bt709:m=bt709:r=tv,format=yuv420p",
      ])
    let reference = try await clips.meanLuma("reference.mp4")
    #expect(abs(try await clips.meanLuma("sdr.mp4") - reference) < 3)

    try clips.mustRender("a.mp4", to: "hdr.mp4", .mp4(.hevc(320, 240)))
    let hdr = try await clips.probe("hdr.mp4")
    #expect(hdr["color_transfer"] == transfer)
    #expect(hdr["pix_fmt"] == "yuv420p10le")
    #expect(hdr["codec_tag_string"] == "hvc1")
    try await clips.mustDecode("hdr.mp4")
  }
}
