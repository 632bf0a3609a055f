import Glibc
package import MediaEdits
import MediaModel

/// An ICC profile that describes RGB by three curves and a matrix, as those of displays and cameras do, or
/// grey by one curve (ICC.1:2022 §8.3.3, §8.3.4).
package struct ICCProfile: Sendable {
  /// From linear RGB to linear sRGB; nil for grey.
  private let toSRGB: Matrix3?
  /// Light for each stored value.
  private let curves: [[Float]]

  /// Limits on tags and curve points; larger profiles are not supported.
  private static let maximumTags = 128
  private static let maximumPoints = 65_536

  /// From XYZ relative to D50, as in profiles, to linear sRGB (IEC 61966-2-1, Bradford's adaptation).
  static let sRGBFromD50 = Matrix3(
    SIMD3(3.1338561, -1.6168667, -0.4906146), SIMD3(-0.9787684, 1.9161415, 0.0334540),
    SIMD3(0.0719453, -0.2289914, 1.4052427))

  /// Nil for profiles of other kinds: with lookup tables, or for CMYK.
  ///
  /// - Parameter isDeep: whether to convert 16-bit values rather than 8-bit ones.
  package init?(_ bytes: [UInt8], isDeep: Bool = false) {
    let space = Self.space(bytes)
    guard Self.text(bytes, 36) == "acsp", space == "RGB " || space == "GRAY",
      Self.text(bytes, 20) == "XYZ " || space == "GRAY",
      let count = Self.number(bytes, 128), count <= Self.maximumTags
    else { return nil }
    var tags: [String: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 132 + index * 12
      guard let offset = Self.number(bytes, entry + 4), let size = Self.number(bytes, entry + 8),
        offset <= bytes.count, size <= bytes.count - offset
      else { continue }
      tags[Self.text(bytes, entry)] = offset..<(offset + size)
    }
    let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0].flatMap { Self.xyz(bytes, $0) } }
    let names = space == "GRAY" ? ["kTRC"] : ["rTRC", "gTRC", "bTRC"]
    let last = isDeep ? 65_535 : 255
    let curves = names.compactMap { tags[$0].flatMap { Self.curve(bytes, $0, last: last) } }
    if space == "GRAY", let curve = curves.first {
      toSRGB = nil
      self.curves = [curve]
      return
    }
    guard columns.count == 3, curves.count == 3 else { return nil }
    toSRGB =
      Self.sRGBFromD50
      * Matrix3(
        SIMD3(columns[0].x, columns[1].x, columns[2].x),
        SIMD3(columns[0].y, columns[1].y, columns[2].y),
        SIMD3(columns[0].z, columns[1].z, columns[2].z))
    self.curves = curves
  }

  /// Whether the colour space is sRGB, within the precision of 8 bits.
  private var isSRGB: Bool {
    (toSRGB?.isIdentity(within: 0.004) ?? true)
      && curves.allSatisfy { curve in
        let step = 255 / Float(curve.count - 1)
        return curve.indices.allSatisfy {
          (SRGB.value(curve[$0]) * 255 - Float($0) * step).magnitude < 1
        }
      }
  }

  /// The picture in sRGB.
  ///
  /// - Parameter raster: of the depth that the profile was read for, grey for a grey profile; others are
  ///   returned unchanged.
  package func convert(_ raster: Raster) -> Raster {
    isSRGB ? raster : converted(raster, curves, toSRGB)
  }

  /// A profile's colour space: `RGB `, `GRAY`, `CMYK` …
  package static func space(_ bytes: [UInt8]) -> String { text(bytes, 16) }

  private static func text(_ bytes: [UInt8], _ offset: Int) -> String {
    guard offset >= 0, offset <= bytes.count - 4 else { return "" }
    return String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, width: Int = 4) -> Int? {
    guard offset >= 0, offset <= bytes.count - width else { return nil }
    return bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// s15Fixed16Number (§4.6).
  private static func fixed(_ bytes: [UInt8], _ offset: Int) -> Float? {
    number(bytes, offset).map { Float(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }

  private static func xyz(_ bytes: [UInt8], _ range: Range<Int>) -> SIMD3<Float>? {
    let start = range.lowerBound + 8
    guard range.count >= 20, let x = fixed(bytes, start), let y = fixed(bytes, start + 4),
      let z = fixed(bytes, start + 8)
    else { return nil }
    return SIMD3(x, y, z)
  }

  /// Light for each stored value, 0–1; nil if any value is not finite.
  ///
  /// - Parameter last: the largest stored value, 255 or 65535.
  private static func curve(_ bytes: [UInt8], _ range: Range<Int>, last: Int) -> [Float]? {
    guard let curve = writtenCurve(bytes, range, last), curve.allSatisfy(\.isFinite) else {
      return nil
    }
    return curve.map { min(max($0, 0), 1) }
  }

  /// The values of a `curv` (§10.6) or `para` (§10.18) element; they may be infinite or NaN.
  private static func writtenCurve(
    _ bytes: [UInt8], _ range: Range<Int>, _ last: Int
  ) -> [Float]? {
    let start = range.lowerBound
    guard range.count >= 12 else { return nil }
    let inputs = (0...last).map { Float($0) / Float(last) }
    if text(bytes, start) == "para", let kind = number(bytes, start + 8, width: 2) {
      let wanted = [1, 3, 4, 5, 7]
      guard wanted.indices.contains(kind), range.count >= 12 + 4 * wanted[kind] else { return nil }
      let values = (0..<wanted[kind]).compactMap { fixed(bytes, start + 12 + 4 * $0) }
      return inputs.map { parametric(kind, values, $0) }
    }
    guard text(bytes, start) == "curv", let count = number(bytes, start + 8),
      count <= maximumPoints, range.count >= 12 + 2 * count
    else { return nil }
    if count == 0 { return inputs }
    let points = (0..<count).compactMap { number(bytes, start + 12 + 2 * $0, width: 2) }
    if count == 1 { return inputs.map { powf($0, Float(points[0]) / 256) } }
    return inputs.map { input in
      let place = input * Float(count - 1)
      let index = min(Int(place), count - 2)
      let share = place - Float(index)
      return (Float(points[index]) * (1 - share) + Float(points[index + 1]) * share) / 65_535
    }
  }

  /// The functions of §10.18, table 68.
  private static func parametric(_ kind: Int, _ p: [Float], _ x: Float) -> Float {
    switch kind {
    case 0: powf(x, p[0])
    case 1: x >= -p[2] / p[1] ? powf(max(p[1] * x + p[2], 0), p[0]) : 0
    case 2: (x >= -p[2] / p[1] ? powf(max(p[1] * x + p[2], 0), p[0]) : 0) + p[3]
    case 3: x >= p[4] ? powf(max(p[1] * x + p[2], 0), p[0]) : p[3] * x
    default: x >= p[4] ? powf(max(p[1] * x + p[2], 0), p[0]) + p[5] : p[3] * x + p[6]
    }
  }
}
