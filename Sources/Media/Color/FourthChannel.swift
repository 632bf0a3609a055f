package import MediaEdits
import MediaModel

/// Conversion of pictures with four channels to RGB.
package enum FourthChannel {
  /// Composites a picture over white.
  ///
  /// - Parameter raster: of layout `rgba8`; others are returned unchanged.
  package static func overWhite(_ raster: Raster) -> Raster {
    combine(raster) { color, alpha in (color * alpha + 255 * (255 - alpha) + 127) / 255 }
  }

  /// Converts CMYK to RGB as if the inks were perfect, without a profile.
  ///
  /// - Parameters:
  ///   - raster: CMYK in layout `rgba8`; others are returned unchanged.
  ///   - isInverted: whether 255 means no ink, as in JPEGs by Adobe's convention.
  package static func cmyk(_ raster: Raster, isInverted: Bool) -> Raster {
    combine(raster) { ink, black in
      isInverted ? (ink * black + 127) / 255 : ((255 - ink) * (255 - black) + 127) / 255
    }
  }

  /// - Parameter body: computes a channel from a colour and the fourth channel, all 0–255.
  private static func combine(_ raster: Raster, _ body: (Int, Int) -> Int) -> Raster {
    guard raster.layout == .rgba8, var target = Raster(size: raster.size, layout: .rgb8)
    else { return raster }
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    for pixel in 0..<(raster.size.width * raster.size.height) {
      let fourth = Int(source[pixel * 4 + 3])
      for channel in 0..<3 {
        result[pixel * 3 + channel] = UInt8(body(Int(source[pixel * 4 + channel]), fourth))
      }
    }
    target.planes[0].bytes = result
    return target
  }
}
