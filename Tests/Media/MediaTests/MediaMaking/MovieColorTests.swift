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

/// Colours and sizes that the result cannot keep.
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

  /// ffmpeg's conversion of the same clip.
  private func referenceLuma() async throws -> Double {
    try await clips.make(
      "reference.mp4",
      ["-i", clips.folder.path("a.mov"), "-vf", "scale=320:240:out_range=tv,format=yuv420p"])
    return try await clips.meanLuma("reference.mp4")
  }

  /// Ten-bit video tagged HLG or PQ.
  @Test(arguments: [("arib-std-b67", "hlg"), ("smpte2084", "pq")])
  func highDynamicRangeBecomesBT709(transfer: String, range: String) async throws {
    let tags = Tool.tagging(primaries: "bt2020", transfer: transfer, matrix: "bt2020nc")
    try await clips.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4", "-vf", "format=yuv420p10le," + tags,
        "-c:v", "libx265", "-preset", "ultrafast", "-crf", "10",
        "-x265-params", "log-level=none", "-tag:v", "hvc1",
      ])
    let track = try #require(try clips.describe("a.mp4").tracks.first)
    #expect(track.dynamicRange.rawValue == range)
    #expect(track.bitDepth == 10)

    try clips.mustRender("a.mp4", to: "sdr.mp4", .mp4(.h264(320, 240)))
    let sdr = try await clips.probe("sdr.mp4")
    #expect(sdr["color_transfer"] == "bt709")
    #expect(sdr["color_space"] == "bt709")
    #expect(sdr["color_primaries"] == "bt709")
    #expect(sdr["pix_fmt"] == "yuv420p")
    try clips.mustRender("a.mp4", to: "hdr.mp4", .mp4(.hevc(320, 240)))
    let hdr = try await clips.probe("hdr.mp4")
    #expect(hdr["color_transfer"] == transfer)
    #expect(hdr["pix_fmt"] == "yuv420p10le")
    #expect(hdr["codec_tag_string"] == "hvc1")
    try await clips.mustDecode("hdr.mp4")
  }

  /// RGB is converted to the result's tagged colours; ProRes has its own tags. The decoded colours are the
  /// same.
  @Test(arguments: [VideoEncoding.Codec.h264, .hevc, .proRes422, .proRes4444])
  func resultsAreTaggedWithTheirColors(codec: VideoEncoding.Codec) async throws {
    try await clips.make(
      "a.mov",
      [
        "-f", "lavfi", "-i", "color=red:s=64x64:r=25:d=0.2,format=rgb24", "-c:v", "png",
      ])
    var rendering = MovieRendering.mp4(
      .encodeVideo(
        VideoEncoding(
          codec: codec, quality: 12, speed: "ultrafast", size: PixelSize(width: 64, height: 64))))
    rendering.container = .quickTime
    try clips.mustRender("a.mov", to: "b.mov", rendering)
    let picture = try await clips.probe("b.mov")
    #expect(picture["color_space"] == "bt709")
    #expect(picture["color_transfer"] == "bt709")
    #expect(picture["color_primaries"] == "bt709")
    try await clips.make(
      "b.ppm", ["-i", clips.folder.path("b.mov"), "-frames:v", "1", "-pix_fmt", "rgb24"])
    let pixel = try clips.folder.bytes("b.ppm").suffix(3)
    for (value, wanted) in zip(pixel, [255, 0, 0]) { #expect(abs(Int(value) - wanted) < 8) }
  }

  /// HDR10's metadata, as ffprobe reads it from the first frame or from the container.
  private func lightLevels(_ name: String, of part: String) async throws -> [String] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v:0", "-show_" + part, "-read_intervals", "%+#1", "-of",
      "default=nw=1", clips.folder.path(name),
    ])
    let keys = [
      "red_x", "red_y", "green_x", "green_y", "blue_x", "blue_y", "white_point_x",
      "white_point_y", "min_luminance", "max_luminance", "max_content", "max_average",
    ]
    return text.split(separator: "\n").map(String.init)
      .filter { line in keys.contains { line.hasPrefix($0 + "=") } }
  }

  /// The sources have it in their streams only, as from cameras and libx265. A second conversion reads it from
  /// the result's container.
  @Test(arguments: ["mp4", "mkv", "ts"])
  func theMasteringDisplayIsKept(kind: String) async throws {
    let display =
      "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
    let source = "a." + kind
    try await clips.make(
      source,
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4", "-pix_fmt", "yuv420p10le", "-c:v",
        "libx265", "-preset", "ultrafast", "-color_primaries", "bt2020", "-color_trc",
        "smpte2084", "-colorspace", "bt2020nc", "-x265-params",
        "log-level=none:repeat-headers=1:master-display=" + display,
      ])
    let wanted = try await lightLevels(source, of: "frames")
    #expect(wanted.count == 12)
    try clips.mustRender(source, to: "b.mp4", .mp4(.hevc(160, 120)))
    #expect(try await lightLevels("b.mp4", of: "frames") == wanted)
    #expect(try await lightLevels("b.mp4", of: "streams").count == 12)
    try clips.mustRender("b.mp4", to: "c.mp4", .mp4(.hevc(160, 120)))
    #expect(try await lightLevels("c.mp4", of: "frames") == wanted)
    try clips.mustRender(source, to: "sdr.mp4", .mp4(.h264(160, 120)))
    #expect(try await lightLevels("sdr.mp4", of: "frames").isEmpty)
  }
}
