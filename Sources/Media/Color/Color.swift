// Color: the meaning of the numbers in a picture, and their conversion.
//
// A JPEG that every program shows correctly has 8 bits per channel and is sRGB or contains an ICC profile. Pictures in
// HDR, in wide colour without a profile, in CMYK or with transparency are converted to that. This module is arithmetic
// on rasters, from published formulas. It knows no file format and no library.
import Glibc

/// A 3 × 3 matrix.
struct Matrix3: Sendable, Hashable {
  var rows: [SIMD3<Float>]

  init(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
    rows = [first, second, third]
  }

  static func * (matrix: Matrix3, vector: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      (matrix.rows[0] * vector).sum(), (matrix.rows[1] * vector).sum(),
      (matrix.rows[2] * vector).sum())
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = (0..<3).map { column in
      left * SIMD3(right.rows[0][column], right.rows[1][column], right.rows[2][column])
    }
    return Matrix3(
      SIMD3(columns[0][0], columns[1][0], columns[2][0]),
      SIMD3(columns[0][1], columns[1][1], columns[2][1]),
      SIMD3(columns[0][2], columns[1][2], columns[2][2]))
  }

  /// Nil for a singular matrix.
  var inverse: Matrix3? {
    let (a, b, c) = (rows[0], rows[1], rows[2])
    let (bc, ca, ab) = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
    let determinant = (a * bc).sum()
    guard determinant.magnitude > 1e-9 else { return nil }
    return Matrix3(
      SIMD3(bc.x, ca.x, ab.x) / determinant, SIMD3(bc.y, ca.y, ab.y) / determinant,
      SIMD3(bc.z, ca.z, ab.z) / determinant)
  }

  private static func cross(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
      left.x * right.y - left.y * right.x)
  }
}

/// The primary colours and white point of an RGB colour space.
struct Primaries: Sendable, Hashable {
  /// CIE x and y chromaticities.
  var red: SIMD2<Float>
  var green: SIMD2<Float>
  var blue: SIMD2<Float>
  var white: SIMD2<Float> = displayWhite

  /// D65, the white of displays.
  private static let displayWhite = SIMD2<Float>(0.3127, 0.3290)

  static let bt709 = Primaries(
    red: SIMD2(0.640, 0.330), green: SIMD2(0.300, 0.600), blue: SIMD2(0.150, 0.060))
  private static let bt2020 = Primaries(
    red: SIMD2(0.708, 0.292), green: SIMD2(0.170, 0.797), blue: SIMD2(0.131, 0.046))
  /// ITU-R BT.470 B and G, of PAL and SECAM.
  private static let bt470BG = Primaries(
    red: SIMD2(0.640, 0.330), green: SIMD2(0.290, 0.600), blue: SIMD2(0.150, 0.060))
  /// SMPTE ST 170, of NTSC.
  private static let smpte170M = Primaries(
    red: SIMD2(0.630, 0.340), green: SIMD2(0.310, 0.595), blue: SIMD2(0.155, 0.070))
  private static let displayP3 = Primaries(
    red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690), blue: SIMD2(0.150, 0.060))

  /// ITU-R BT.470 M, of the first colour television, with illuminant C.
  private static let bt470M = Primaries(
    red: SIMD2(0.670, 0.330), green: SIMD2(0.210, 0.710), blue: SIMD2(0.140, 0.080),
    white: SIMD2(0.310, 0.316))
  /// SMPTE RP 431-2, of cinemas.
  private static let dciP3 = Primaries(
    red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690), blue: SIMD2(0.150, 0.060),
    white: SIMD2(0.314, 0.351))
  /// EBU Tech 3213-E.
  private static let ebu3213 = Primaries(
    red: SIMD2(0.630, 0.340), green: SIMD2(0.295, 0.605), blue: SIMD2(0.155, 0.077))

  private init(
    red: SIMD2<Float>, green: SIMD2<Float>, blue: SIMD2<Float>,
    white: SIMD2<Float> = displayWhite
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// - Parameter code: of ITU-T H.273 §8.1; nil for film (8), CIE XYZ (10) and unknown ones.
  init?(code: Int) {
    switch code {
    case 1: self = .bt709
    case 4: self = .bt470M
    case 5: self = .bt470BG
    case 6, 7: self = .smpte170M
    case 9: self = .bt2020
    case 11: self = .dciP3
    case 12: self = .displayP3
    case 22: self = .ebu3213
    default: return nil
    }
  }

  /// - Parameter numbers: CIE x and y of white, red, green and blue; nil for impossible values.
  init?(_ numbers: [Double]) {
    guard numbers.count == 8, numbers.allSatisfy({ $0 >= 0 && $0 <= 2 }),
      stride(from: 1, to: 8, by: 2).allSatisfy({ numbers[$0] > 0.001 })
    else { return nil }
    let pairs = stride(from: 0, to: 8, by: 2).map {
      SIMD2(Float(numbers[$0]), Float(numbers[$0 + 1]))
    }
    (white, red, green, blue) = (pairs[0], pairs[1], pairs[2], pairs[3])
  }

  /// CIE x and y of white, red, green and blue, in the digits in which standards have them.
  var numbers: [Double] {
    [white, red, green, blue].flatMap { [$0.x, $0.y] }.map { (Double($0) * 1e5).rounded() / 1e5 }
  }

  /// The usual name of a colour space with these primaries; nil for those that have hardly more colours than sRGB.
  static func wideName(code: Int) -> String? {
    switch code {
    case 9: "BT.2020"
    case 11: "DCI-P3"
    case 12: "Display P3"
    default: nil
    }
  }

  private static func light(_ color: SIMD2<Float>) -> SIMD3<Float> {
    SIMD3(color.x / color.y, 1, (1 - color.x - color.y) / color.y)
  }

  /// From linear RGB to CIE XYZ relative to its white (SMPTE RP 177).
  var toXYZ: Matrix3? {
    let white = Self.light(white)
    let columns = [red, green, blue].map(Self.light)
    let matrix = Matrix3(
      SIMD3(columns[0].x, columns[1].x, columns[2].x),
      SIMD3(columns[0].y, columns[1].y, columns[2].y),
      SIMD3(columns[0].z, columns[1].z, columns[2].z))
    guard let inverse = matrix.inverse else { return nil }
    let scale = inverse * white
    return Matrix3(matrix.rows[0] * scale, matrix.rows[1] * scale, matrix.rows[2] * scale)
  }

  /// From linear RGB of these primaries to linear sRGB.
  var toSRGB: Matrix3? {
    guard let toXYZ, let fromXYZ = Primaries.bt709.toXYZ?.inverse else { return nil }
    if white == Self.displayWhite { return fromXYZ * toXYZ }
    guard let adaptation = Self.adaptation(from: white) else { return nil }
    return fromXYZ * (adaptation * toXYZ)
  }

  /// From CIE XYZ, relative to a white point, to linear sRGB; nil for an impossible white point.
  ///
  /// - Returns: the matrix, and XYZ of the white point.
  static func sRGB(fromXYZOf white: SIMD2<Float>) -> (matrix: Matrix3, white: SIMD3<Float>)? {
    guard (0.1...0.7).contains(white.x), (0.1...0.7).contains(white.y), white.x + white.y < 1,
      let fromXYZ = Primaries.bt709.toXYZ?.inverse, let adaptation = adaptation(from: white)
    else { return nil }
    return (fromXYZ * adaptation, light(white))
  }

  /// Bradford's adaptation from a white point to D65 (ICC.1:2022 annex E).
  private static func adaptation(from white: SIMD2<Float>) -> Matrix3? {
    let cones = Matrix3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367),
      SIMD3(0.0389, -0.0685, 1.0296))
    let (seen, wanted) = (cones * light(white), cones * light(displayWhite))
    guard let back = cones.inverse, (0..<3).allSatisfy({ seen[$0].magnitude > 1e-6 })
    else { return nil }
    let scale = wanted / seen
    return back
      * Matrix3(cones.rows[0] * scale.x, cones.rows[1] * scale.y, cones.rows[2] * scale.z)
  }
}

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
  /// From a stored value, 0–1, to light, 0–1.
  static func light(_ value: Float) -> Float {
    value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
  }

  static func value(_ light: Float) -> Float {
    light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
  }

  /// The stored 8-bit value for light in steps of 1/65535.
  static let bytes: [UInt8] = (0...65_535).map {
    UInt8(value(Float($0) / 65_535) * 255 + 0.5)
  }

  /// The stored value for any light: values outside 0–1 are clipped, and NaN is black.
  static func byte(_ light: Float) -> UInt8 {
    guard light > 0 else { return 0 }
    return bytes[Int(min(light, 1) * 65_535 + 0.5)]
  }
}
