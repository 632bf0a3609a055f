package import MediaEdits
import MediaModel

/// Conversion between premultiplied alpha, which scaling needs and some files store, and straight alpha, which
/// PNG stores.
package enum Transparency {
  /// The picture with premultiplied alpha, in 16 bits for precision.
  ///
  /// - Parameter raster: of layout `rgba8` or `rgba16`, straight alpha; others are returned unchanged.
  package static func multiplied(_ raster: Raster) -> Raster {
    change(raster, to: .rgba16) { color, alpha in (color * alpha + 32_767) / 65_535 }
  }

  /// The picture with straight alpha; fully transparent pixels become black.
  ///
  /// - Parameters:
  ///   - raster: of layout `rgba8` or `rgba16`, premultiplied; others are returned unchanged.
  ///   - layout: `rgba8` or `rgba16`.
  package static func divided(_ raster: Raster, to layout: Raster.Layout) -> Raster {
    change(raster, to: layout) { color, alpha in
      alpha == 0 ? 0 : min((color * 65_535 + alpha / 2) / alpha, 65_535)
    }
  }

  /// - Parameter body: computes a colour from a colour and its alpha, all 0–65535.
  private static func change(
    _ raster: Raster, to layout: Raster.Layout, _ body: (Int, Int) -> Int
  ) -> Raster {
    guard raster.layout.hasAlpha, var target = Raster(size: raster.size, layout: layout)
    else { return raster }
    let source = raster.planes[0].bytes
    let isDeep = raster.layout.isDeep
    var result = target.planes[0].bytes
    for start in stride(from: 0, to: raster.size.width * raster.size.height * 4, by: 4) {
      let alpha = isDeep ? source.sample(start + 3) : Int(source[start + 3]) * 257
      for index in start..<(start + 4) {
        var value = isDeep ? source.sample(index) : Int(source[index]) * 257
        if index < start + 3 { value = body(value, alpha) }
        if layout.isDeep {
          result[index * 2] = UInt8(value & 0xFF)
          result[index * 2 + 1] = UInt8(value >> 8)
        } else {
          result[index] = UInt8((value + 128) / 257)
        }
      }
    }
    target.planes[0].bytes = result
    return target
  }
}
