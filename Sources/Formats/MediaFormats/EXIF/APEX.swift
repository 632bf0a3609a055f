/// Values in the APEX system (Exif 3.0 annex C), which counts exposure in powers of two.
package enum APEX {
  /// Larger values are not exposures of pictures; exiftool has the same limit.
  private static let maximum = 100.0

  /// Seconds for a `ShutterSpeedValue`; nil if it is implausible.
  package static func exposureTime(shutterSpeedValue value: Double) -> Double? {
    abs(value) < maximum ? powerOfTwo(-value) : nil
  }

  /// The f-number for an `ApertureValue`; nil if it is implausible. Some writers store 0 for an unknown aperture.
  package static func fNumber(apertureValue value: Double) -> Double? {
    value > 0 && value < maximum ? powerOfTwo(value / 2) : nil
  }

  /// The ISO speed for a logarithmic sensitivity; nil if it is implausible.
  ///
  /// - Parameters:
  ///   - steps: the number of steps that double the speed.
  ///   - hundred: the sensitivity that means ISO 100.
  static func iso(_ value: Double, steps: Double, hundred: Double) -> Int? {
    let exponent = (value - hundred) / steps
    guard abs(exponent) < 20 else { return nil }
    return Int(100 * powerOfTwo(exponent) + 0.5)
  }

  /// 2 to the power of a number between −1000 and 1000, without the C mathematics library: the bits of the fraction
  /// select square roots of square roots of two.
  static func powerOfTwo(_ exponent: Double) -> Double {
    var whole = Int(exponent)
    if Double(whole) > exponent { whole -= 1 }
    var fraction = exponent - Double(whole)
    var (root, product) = (2.0, 1.0)
    for _ in 0..<52 where fraction > 0 {
      root = root.squareRoot()
      fraction *= 2
      if fraction >= 1 {
        product *= root
        fraction -= 1
      }
    }
    return Double(sign: .plus, exponent: whole, significand: product)
  }
}
