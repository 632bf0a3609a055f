import Glibc
package import MediaEdits
import MediaModel

/// Converts pictures of high dynamic range to sRGB.
///
/// Light up to four fifths of paper white keeps its brightness: 162 of 203 cd/m² (ITU-R BT.2408). The rest of
/// sRGB's range is for brighter light, up to the picture's peak. There each pixel follows a Möbius curve by
/// its strongest colour, so that hues are kept. The curve begins with slope 1 and reaches white at the peak.
/// Paper white itself becomes 0.90 of white, stored as 243 to 245 of 255, at any peak.
///
/// The curve of ITU-R BT.2390-10 §5.4.1 is not used: it is for displays brighter than paper, and at a peak of
/// 10,000 cd/m² it would map paper white to 111 cd/m².
package struct ToneMapping {
  package enum Transfer: Sendable {
    /// SMPTE ST 2084.
    case pq
    /// ITU-R BT.2100 hybrid log-gamma on its nominal display of 1000 cd/m².
    case hlg

    /// - Parameter code: of ITU-T H.273 §8.2; nil for other transfer functions.
    package init?(code: Int) {
      switch code {
      case 16: self = .pq
      case 18: self = .hlg
      default: return nil
      }
    }
  }

  /// Paper white in cd/m².
  private static let white: Float = 203
  private static let gainSteps = 4096

  private let transfer: Transfer
  private let toSRGB: Matrix3
  /// Light for each stored value: cd/m² for PQ, scene light for HLG.
  private let light: [Float]

  /// - Parameter primaries: of ITU-T H.273 §8.1; BT.2020 is assumed if they are unknown.
  package init?(_ transfer: Transfer, primaries: Int?) {
    guard let matrix = (primaries.flatMap { Primaries(code: $0) } ?? Primaries(code: 9))?.toSRGB
    else { return nil }
    self.transfer = transfer
    toSRGB = matrix
    let isPQ = transfer == .pq
    light = (0...65_535).map { step in
      let value = Float(step) / 65_535
      return isPQ ? Self.pqLight(value) : Self.hlgLight(value)
    }
  }

  /// - Parameter raster: of layout `rgb16` or `rgba16`.
  /// - Returns: the picture in layout `rgb8` or `rgba8`, its transparency unchanged; nil for another layout.
  package func apply(_ raster: Raster) -> Raster? {
    guard raster.layout == .rgb16 || raster.layout == .rgba16,
      var target = Raster(size: raster.size, layout: raster.layout.hasAlpha ? .rgba8 : .rgb8)
    else { return nil }
    let channels = target.layout.bytesPerPixel
    let peak = transfer == .pq ? brightest(of: raster) : 1000
    let gains = Self.gains(peak: peak)
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    for pixel in 0..<(raster.size.width * raster.size.height) {
      let first = pixel * channels
      var color = SIMD3(
        light[source.sample(first)], light[source.sample(first + 1)],
        light[source.sample(first + 2)])
      if transfer == .hlg { color = Self.displayLight(scene: color) }
      let strongest = min(max(color.max(), 0), peak)
      let step = (strongest / peak).squareRoot() * Float(Self.gainSteps - 1)
      let mapped = toSRGB * (color * (gains[Int(step)] / Self.white))
      for channel in 0..<3 { result[first + channel] = SRGB.byte(mapped[channel]) }
      if channels == 4 { result[first + 3] = UInt8(source.sample(first + 3) >> 8) }
    }
    target.planes[0].bytes = result
    return target
  }

  /// The picture's peak in cd/m², without its few brightest pixels.
  private func brightest(of raster: Raster) -> Float {
    let source = raster.planes[0].bytes
    let channels = raster.layout.hasAlpha ? 4 : 3
    var histogram = [Int](repeating: 0, count: 1024)
    let count = raster.size.width * raster.size.height
    var sampled = 0
    for pixel in stride(from: 0, to: count, by: max(1, count / 1_000_000)) {
      let first = pixel * channels
      let strongest = max(
        source.sample(first), source.sample(first + 1), source.sample(first + 2))
      histogram[strongest >> 6] += 1
      sampled += 1
    }
    var brighter = 0
    for bin in histogram.indices.reversed() {
      brighter += histogram[bin]
      if brighter * 2000 > sampled { return max(light[bin << 6 | 63], Self.white) }
    }
    return Self.white
  }

  /// The share of paper white up to which light is unchanged.
  private static let knee: Float = 0.8

  /// The factors for light, by the square root of its share of the peak.
  ///
  /// The curve is FFmpeg's `tonemap=mobius` with `param` 0.8, in shares of paper white.
  ///
  /// - Parameter peak: cd/m², at least paper white.
  private static func gains(peak: Float) -> [Float] {
    let top = peak / white
    guard top > 1 else { return [Float](repeating: 1, count: gainSteps) }
    let a = -knee * knee * (top - 1) / (knee * knee - 2 * knee + top)
    let b = (knee * knee - 2 * knee * top + top) / (top - 1)
    let scale = (b * b + 2 * b * knee + knee * knee) / (b - a)
    return (0..<gainSteps).map { step in
      let share = Float(step) / Float(gainSteps - 1)
      let value = share * share * top
      return value > knee ? scale * (value + a) / (value + b) / value : 1
    }
  }

  /// SMPTE ST 2084: cd/m² for a stored value of 0–1.
  private static func pqLight(_ value: Float) -> Float {
    let root = powf(value, 1 / 78.84375)
    return 10_000
      * powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
  }

  /// BT.2100: scene light, 0–1, for a stored value of 0–1.
  private static func hlgLight(_ value: Float) -> Float {
    let (a, b, c): (Float, Float, Float) = (0.17883277, 0.28466892, 0.55991073)
    return value <= 0.5 ? value * value / 3 : (expf((value - c) / a) + b) / 12
  }

  /// BT.2100: the nominal display's light in cd/m² for scene light.
  private static func displayLight(scene: SIMD3<Float>) -> SIMD3<Float> {
    let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
    return scene * (1000 * powf(max(luminance, 1e-6), 0.2))
  }
}

extension [UInt8] {
  /// One of the 16-bit values in these bytes, little-endian.
  func sample(_ index: Int) -> Int {
    Int(self[index * 2]) | Int(self[index * 2 + 1]) << 8
  }
}
