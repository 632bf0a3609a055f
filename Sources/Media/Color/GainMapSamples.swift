import Glibc
package import MediaEdits
package import MediaModel

/// Converts the samples of Apple's gain maps to the scale of ISO 21496-1.
package enum GainMapSamples {
  /// The samples on a logarithmic scale: 0 for no gain, 255 for `headroom`.
  ///
  /// Apple codes the gain's share with sRGB's curve: the gain of a sample is 1 + (headroom − 1) · linear(sample).
  ///
  /// - Parameters:
  ///   - raster: of layout `gray8`.
  ///   - headroom: above 1.
  package static func logarithmic(_ raster: Raster, headroom: Double) -> Raster {
    let table = (0...255).map { sample -> UInt8 in
      let share = Double(SRGB.light(Float(sample) / 255))
      let gain = 1 + (headroom - 1) * share
      return UInt8(min(max((255 * log2(gain) / log2(headroom)).rounded(), 0), 255))
    }
    var result = raster
    result.planes[0].bytes = raster.planes[0].bytes.map { table[Int($0)] }
    return result
  }

  /// A part of a map that lies between its samples, in linear interpolation.
  ///
  /// - Parameters:
  ///   - part: in samples, from the upper left corner.
  ///   - size: of the result; about as many samples as the part has.
  /// - Returns: nil for layouts other than `gray8` and `rgb8`, and for an empty size.
  package static func part(
    _ part: (x: Double, y: Double, width: Double, height: Double), of raster: Raster,
    size: PixelSize
  ) -> Raster? {
    let channels = raster.layout.bytesPerPixel
    guard raster.layout == .gray8 || raster.layout == .rgb8,
      var result = Raster(size: size, layout: raster.layout)
    else { return nil }
    let columns = Self.positions(part.x, part.width, count: size.width, in: raster.size.width)
    let rows = Self.positions(part.y, part.height, count: size.height, in: raster.size.height)
    let source = raster.planes[0]
    var bytes = result.planes[0].bytes
    result.planes[0].bytes = []
    var place = 0
    for row in rows {
      let (upper, lower) = (row.first * source.bytesPerRow, row.second * source.bytesPerRow)
      for column in columns {
        for channel in 0..<channels {
          let (left, right) = (
            column.first * channels + channel, column.second * channels + channel
          )
          let top = Self.between(
            source.bytes[upper + left], source.bytes[upper + right], column.share)
          let bottom = Self.between(
            source.bytes[lower + left], source.bytes[lower + right], column.share)
          bytes[place] = UInt8(top + (bottom - top) * row.share + 0.5)
          place += 1
        }
      }
    }
    result.planes[0].bytes = bytes
    return result
  }

  private static func between(_ first: UInt8, _ second: UInt8, _ share: Double) -> Double {
    Double(first) + (Double(second) - Double(first)) * share
  }

  /// For each sample of a result the two of the source around its centre, and the second one's share.
  private static func positions(
    _ start: Double, _ length: Double, count: Int, in limit: Int
  ) -> [(first: Int, second: Int, share: Double)] {
    (0..<count).map { index in
      let center = start + (Double(index) + 0.5) * length / Double(count) - 0.5
      let position = min(max(center, 0), Double(limit - 1))
      let first = Int(position)
      return (first, min(first + 1, limit - 1), position - Double(first))
    }
  }
}
