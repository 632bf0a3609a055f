import Glibc
package import MediaEdits
import MediaModel

/// A coding of CIE 1976 L*a*b*, as in TIFFs. Relative to D50, unless another white point is set.
package struct LabColor: Sendable {
  /// The lightness of the largest stored value.
  private let lightness: Float
  /// a and b of the smallest stored value, and of the largest.
  private let least: SIMD2<Float>
  private let most: SIMD2<Float>
  /// From XYZ to linear sRGB (IEC 61966-2-1, Bradford's adaptation).
  private var toSRGB = LabColor.sRGBFromD50
  /// XYZ of lightness 100.
  private var white = LabColor.d50

  /// CIELab, where half of the range is 0 for a and b (TIFF 6.0 §23).
  ///
  /// - Parameters:
  ///   - isDeep: whether values have 16 bits: a and b in steps of 1/256.
  ///   - isICC: whether lightness 100 is 65280 in 16 bits (TIFF Technical Note 4).
  package init(isDeep: Bool, isICC: Bool = false) {
    lightness = isDeep && isICC ? 100 * 65_535 / 65_280 : 100
    least = SIMD2(repeating: -128)
    most = SIMD2(repeating: isDeep ? 32_767 / 256 : 127)
  }

  /// The coding of fax machines, by its default ranges (ITU-T T.42 §6.4.2).
  package static let fax = LabColor(
    lightness: 100, least: SIMD2(-85, -75), most: SIMD2(85, 125))

  private init(lightness: Float, least: SIMD2<Float>, most: SIMD2<Float>) {
    (self.lightness, self.least, self.most) = (lightness, least, most)
  }

  /// The same coding relative to another white point, such as D65; unchanged if the point is impossible.
  ///
  /// - Parameter white: CIE x and y.
  package func relative(to white: SIMD2<Float>) -> LabColor {
    guard let found = Primaries.sRGB(fromXYZOf: white) else { return self }
    var result = self
    (result.toSRGB, result.white) = found
    return result
  }

  /// From XYZ relative to D50 to linear sRGB (IEC 61966-2-1, Bradford's adaptation).
  private static let sRGBFromD50 = Matrix3(
    SIMD3(3.1338561, -1.6168667, -0.4906146), SIMD3(-0.9787684, 1.9161415, 0.0334540),
    SIMD3(0.0719453, -0.2289914, 1.4052427))

  /// D50, the white of profiles (ICC.1:2022 §7.2.16).
  private static let d50 = SIMD3<Float>(0.9642, 1, 0.8249)

  /// The picture in sRGB, of the same layout.
  ///
  /// - Parameter raster: L, a and b in place of red, green and blue; grey is returned unchanged.
  package func convert(_ raster: Raster) -> Raster {
    guard !raster.layout.isGray, raster.planes.count == 1 else { return raster }
    var target = raster
    let isDeep = raster.layout.isDeep
    let last: Float = isDeep ? 65_535 : 255
    let channels = raster.layout.hasAlpha ? 4 : 3
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    for first in stride(
      from: 0, to: raster.size.width * raster.size.height * channels, by: channels)
    {
      var stored = SIMD3<Float>()
      for index in 0..<3 {
        stored[index] =
          isDeep ? Float(source.sample(first + index)) : Float(source[first + index])
      }
      let color = sRGB(stored / last)
      for index in 0..<3 {
        let value = Int(SRGB.value(min(max(color[index], 0), 1)) * last + 0.5)
        if isDeep {
          result.set(UInt16(value), at: first + index)
        } else {
          result[first + index] = UInt8(value)
        }
      }
    }
    target.planes[0].bytes = result
    return target
  }

  /// Linear sRGB of stored values, 0–1 (CIE 15:2018 §8.2.1).
  private func sRGB(_ stored: SIMD3<Float>) -> SIMD3<Float> {
    let ab = least + (most - least) * SIMD2(stored.y, stored.z)
    let y = (stored.x * lightness + 16) / 116
    let light = SIMD3(Self.light(y + ab.x / 500), Self.light(y), Self.light(y - ab.y / 200))
    return toSRGB * (light * white)
  }

  private static func light(_ value: Float) -> Float {
    value > 6 / 29 ? value * value * value : (value - 4 / 29) * 108 / 841
  }
}
