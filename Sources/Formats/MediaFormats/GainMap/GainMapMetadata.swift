import Glibc

/// How the samples of a gain map change a picture's light (ISO 21496-1:2025 §5, Ultra HDR image format 1.1).
///
/// For a sample `s` of 0–1, the light of the alternate picture is
/// `(base + baseOffset) · 2^(minimum + (maximum − minimum) · s^(1 / gamma)) − alternateOffset`, where 1 is the light of
/// SDR's white.
package struct GainMapMetadata: Sendable, Hashable {
  /// The parameters of one colour, or of all three.
  package struct Channel: Sendable, Hashable {
    /// log2 of the gain at sample 0.
    package var minimum: Double
    /// log2 of the gain at sample 1.
    package var maximum: Double
    /// The exponent of the stored samples; above 0.
    package var gamma: Double
    package var baseOffset: Double
    package var alternateOffset: Double

    package init(
      minimum: Double, maximum: Double, gamma: Double = 1, baseOffset: Double = 0,
      alternateOffset: Double = 0
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// One for all colours, or red, green and blue.
  package var channels: [Channel]
  /// log2 of the brightest light over SDR's white that the base picture is for; 0 for SDR.
  package var baseHeadroom: Double
  /// The same of the alternate picture.
  package var alternateHeadroom: Double
  /// Whether the gain applies in the base picture's colour space, and not in the alternate one's.
  package var usesBaseColorSpace: Bool

  package init(
    channels: [Channel], baseHeadroom: Double = 0, alternateHeadroom: Double,
    usesBaseColorSpace: Bool = true
  ) {
    self.channels = channels
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.usesBaseColorSpace = usesBaseColorSpace
  }

  /// The largest power of two that real pictures could need; PQ's peak is less than 6 above SDR's white.
  private static let largestExponent = 32.0

  /// The smallest difference of headrooms; a smaller one is invisible, and lost where numbers have six decimals.
  private static let smallestDifference = 0.001

  /// Whether the numbers are such as the formula allows.
  package var isValid: Bool {
    let exponents =
      channels.flatMap { [$0.minimum, $0.maximum] } + [baseHeadroom, alternateHeadroom]
    let offsets = channels.flatMap { [$0.baseOffset, $0.alternateOffset] }
    return (channels.count == 1 || channels.count == 3)
      && exponents.allSatisfy { $0.magnitude <= Self.largestExponent }
      && offsets.allSatisfy { $0.magnitude <= 1 }
      && baseHeadroom >= 0 && alternateHeadroom >= 0
      && (alternateHeadroom - baseHeadroom).magnitude >= Self.smallestDifference
      && channels.allSatisfy { $0.minimum <= $0.maximum && $0.gamma > 0.01 && $0.gamma < 100 }
  }

  /// Whether the base picture is for SDR displays, or at least for less than the alternate one.
  package var brightens: Bool { alternateHeadroom > baseHeadroom }

  /// Apple's gain map, once its samples are on the logarithmic scale of ISO 21496-1.
  ///
  /// - Parameter headroom: the gain of the brightest sample, above 1.
  package static func apple(headroom: Double) -> GainMapMetadata {
    GainMapMetadata(
      channels: [Channel(minimum: 0, maximum: log2(headroom))], alternateHeadroom: log2(headroom))
  }
}

/// What a file says of a gain map.
package enum GainMapDescription: Sendable, Hashable {
  /// The samples are on a logarithmic scale, as ISO 21496-1 has it.
  case standard(GainMapMetadata)
  /// The samples are the gain, coded with sRGB's curve: the gain is 1 + (headroom − 1) · linear(sample).
  case apple(headroom: Double)
  /// Why the map cannot be used, as the end of the sentence "Its gain map …".
  case unusable(String)
}
