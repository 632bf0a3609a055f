/// A picture's width and height in pixels.
package struct PixelSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size after a quarter turn: width and height exchanged.
  package var transposed: PixelSize {
    PixelSize(width: height, height: width)
  }
}

extension PixelSize {
  /// The size in square pixels. The side that is too short grows, so that nothing is lost. Implausible aspect
  /// ratios are ignored.
  ///
  /// - Parameter aspect: width over height of one pixel; nil for square pixels.
  package func withSquarePixels(aspect: Double?) -> PixelSize {
    guard let aspect, aspect > 0.1, aspect < 10 else { return self }
    return aspect > 1
      ? PixelSize(width: Int(Double(width) * aspect + 0.5), height: height)
      : PixelSize(width: width, height: Int(Double(height) / aspect + 0.5))
  }
}

extension PixelSize {
  /// The size with the same shape whose longer side has at most `longerSide` pixels; nil for an empty size.
  package func fitting(longerSide: Int) -> PixelSize? {
    let longest = max(width, height)
    guard width > 0, height > 0, longerSide > 0, longest < 1 << 31 else { return nil }
    guard longest > longerSide else { return self }
    return PixelSize(
      width: max(1, (width * longerSide * 2 + longest) / (2 * longest)),
      height: max(1, (height * longerSide * 2 + longest) / (2 * longest)))
  }

  /// Whether the sides have the same ratio, within 2 %; false for an empty size.
  package func hasShape(of other: PixelSize) -> Bool {
    let (first, second) = (
      Double(width) * Double(other.height), Double(height) * Double(other.width)
    )
    let larger = max(first, second)
    return larger > 0 && abs(first - second) <= 0.02 * larger
  }

  /// The longest side of a picture that Shoebox decodes, in pixels.
  package static let maximumDecodedSide = 32_768
  /// The largest picture that Shoebox decodes, in pixels.
  package static let maximumDecodedPixels = 250_000_000

  /// Whether Shoebox decodes a picture of this size.
  package var isDecodable: Bool {
    width > 0 && height > 0 && width <= Self.maximumDecodedSide
      && height <= Self.maximumDecodedSide && width * height <= Self.maximumDecodedPixels
  }
}
