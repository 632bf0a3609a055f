import Glibc
import MediaEdits
import MediaModel

/// Converts a picture to sRGB: curves to linear light, a matrix, and sRGB's own curve.
///
/// - Parameters:
///   - curves: light for each stored value, 256 or 65536 of them according to the raster's depth: one curve
///     for grey, three for colours.
///   - matrix: from linear RGB to linear sRGB; nil for grey.
/// - Returns: the raster unchanged if curves and matrix do not match it.
func converted(_ raster: Raster, _ curves: [[Float]], _ matrix: Matrix3?) -> Raster {
  let layout = raster.layout
  let isOfDepth = curves.allSatisfy { $0.count == (layout.isDeep ? 65_536 : 256) }
  guard raster.planes.count == 1, isOfDepth, layout.isGray == (matrix == nil) else { return raster }
  var target = raster
  let source = raster.planes[0].bytes
  switch (layout.isDeep, matrix) {
  case (false, nil):
    let table = curves[0].map { SRGB.byte($0) }
    target.planes[0].bytes = source.map { table[Int($0)] }
  case (true, nil):
    let table = curves[0].map { SRGB.word($0) }
    for index in 0..<(source.count / 2) {
      target.planes[0].bytes.set(table[source.sample(index)], at: index)
    }
  case (let isDeep, let matrix?):
    convert(&target.planes[0].bytes, curves, matrix, layout.hasAlpha ? 4 : 3, isDeep: isDeep)
  }
  return target
}

/// - Parameter channels: channels a pixel, the first three of which are colours.
private func convert(
  _ bytes: inout [UInt8], _ curves: [[Float]], _ matrix: Matrix3, _ channels: Int, isDeep: Bool
) {
  let (red, green, blue) = (curves[0], curves[1], curves[2])
  let count = isDeep ? bytes.count / 2 : bytes.count
  for start in stride(from: 0, to: count - 2, by: channels) {
    let stored =
      isDeep
      ? (bytes.sample(start), bytes.sample(start + 1), bytes.sample(start + 2))
      : (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
    let color = matrix * SIMD3(red[stored.0], green[stored.1], blue[stored.2])
    for channel in 0..<3 {
      if isDeep {
        bytes.set(SRGB.word(color[channel]), at: start + channel)
      } else {
        bytes[start + channel] = SRGB.byte(color[channel])
      }
    }
  }
}

extension [UInt8] {
  /// Sets one of the 16-bit values in these bytes, little-endian.
  mutating func set(_ value: UInt16, at index: Int) {
    self[index * 2] = UInt8(value & 0xFF)
    self[index * 2 + 1] = UInt8(value >> 8)
  }
}

extension SRGB {
  /// The stored 16-bit value for any light; see ``byte(_:)``.
  static func word(_ light: Float) -> UInt16 {
    guard light > 0 else { return 0 }
    return UInt16(value(min(light, 1)) * 65_535 + 0.5)
  }
}

extension Matrix3 {
  static let identity = Matrix3(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// Whether it changes no colour by more than `tolerance`; one step of 8 bits is 0.004.
  func isIdentity(within tolerance: Float) -> Bool {
    zip(rows, Self.identity.rows).allSatisfy { row, wanted in
      (0..<3).allSatisfy { (row[$0] - wanted[$0]).magnitude < tolerance }
    }
  }
}
