package import MediaEdits
import MediaModel

/// Conversion of pictures with four channels to RGB.
package enum FourthChannel {
  /// Composites a picture over white.
  ///
  /// - Parameter raster: of layout `rgba8`; others are returned unchanged.
  package static func overWhite(_ raster: Raster) -> Raster {
    guard raster.layout == .rgba8 else { return raster }
    return combine(raster) { color, alpha in (color * alpha + 255 * (255 - alpha) + 127) / 255 }
  }

  /// Converts CMYK to RGB as if the inks were perfect, without a profile.
  ///
  /// - Parameters:
  ///   - raster: CMYK in layout `rgba8` or `rgba16`; others are returned unchanged.
  ///   - isInverted: whether the largest value means no ink, as in JPEGs by Adobe's convention.
  package static func cmyk(_ raster: Raster, isInverted: Bool) -> Raster {
    let last = raster.layout.isDeep ? 65_535 : 255
    return combine(raster) { ink, black in
      isInverted
        ? (ink * black + last / 2) / last : ((last - ink) * (last - black) + last / 2) / last
    }
  }

  /// - Parameter body: computes a channel from a colour and the fourth channel, from 0 to the largest value of the
  ///   raster's depth.
  private static func combine(_ raster: Raster, _ body: (Int, Int) -> Int) -> Raster {
    let isDeep = raster.layout.isDeep
    guard raster.layout.hasAlpha,
      var target = Raster(size: raster.size, layout: isDeep ? .rgb16 : .rgb8)
    else { return raster }
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    for pixel in 0..<(raster.size.width * raster.size.height) {
      let first = pixel * 4
      if isDeep {
        let fourth = source.sample(first + 3)
        for channel in 0..<3 {
          let value = body(source.sample(first + channel), fourth)
          result.set(UInt16(value), at: pixel * 3 + channel)
        }
      } else {
        let fourth = Int(source[first + 3])
        for channel in 0..<3 {
          result[pixel * 3 + channel] = UInt8(body(Int(source[first + channel]), fourth))
        }
      }
    }
    target.planes[0].bytes = result
    return target
  }
}
