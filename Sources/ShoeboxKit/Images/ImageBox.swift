import MediaModel
import WorkerProtocol

/// The box that a picture is to fit into.
struct ImageBox: Sendable, Hashable {
  /// The most pixels on the longer side of an image.
  private static var maximumSide: Int { Thumbnail.maximumSide }
  /// Pixels by which rounding may make a picture smaller than the box on both sides.
  private static let tolerance = 2

  private let width: Int
  private let height: Int

  init(_ size: PixelSize) {
    (width, height) = (max(1, size.width), max(1, size.height))
  }

  /// The longer side of every picture that fits, whatever its shape.
  var shorterSide: Int { min(width, height, Self.maximumSide) }

  /// The longer side of a picture of this size that is made to fit, and not enlarged.
  ///
  /// - Parameter size: in pixels; nil if it is unknown.
  func longerSide(of size: MediaModel::PixelSize?) -> Int {
    guard let size, size.width > 0, size.height > 0 else { return shorterSide }
    return longerSide(size.width, size.height, enlarging: false)
  }

  /// A better longer side than the one that a picture was made with. The picture may have another shape than the asset's
  /// size in the catalog: that of an edited version, or of a file that has changed since the scan.
  ///
  /// - Parameters:
  ///   - longerSide: the most pixels that were asked for.
  ///   - size: the picture's.
  ///   - whole: the asset's in the catalog.
  /// - Returns: nil if the picture fits, and no larger one does.
  func betterSide(
    than longerSide: Int, of size: PixelSize, expecting whole: MediaModel::PixelSize?
  ) -> Int? {
    guard size.width > 0, size.height > 0 else { return nil }
    let isTooLarge = size.width > width || size.height > height
    // One that is smaller than was asked for has its full size.
    let isTooSmall =
      max(size.width, size.height) >= longerSide && !Self.isShape(of: size, like: whole)
      && size.width < width - Self.tolerance && size.height < height - Self.tolerance
    guard isTooLarge || isTooSmall else { return nil }
    let better = self.longerSide(size.width, size.height, enlarging: true)
    return isTooLarge ? min(better, longerSide - 1) : better > longerSide ? better : nil
  }

  /// Whether a picture has the shape of another one, within the tolerance.
  private static func isShape(of size: PixelSize, like whole: MediaModel::PixelSize?) -> Bool {
    guard let whole, whole.width > 0, whole.height > 0 else { return false }
    let scale =
      Double(max(size.width, size.height)) / Double(max(whole.width, whole.height))
    return abs(Double(whole.width) * scale - Double(size.width)) <= Double(tolerance)
      && abs(Double(whole.height) * scale - Double(size.height)) <= Double(tolerance)
  }

  private func longerSide(_ width: Int, _ height: Int, enlarging: Bool) -> Int {
    let scale = min(
      Double(self.width) / Double(width), Double(self.height) / Double(height),
      enlarging ? .infinity : 1)
    let side = (Double(max(width, height)) * scale).rounded(.down)
    return max(1, Int(min(side, Double(Self.maximumSide))))
  }
}
