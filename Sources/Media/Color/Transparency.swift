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

  /// The inks of a picture in CMYK that are multiplied by its opacity, divided by it.
  ///
  /// - Parameters:
  ///   - inks: of layout `rgba8` or `rgba16`.
  ///   - alpha: of layout `gray8` or `gray16`, with the same size and depth; other rasters are ignored.
  package static func divided(_ inks: Raster, by alpha: Raster) -> Raster {
    guard inks.layout.hasAlpha, alpha.isAlpha(of: inks) else { return inks }
    var target = inks
    let (last, isDeep) = (inks.layout.isDeep ? 65_535 : 255, inks.layout.isDeep)
    let opacities = alpha.planes[0].bytes
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    for pixel in 0..<(inks.size.width * inks.size.height) {
      let opacity = isDeep ? opacities.sample(pixel) : Int(opacities[pixel])
      guard opacity > 0 else { continue }
      for index in (pixel * 4)..<(pixel * 4 + 4) {
        let ink = isDeep ? result.sample(index) : Int(result[index])
        let value = min((ink * last + opacity / 2) / opacity, last)
        if isDeep {
          result.set(UInt16(value), at: index)
        } else {
          result[index] = UInt8(value)
        }
      }
    }
    target.planes[0].bytes = result
    return target
  }

  /// A picture with its alpha channel, in layout `rgba8` or `rgba16`.
  ///
  /// - Parameters:
  ///   - raster: of layout `rgb8` or `rgb16`; others are returned unchanged.
  ///   - alpha: of layout `gray8` or `gray16`, with the same size and depth; other rasters are ignored.
  package static func combined(_ raster: Raster, _ alpha: Raster) -> Raster {
    let isDeep = raster.layout.isDeep
    guard raster.layout == .rgb8 || raster.layout == .rgb16, alpha.isAlpha(of: raster),
      var target = Raster(size: raster.size, layout: isDeep ? .rgba16 : .rgba8)
    else { return raster }
    let (colors, opacities) = (raster.planes[0].bytes, alpha.planes[0].bytes)
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    let width = isDeep ? 2 : 1
    for pixel in 0..<(raster.size.width * raster.size.height) {
      for byte in 0..<(3 * width) {
        result[pixel * 4 * width + byte] = colors[pixel * 3 * width + byte]
      }
      for byte in 0..<width {
        result[(pixel * 4 + 3) * width + byte] = opacities[pixel * width + byte]
      }
    }
    target.planes[0].bytes = result
    return target
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
    target.planes[0].bytes = []
    for start in stride(from: 0, to: raster.size.width * raster.size.height * 4, by: 4) {
      let alpha = isDeep ? source.sample(start + 3) : Int(source[start + 3]) * 257
      for index in start..<(start + 4) {
        var value = isDeep ? source.sample(index) : Int(source[index]) * 257
        if index < start + 3 { value = body(value, alpha) }
        if layout.isDeep {
          result.set(UInt16(value), at: index)
        } else {
          result[index] = UInt8((value + 128) / 257)
        }
      }
    }
    target.planes[0].bytes = result
    return target
  }
}

extension Raster {
  /// Whether this raster can be the alpha channel of another one.
  fileprivate func isAlpha(of other: Raster) -> Bool {
    layout.isGray && layout.isDeep == other.layout.isDeep && size == other.size
  }
}
