import MediaEdits
import MediaFormats
import MediaModel

/// The palette of a TIFF (`PhotometricInterpretation` 3, `ColorMap`; TIFF 6.0 §5).
struct TIFFPalette {
  /// Whether each pixel has a second value: transparency, or an unspecified one.
  let hasExtraChannel: Bool
  /// Whether that value is transparency.
  private let hasAlpha: Bool
  /// Red, green and blue of each index, rounded from 16 to 8 bits.
  private let map: [SIMD3<UInt8>]

  /// Nil for a picture without a palette.
  init?(_ tiff: TIFFFile, _ directory: TIFFDirectory) throws {
    guard try tiff.unsigned(TIFFTag.photometricInterpretation, in: directory) == 3,
      let entry = directory[TIFFTag.colorMap],
      entry.type == 3
    else { return nil }
    let values = try tiff.unsignedList(entry, limit: 3 * 65_536)
    let count = values.count / 3
    func level(_ index: Int) -> UInt8 {
      UInt8(clamping: (values[index] * 255 + 32_767) / 65_535)
    }
    map = (0..<count).map { SIMD3(level($0), level(count + $0), level(2 * count + $0)) }
    hasExtraChannel = try tiff.unsigned(TIFFTag.samplesPerPixel, in: directory) ?? 1 == 2
    hasAlpha = try tiff.hasAlpha(directory)
  }

  /// The colours of a picture that was decoded as grey with a second channel, because its decoder does not know
  /// palettes with one.
  ///
  /// - Parameter raster: of layout `rgba8`; its three colours are equal and are the index into the palette.
  /// - Returns: layout `rgba8`; `rgb8` where the second channel is not transparency; nil for another layout.
  func colors(of raster: Raster) -> Raster? {
    guard raster.layout == .rgba8,
      var target = Raster(size: raster.size, layout: hasAlpha ? .rgba8 : .rgb8)
    else { return nil }
    let channels = target.layout.bytesPerPixel
    let source = raster.planes[0].bytes
    var result = target.planes[0].bytes
    target.planes[0].bytes = []
    for pixel in 0..<(raster.size.width * raster.size.height) {
      let index = Int(source[pixel * 4])
      let color = index < map.count ? map[index] : SIMD3(repeating: 0)
      for channel in 0..<3 { result[pixel * channels + channel] = color[channel] }
      if channels == 4 { result[pixel * 4 + 3] = source[pixel * 4 + 3] }
    }
    target.planes[0].bytes = result
    return target
  }
}
