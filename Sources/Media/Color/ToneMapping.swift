import Glibc
package import MediaEdits
import MediaModel

/// Converts pictures of high dynamic range to sRGB, stills and video frames alike.
///
/// Each pixel follows a ``HighlightCurve`` by the strongest of its colours in sRGB, so that hues are kept. The curve
/// depends on the transfer function alone: not on a picture's content, which would make videos flicker and stills
/// differ from their clips, nor on the light levels that a file declares.
package struct ToneMapping: Sendable {
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

    /// The light that becomes white, in cd/m²: that of HLG's nominal display, and of the brightest displays on which
    /// pictures in PQ are made.
    fileprivate var peak: Float { self == .pq ? 4000 : 1000 }
  }

  private static let gainSteps = 8192

  private let transfer: Transfer
  private let toSRGB: Matrix3
  /// Light for each stored value: cd/m² for PQ, scene light for HLG.
  private let light: [Float]
  /// From cd/m² to light in sRGB, 0–1, by the square root of the strongest colour's share of the peak.
  private let gains: [Float]

  /// - Parameter primaries: of ITU-T H.273 §8.1; BT.2020 is assumed if they are unknown.
  package init?(_ transfer: Transfer, primaries: Int?) {
    guard let matrix = (primaries.flatMap { Primaries(code: $0) } ?? Primaries(code: 9))?.toSRGB
    else { return nil }
    self.transfer = transfer
    toSRGB = matrix
    let isPQ = transfer == .pq
    light = (0...65_535).map { step in
      let value = Float(step) / 65_535
      return isPQ ? PerceptualQuantizer.light(value) : Self.hlgLight(value)
    }
    let (curve, peak) = (HighlightCurve(peak: transfer.peak), transfer.peak)
    gains = (0...Self.gainSteps).map { step in
      let share = Float(step) / Float(Self.gainSteps)
      let light = share * share * peak
      return light > 0 ? curve.value(light) / light : 1 / HighlightCurve.paperWhite
    }
  }

  /// - Parameter raster: of layout `rgb16` or `rgba16`.
  /// - Returns: the picture in layout `rgb8` or `rgba8`, its transparency unchanged; nil for another layout.
  package func apply(_ raster: Raster) -> Raster? {
    guard raster.layout == .rgb16 || raster.layout == .rgba16,
      var target = Raster(size: raster.size, layout: raster.layout.hasAlpha ? .rgba8 : .rgb8)
    else { return nil }
    let channels = target.layout.bytesPerPixel
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    for pixel in 0..<(raster.size.width * raster.size.height) {
      let first = pixel * channels
      let mapped = mapped(
        source.sample(first), source.sample(first + 1), source.sample(first + 2))
      for channel in 0..<3 { result[first + channel] = SRGB.byte(mapped[channel]) }
      if channels == 4 { result[first + 3] = UInt8(source.sample(first + 3) >> 8) }
    }
    target.planes[0].bytes = result
    return target
  }

  /// log2 of the brightest light that a gain map of a converted picture restores, over paper white.
  package var headroom: Double { Double(log2(transfer.peak / HighlightCurve.paperWhite)) }

  /// The gain map of a converted picture: for each pixel the light before ``apply(_:)`` over that after it, on the
  /// logarithmic scale of ISO 21496-1 from 0 to ``headroom``. One gain is right for all colours, since the curve keeps
  /// their ratios; colours outside sRGB stay as sRGB shows them.
  ///
  /// - Parameter raster: of layout `rgb16` or `rgba16`, before its conversion.
  /// - Returns: the samples in layout `gray8`; nil for another layout.
  package func gainMap(_ raster: Raster) -> Raster? {
    guard raster.layout == .rgb16 || raster.layout == .rgba16,
      var target = Raster(size: raster.size, layout: .gray8)
    else { return nil }
    let samples = gains.map { gain -> UInt8 in
      let stops = -log2(gain * HighlightCurve.paperWhite) / Float(headroom)
      return UInt8(min(max(stops, 0), 1) * 255 + 0.5)
    }
    let channels = raster.layout.hasAlpha ? 4 : 3
    let source = raster.planes[0].bytes
    target.planes[0].bytes = (0..<(raster.size.width * raster.size.height)).map { pixel in
      let first = pixel * channels
      let color = displayLight(
        source.sample(first), source.sample(first + 1), source.sample(first + 2))
      let place = min((max(color.max(), 0) / transfer.peak).squareRoot(), 1)
      return samples[Int(place * Float(Self.gainSteps) + 0.5)]
    }
    return target
  }

  /// The points of ``table`` for each colour.
  private static let tablePoints = 64

  /// The conversion as a table of 64³ colours for video filters: a picture of 512 × 512 pixels in `rgb16`, red first, then
  /// green, then blue, as FFmpeg's filter `haldclut` expects it.
  ///
  /// Input and result are stored values in full range. The result has sRGB's curve: browsers, phones and computers show
  /// video that is tagged BT.709 with the display's own curve, and that is how a clip looks like its still.
  package var table: Raster? {
    let points = Self.tablePoints
    guard var raster = Raster(size: PixelSize(width: 512, height: 512), layout: .rgb16)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(points * points * points * 6)
    let levels = (0..<points).map { $0 * 65_535 / (points - 1) }
    for blue in levels {
      for green in levels {
        for red in levels {
          let mapped = mapped(red, green, blue)
          for channel in 0..<3 {
            let value = SRGB.word(mapped[channel])
            bytes.append(UInt8(value & 0xFF))
            bytes.append(UInt8(value >> 8))
          }
        }
      }
    }
    raster.planes[0].bytes = bytes
    return raster
  }

  /// Light in sRGB, not clipped, for stored values.
  private func mapped(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Float> {
    let color = displayLight(red, green, blue)
    let strongest = max(color.max(), 1e-6)
    let place = min((strongest / transfer.peak).squareRoot(), 1) * Float(Self.gainSteps)
    let step = min(Int(place), Self.gainSteps - 1)
    let share = place - Float(step)
    var gain = gains[step] * (1 - share) + gains[step + 1] * share
    // In PQ, and in sRGB for a saturated colour of BT.2020, light may be stronger than the peak.
    if strongest > transfer.peak { gain = 1 / strongest }
    return color * gain
  }

  /// cd/m² in sRGB's primaries, for stored values.
  private func displayLight(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Float> {
    var color = SIMD3(light[red], light[green], light[blue])
    if transfer == .hlg { color = Self.displayLight(scene: color) }
    return toSRGB * color
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
