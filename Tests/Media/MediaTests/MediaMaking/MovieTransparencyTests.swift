import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// VP8 and VP9 store transparency in a second frame; ffmpeg reads it with libvpx's decoders, which it must be
/// told to use.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieTransparencyTests {
  @Test(arguments: [("libvpx", "libvpx"), ("libvpx-vp9", "libvpx-vp9")])
  func isKeptInProRes(encoder: String, decoder: String) async throws {
    let clips = try MovieClips()
    try await clips.make(
      "a.webm",
      [
        "-f", "lavfi", "-i",
        "color=red:s=64x64:r=10:d=0.5,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)'"
          + ":cr='cr(X,Y)':a='if(lt(X,32),0,255)'",
        "-c:v", encoder, "-auto-alt-ref", "0", "-b:v", "1M",
      ])
    #expect(try clips.describe("a.webm").tracks.first?.pixelFormat == "yuva420p")
    var rendering = MovieRendering.mp4(
      .encodeVideo(
        VideoEncoding(codec: .proRes4444, size: PixelSize(width: 64, height: 64))))
    rendering.container = .quickTime
    try clips.mustRender("a.webm", to: "b.mov", rendering)
    let alpha = "format=yuva444p10le,alphaextract,format=gray,"
    let left = try await clips.meanLuma("b.mov", filters: alpha + "crop=24:64:0:0,")
    let right = try await clips.meanLuma("b.mov", filters: alpha + "crop=24:64:40:0,")
    #expect(left < 8)
    #expect(right > 247)
  }
}
