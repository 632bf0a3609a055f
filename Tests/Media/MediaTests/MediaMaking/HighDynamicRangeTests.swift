import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

/// A still and its clip in HLG and PQ become the same picture, in which SDR colours are unchanged and paper white has its
/// documented level. The formulas of ITU-R BT.2100 make the sources; ffmpeg and ImageMagick read the results.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .heifDecoder, .imageMagick)))
struct HighDynamicRangeTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  /// Light in BT.2020 for each patch, in cd/m², and the expected sRGB; nil where it follows from no document.
  private static let patches: [(light: [Double], expected: [Double]?)] = {
    // From linear BT.709 to BT.2020 (ITU-R BT.2087).
    let matrix = [
      [0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956],
    ]
    func light(_ color: [Double]) -> [Double] {
      matrix.map { row in 203 * zip(row, color).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    func sRGB(_ color: [Double]) -> [Double] {
      color.map { 255 * ($0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055) }
    }
    // Shares of paper white, within the part of the range that is unchanged.
    let colors: [[Double]] = [
      [0, 0, 0], [0.02, 0.02, 0.02], [0.18, 0.18, 0.18], [0.4, 0.4, 0.4], [0.5, 0.5, 0.5],
      [0.48, 0.1, 0.08], [0.1, 0.4, 0.12], [0.08, 0.12, 0.45], [0.45, 0.3, 0.2], [0.48, 0.4, 0.1],
      [0.2, 0.4, 0.5],
    ]
    let known = colors.map { (light: light($0), expected: Optional(sRGB($0))) }
    // Paper white is 0.75 of white.
    let paper = (light: light([1, 1, 1]), expected: Optional(sRGB([0.75, 0.75, 0.75])))
    let bright = [[1.5, 1.5, 1.5], [3, 3, 3], [4, 2, 1], [1, 3, 4]].map {
      (light: light($0), expected: [Double]?.none)
    }
    return known + [paper] + bright
  }()

  private static let paperIndex = 11
  private static let side = 32

  /// BT.2100: the stored values, 0–1, of light in cd/m².
  private func stored(_ light: [Double], _ transfer: String) -> [Double] {
    if transfer == "smpte2084" {
      return light.map { light in
        let power = pow(light / 10_000, 2610.0 / 16_384)
        return pow(
          (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
      }
    }
    // The inverse of the display's OOTF for 1000 cd/m², with system gamma 1.2.
    let luminance = (0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]) / 1000
    return light.map { light in
      let scene = luminance > 0 ? light / 1000 * pow(luminance, (1 - 1.2) / 1.2) : 0
      return scene <= 1.0 / 12
        ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
  }

  @Test(arguments: [("arib-std-b67", "18"), ("smpte2084", "16")])
  func stillsAndClipsAreAlike(transfer: String, code: String) async throws {
    let (side, count) = (Self.side, Self.patches.count)
    let row = Self.patches.flatMap { patch in
      let pixel = stored(patch.light, transfer).flatMap { value -> [UInt8] in
        let level = UInt16(min(max(value, 0), 1) * 65_535 + 0.5)
        return [UInt8(level & 0xFF), UInt8(level >> 8)]
      }
      return (0..<side).flatMap { _ in pixel }
    }
    try clips.folder.write((0..<side).flatMap { _ in row }, to: "raw")
    let size = "\(side * count)x\(side)"
    let raw = [
      "-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", size, "-r", "25", "-stream_loop", "4", "-i",
      clips.folder.path("raw"),
    ]
    try await clips.make(
      "clip.mov",
      raw + [
        "-vf",
        "scale=out_color_matrix=bt2020:out_range=limited,format=yuv420p10le,"
          + Tool.tagging(primaries: "bt2020", transfer: transfer, matrix: "bt2020nc"),
        "-c:v", "libx265", "-preset", "ultrafast", "-crf", "4", "-x265-params", "log-level=none",
      ])
    try await clips.make("still.png", raw + ["-frames:v", "1"])
    try await Tool.heifEncoder.run([
      "-q", "98", "-b", "10", "--colour_primaries=9", "--transfer_characteristic=" + code,
      "--matrix_coefficients=9", clips.folder.path("still.png"), "-o",
      clips.folder.path("still.heic"),
    ])
    var rendering = MovieRendering.mp4(
      .encodeVideo(
        VideoEncoding(
          codec: .h264, quality: 12, speed: "ultrafast",
          size: PixelSize(width: side * count, height: side))))
    rendering.container = .quickTime
    try clips.mustRender("clip.mov", to: "sdr.mov", rendering)
    _ = try clips.folder.mustRender(
      "still.heic", .picture(.heic, PictureRendering(quality: 98)), to: "sdr.jpg")
    let png = try clips.folder.mustRender(
      "still.heic", .picture(.heic, PictureRendering(format: .png)), to: "sdr.png")
    #expect(
      png.notes == ["A PNG of high dynamic range cannot be made: the result is SDR."])
    try await clips.make(
      "frame.ppm",
      [
        "-i", clips.folder.path("sdr.mov"), "-frames:v", "1", "-vf",
        "scale=in_color_matrix=bt709:in_range=limited:flags=accurate_rnd", "-pix_fmt", "rgb24",
      ])
    let (still, frame) = try await (
      clips.folder.pixels("sdr.jpg"), clips.folder.pixels("frame.ppm")
    )
    try #require(still.count == side * side * count * 3 && frame.count == still.count)
    for (name, pixels) in [("still", still), ("clip", frame)] {
      for (index, patch) in Self.patches.enumerated() {
        guard let expected = patch.expected else { continue }
        let found = color(of: pixels, index)
        #expect(colorDifference(found, expected) <= 2.5, "\(name): \(found), not \(expected)")
      }
      let paper = color(of: pixels, Self.paperIndex)
      // 1 % of 224.6, which is 0.75 of white in sRGB.
      for channel in paper { #expect(abs(channel - 224.6) <= 2.25, "\(name): \(paper)") }
    }
    let differences = stride(from: 0, to: still.count, by: 3).map { pixel in
      colorDifference(
        (0..<3).map { Double(still[pixel + $0]) }, (0..<3).map { Double(frame[pixel + $0]) })
    }
    #expect(differences.reduce(0, +) / Double(differences.count) <= 2)
  }

  /// The colour in the middle of a patch.
  private func color(of pixels: [UInt8], _ index: Int) -> [Double] {
    let width = Self.side * Self.patches.count
    let pixel = Self.side / 2 * width + index * Self.side + Self.side / 2
    return (0..<3).map { Double(pixels[pixel * 3 + $0]) }
  }
}
