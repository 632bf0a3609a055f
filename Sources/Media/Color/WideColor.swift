import Glibc
package import MediaEdits
import MediaModel

/// A colour space that is given by a few numbers rather than a profile.
package struct WideColor: Sendable {
  /// Nil for sRGB's primaries.
  private let toSRGB: Matrix3?
  /// The exponent from stored values to light; nil for sRGB's own curve.
  private let exponent: Float?
  /// What a profile for these colours is made of; nil where sRGB has nearly all of them, and for linear light, of which
  /// eight bits have too few shadows.
  package private(set) var profile: ProfileNumbers?

  /// What an ICC profile says of a colour space.
  package struct ProfileNumbers: Sendable, Hashable {
    /// CIE x and y of white, red, green and blue.
    package var chromaticities: [Double]
    /// The exponent from stored values to light; nil for sRGB's own curve.
    package var exponent: Double?
    /// The colour space's usual name.
    package var name: String
  }

  /// Adobe RGB (1998) §4.3.1: D65, and the exponent 2 + 51/256.
  package static let adobeRGB = WideColor(
    gamma: 256.0 / 563,
    chromaticities: [0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])

  /// From ITU-T H.273's numbers; nil if they are sRGB's, or unknown.
  ///
  /// - Parameters:
  ///   - primaries: of §8.1.
  ///   - transfer: of §8.2. The curves of television are taken for sRGB's, as pictures with them are shown.
  package init?(primaries: Int?, transfer: Int?) {
    let known = primaries.flatMap { $0 == 1 ? nil : Primaries(code: $0) }
    let matrix = known?.toSRGB
    let exponent: Float? =
      switch transfer {
      case 4: 2.2
      case 5: 2.8
      case 8: 1
      default: nil
      }
    guard matrix != nil || exponent != nil else { return nil }
    toSRGB = matrix
    self.exponent = exponent
    if let primaries, let known, exponent != 1, let name = Primaries.wideName(code: primaries) {
      profile = ProfileNumbers(
        chromaticities: known.numbers, exponent: exponent.map(Double.init), name: name)
    }
  }

  /// From a PNG's `gAMA` and `cHRM` (PNG specification, third edition, §11.3.2). Nil if they are sRGB's,
  /// within a hundredth, or impossible.
  ///
  /// - Parameters:
  ///   - gamma: the exponent from light to stored values, as 0.45455; nil for sRGB's own curve.
  ///   - chromaticities: CIE x and y of white, red, green and blue; nil for sRGB's.
  package init?(gamma: Double?, chromaticities: [Double]?) {
    guard gamma.map({ (0.05...5).contains($0) }) ?? true else { return nil }
    var matrix: Matrix3?
    if let chromaticities {
      guard let primaries = Primaries(chromaticities), let found = primaries.toSRGB
      else { return nil }
      // sRGB's chromaticities, rounded to five digits, do not give exactly its matrix.
      matrix = found.isIdentity(within: 0.01) ? nil : found
    }
    // With sRGB's primaries 1/2.2 is the usual approximation of its curve.
    let isPlain = gamma.map { abs($0 - 1 / 2.2) < 0.005 } ?? true
    guard !isPlain || matrix != nil else { return nil }
    toSRGB = matrix
    exponent = gamma.map { Float(1 / $0) }
  }

  /// The picture in sRGB.
  ///
  /// - Parameter raster: with all channels in one plane; others are returned unchanged. Grey stays grey.
  package func convert(_ raster: Raster) -> Raster {
    if raster.layout.isGray, exponent == nil { return raster }
    let last = raster.layout.isDeep ? 65_535 : 255
    let curve = (0...last).map { number in
      let value = Float(number) / Float(last)
      return exponent.map { powf(value, $0) } ?? SRGB.light(value)
    }
    return raster.layout.isGray
      ? converted(raster, [curve], nil)
      : converted(raster, [curve, curve, curve], toSRGB ?? .identity)
  }
}
