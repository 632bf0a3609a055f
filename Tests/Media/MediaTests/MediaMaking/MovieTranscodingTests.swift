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

/// Tracks that are decoded, filtered and re-encoded.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieTranscodingTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// A white square in the upper left corner and a red one in the upper right, turned by each display matrix;
  /// ffmpeg's players use the same matrix.
  @Test(arguments: [90, 180, 270])
  func rotationIsApplied(angle: Int) async throws {
    try await clips.makeBars("b.mp4", ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac"])
    try await clips.folder.turn("b.mp4", by: angle)
    let size = angle == 180 ? (320, 240) : (240, 320)
    try clips.mustRender("b.mp4", to: "c.mp4", .mp4(.h264(size.0, size.1), .copy))
    let picture = try await clips.probe("c.mp4")
    #expect(picture["rotation"] == nil)
    #expect(picture["width"] == String(size.0))
    #expect(try await similarity("b.mp4", "c.mp4") > 0.97)
  }

  /// The mean SSIM of two clips as ffmpeg shows them.
  private func similarity(_ first: String, _ second: String) async throws -> Double {
    let log = clips.folder.path("ssim.txt")
    let form = "settb=1/25,setpts=N,format=yuv420p"
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(first), "-i", clips.folder.path(second),
      "-filter_complex",
      // Frames are compared by their numbers, so both clips need one time base.
      "[0:v]\(form)[a];[1:v]\(form)[b];[a][b]ssim=f=\(log)", "-f", "null", "-",
    ])
    let values = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix("All:") }.flatMap {
          Double($0.dropFirst(4))
        }
      }
    try #require(!values.isEmpty)
    return values.reduce(0, +) / Double(values.count)
  }

  @Test func mirroringIsApplied() async throws {
    try await clips.makeBars("a.mp4", ["-c:v", "mpeg4", "-q:v", "2", "-an"])
    // The matrix is in the track's header; its first number is the horizontal scale.
    var bytes = try clips.folder.bytes("a.mp4")
    let header = try #require(bytes.firstRange(of: Array("tkhd".utf8))).lowerBound
    let matrix = header + 4 + 40
    try #require(Array(bytes[matrix..<(matrix + 4)]) == [0, 1, 0, 0])
    bytes.replaceSubrange(matrix..<(matrix + 4), with: [0xFF, 0xFF, 0, 0])
    try clips.folder.write(bytes, to: "b.mp4")
    try await clips.make("mirrored.mp4", ["-i", clips.folder.path("a.mp4"), "-vf", "hflip"])
    try clips.mustRender("b.mp4", to: "c.mp4", .mp4(.h264(320, 240)))
    #expect(try await similarity("mirrored.mp4", "c.mp4") > 0.95)
  }

  @Test func framesKeepTheirUnevenTimes() async throws {
    // Every third frame is missing, every seventh is late.
    try await clips.make(
      "a.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-vf",
        "select='mod(n,3)',setpts='PTS+if(mod(N,7),0,0.01/TB)'", "-fps_mode", "passthrough",
        "-enc_time_base", "1/600", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3",
      ])
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.h264(160, 120)))
    let source = try await clips.times("a.mov")
    let result = try await clips.times("b.mp4")
    #expect(source.count == result.count)
    #expect(zip(source, result).allSatisfy { abs(($0 - source[0]) - ($1 - result[0])) < 0.0011 })
  }

  /// One white frame and one beep each second: the frame turns white when the beep begins.
  @Test(arguments: ["a.mov", "a.mkv", "a.avi"])
  func audioStaysInSync(name: String) async throws {
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i",
        "color=black:s=160x120:r=25:d=5,geq=lum='if(lt(mod(N,25),1),235,16)':cb=128:cr=128",
        "-f", "lavfi", "-i",
        "aevalsrc='if(lt(mod(t,1),0.04),sin(2*PI*1000*t),0)':s=44100:d=5", "-c:v", "mpeg4",
        "-q:v", "3", "-c:a", "pcm_s16le",
      ])
    try clips.mustRender(name, to: "b.mp4", .mp4(.h264(160, 120), .aac))
    let flashes = try await flashTimes("b.mp4")
    let beeps = try await beepTimes("b.mp4")
    #expect(flashes.count == 5)
    // The first beep begins with the file: no silence ends there.
    #expect(beeps.count >= 4)
    for beep in beeps {
      let nearest = flashes.map { abs($0 - beep) }.min() ?? 1
      #expect(nearest < 0.02, "beep at \(beep), flashes at \(flashes)")
    }
  }

  private func flashTimes(_ name: String) async throws -> [Double] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-f", "lavfi", "-i", "movie=\(clips.folder.path(name)),signalstats",
      "-show_entries", "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
    ])
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",").compactMap { Double($0) }
      return fields.count == 2 && fields[1] > 128 ? fields[0] : nil
    }
  }

  private func beepTimes(_ name: String) async throws -> [Double] {
    let text = try await Tool.ffprobe.run([
      "-v", "error", "-f", "lavfi", "-i",
      "amovie=\(clips.folder.path(name)),silencedetect=n=-30dB:d=0.1", "-show_entries",
      "frame_tags=lavfi.silence_end", "-of", "csv=p=0",
    ])
    return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
  }

  @Test func aTrimIsExactToTheFrame() async throws {
    try await clips.makeBars(
      "a.mp4", rate: "25", seconds: "4", ["-c:v", "libx264", "-g", "100", "-c:a", "aac"])
    let result = try clips.mustRender(
      "a.mp4", to: "b.mp4", .mp4(.h264(320, 240), .aac, trim: TimeSpan(start: 1.32, end: 2.6)))
    #expect(result.notes.isEmpty)
    #expect(try await clips.times("b.mp4").count == 32)
    try await clips.make(
      "exact.mp4", ["-ss", "1.32", "-to", "2.6", "-i", clips.folder.path("a.mp4"), "-an"])
    #expect(try await similarity("exact.mp4", "b.mp4") > 0.95)
    let sound = try #require(Double(try await clips.probe("b.mp4", "a:0")["duration"] ?? ""))
    #expect(abs(sound - 1.28) < 0.04)
  }

  @Test func interlacedVideoIsDeinterlaced() async throws {
    try await clips.make(
      "a.mpg",
      [
        "-f", "lavfi", "-i", "testsrc2=s=720x576:r=50:d=1", "-vf", "interlace,setfield=tff",
        "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-b:v", "8M",
      ])
    let track = try #require(try clips.describe("a.mpg").tracks.first)
    #expect(track.isInterlaced)
    try clips.mustRender("a.mpg", to: "b.mp4", .mp4(.h264(720, 576)))
    #expect(try await clips.probe("b.mp4")["field_order"] == "progressive")
    try await clips.mustDecode("b.mp4")
  }

  /// Of these, only the frames say that they are two fields.
  @Test(arguments: [
    ("a.dv", "dvvideo"), ("a.avi", "dvvideo"), ("a.avi", "mpeg4"), ("a.mp4", "mpeg4"),
  ])
  func `frames of two fields are deinterlaced`(name: String, codec: String) async throws {
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=720x576:r=50:d=1,scroll=h=0.03", "-vf",
        "tinterlace=interleave_bottom,fieldorder=bff", "-r", "25", "-c:v", codec, "-pix_fmt",
        "yuv420p", "-flags", "+ildct+ilme", "-q:v", "3",
      ])
    #expect(try await clips.probe(name)["field_order"] == "unknown")
    try await clips.make(
      "expected.mkv",
      ["-i", clips.folder.path(name), "-vf", "bwdif=mode=send_frame", "-c:v", "ffv1"])
    try clips.mustRender(name, to: "b.mp4", .mp4(.h264(720, 576)))
    #expect(try await similarity("expected.mkv", "b.mp4") > 0.95)
    #expect(try await clips.times("b.mp4") == clips.times(name))
  }

  @Test func theFrameRateIsLimited() async throws {
    try await clips.makeBars("a.mp4", rate: "60", ["-c:v", "mpeg4", "-c:a", "aac"])
    try clips.mustRender("a.mp4", to: "b.mp4", .mp4(.h264(320, 240, maxFrameRate: 30), .copy))
    #expect(try await clips.times("b.mp4").count == 30)
  }

  /// libx265's lookahead is longer than this clip.
  @Test func aSingleFrameIsAVideo() async throws {
    try await clips.make(
      "a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.04", "-c:v", "mpeg4"])
    for round in 1...5 {
      try clips.mustRender("a.mp4", to: "\(round).mp4", .mp4(.hevc(320, 240)))
      #expect(try await clips.times("\(round).mp4").count == 1)
    }
  }

  @Test func proResAndUncompressedAudio() async throws {
    try await clips.makeBars("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    var rendering = MovieRendering.mp4(
      .encodeVideo(
        VideoEncoding(codec: .proRes422, size: PixelSize(width: 320, height: 240))),
      .encodeAudio(AudioEncoding(codec: .pcm)))
    rendering.container = .quickTime
    try clips.mustRender("a.mp4", to: "b.mov", rendering)
    #expect(try await clips.probe("b.mov")["codec_tag_string"] == "apcn")
    #expect(try await clips.probe("b.mov", "a:0")["codec_name"] == "pcm_s16le")
    try await clips.mustDecode("b.mov")
  }

  /// Overwrites bytes in the middle of a clip of which every frame is a key frame.
  @Test func aDamagedVideoFails() async throws {
    try await clips.makeBars("a.mov", ["-c:v", "mjpeg", "-q:v", "3", "-an"])
    var bytes = try clips.folder.bytes("a.mov")
    for index in (bytes.count / 4)..<(bytes.count / 2) { bytes[index] = UInt8(index * 31 % 251) }
    try clips.folder.write(bytes, to: "b.mov")
    let reply = try clips.render("b.mov", to: "c.mp4", .mp4(.h264(320, 240)))
    guard case .failed(let failure) = reply else {
      throw ToolFailure(description: "the damaged clip was rendered")
    }
    #expect(failure.reason == .damaged)
  }
}
