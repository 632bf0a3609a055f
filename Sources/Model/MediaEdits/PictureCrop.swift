package import MediaModel

/// A part of an upright picture, as people ask for it before they know the picture's size.
package enum PictureCrop: Sendable, Hashable, Codable {
  /// In pixels from the upper left corner; what extends beyond the picture is left out.
  case pixels(x: Int, y: Int, width: Int, height: Int)
  /// In parts of the picture's width and height, 0…1; what extends beyond it is left out.
  case fractions(x: Double, y: Double, width: Double, height: Double)
  /// This number of pixels in the middle; all of a side that has fewer.
  case centered(width: Int, height: Int)
  /// The largest part in the middle whose sides have this ratio, as 16 to 9.
  case aspectRatio(width: Int, height: Int)

  /// Whether it begins inside a picture, and has an area.
  package var isValid: Bool {
    switch self {
    case .pixels(let x, let y, let width, let height): x >= 0 && y >= 0 && width > 0 && height > 0
    case .fractions(let x, let y, let width, let height):
      (0..<1).contains(x) && (0..<1).contains(y) && width > 0 && width <= 1 && height > 0
        && height <= 1
    case .centered(let width, let height), .aspectRatio(let width, let height):
      width > 0 && height > 0
    }
  }

  /// The part of a picture with this size; nil if it is outside of it.
  package func rectangle(in size: PixelSize) -> CropRect? {
    let (left, top, width, height): (Int, Int, Int, Int)
    switch self {
    case .pixels(let x, let y, let w, let h):
      (left, top, width, height) = (x, y, w, h)
    case .fractions(let x, let y, let w, let h):
      (left, width) = Self.pixels(from: x, x + w, of: size.width)
      (top, height) = Self.pixels(from: y, y + h, of: size.height)
    case .centered(let w, let h):
      return Self.centered(PixelSize(width: w, height: h), in: size)
    case .aspectRatio(let w, let h):
      return Self.centered(Self.largest(w, h, in: size), in: size)
    }
    guard left >= 0, top >= 0, left < size.width, top < size.height else { return nil }
    return CropRect(
      x: left, y: top, width: min(width, size.width - left), height: min(height, size.height - top))
  }

  /// Both edges, each at the nearest pixel, so that parts that touch neither overlap nor leave a gap.
  private static func pixels(
    from start: Double, _ end: Double, of length: Int
  ) -> (start: Int, count: Int) {
    let first = min(Int((start * Double(length)).rounded()), length - 1)
    return (first, max(1, Int((min(end, 1) * Double(length)).rounded()) - first))
  }

  private static func largest(_ width: Int, _ height: Int, in size: PixelSize) -> PixelSize {
    let ratio = Double(width) / Double(height)
    let isWider = Double(size.width) > Double(size.height) * ratio
    return isWider
      ? PixelSize(width: nearest(Double(size.height) * ratio), height: size.height)
      : PixelSize(width: size.width, height: nearest(Double(size.width) / ratio))
  }

  private static func nearest(_ length: Double) -> Int { max(1, Int(length.rounded())) }

  private static func centered(_ part: PixelSize, in size: PixelSize) -> CropRect {
    let (width, height) = (min(part.width, size.width), min(part.height, size.height))
    return CropRect(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
  }
}
