/// A picture's width and height in pixels.
package struct PixelSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size after turning the picture by a quarter: width and height exchanged.
  package var transposed: PixelSize {
    PixelSize(width: height, height: width)
  }
}

extension PixelSize {
  /// The size in square pixels of a picture whose pixels are so many times as wide as high: the side that
  /// is too short grows, so that nothing is lost. Shapes that no camera has are passed over.
  package func withSquarePixels(aspect: Double?) -> PixelSize {
    guard let aspect, aspect > 0.1, aspect < 10 else { return self }
    return aspect > 1
      ? PixelSize(width: Int(Double(width) * aspect + 0.5), height: height)
      : PixelSize(width: width, height: Int(Double(height) / aspect + 0.5))
  }
}

/// The EXIF `Orientation` value (EXIF 2.32 §4.6.4 A): where row 0 and column 0 of the stored pixels
/// lie in the upright picture.
package enum Orientation: UInt8, Sendable, Hashable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether the upright picture's width is the stored picture's height.
  package var swapsAxes: Bool { rawValue >= 5 }

  /// The size a person sees, given the stored size.
  package func upright(_ stored: PixelSize) -> PixelSize {
    swapsAxes ? stored.transposed : stored
  }
}

extension PixelSize {
  /// The same shape with its longer side no longer than that; nil for an empty size.
  package func fitting(longerSide: Int) -> PixelSize? {
    let longest = max(width, height)
    guard width > 0, height > 0, longerSide > 0, longest < 1 << 31 else { return nil }
    guard longest > longerSide else { return self }
    return PixelSize(
      width: max(1, (width * longerSide * 2 + longest) / (2 * longest)),
      height: max(1, (height * longerSide * 2 + longest) / (2 * longest)))
  }
}

extension PixelSize {
  /// The longest side of a picture that is decoded, in pixels.
  package static let maximumDecodedSide = 32_768
  /// The largest picture that is decoded, in pixels.
  package static let maximumDecodedPixels = 250_000_000

  /// Whether a picture of this size is decoded at all.
  package var isDecodable: Bool {
    width > 0 && height > 0 && width <= Self.maximumDecodedSide
      && height <= Self.maximumDecodedSide && width * height <= Self.maximumDecodedPixels
  }
}
