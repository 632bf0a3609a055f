package import MediaEdits
package import MediaModel

/// How the points of a picture move when another one is made from it: turned upright, cropped and scaled.
package struct PictureChange: Sendable, Hashable {
  /// How the pixels that the metadata refers to have to be turned.
  ///
  /// Metadata refers to pixels before they are turned as EXIF's `Orientation` says (EXIF 2.32 §4.6.5, `SubjectArea`;
  /// Metadata Working Group, Guidelines 2.0 §5.9).
  package var orientation: Orientation
  /// The size of the source, upright. A smaller picture of the same shape can stand for it.
  package var uprightSize: PixelSize
  /// The part of the upright source that is kept; nil for all of it.
  package var crop: CropRect?
  /// The size of the result.
  package var size: PixelSize

  package init(
    orientation: Orientation = .up, from uprightSize: PixelSize, crop: CropRect? = nil,
    to size: PixelSize
  ) {
    self.orientation = orientation
    self.uprightSize = uprightSize
    self.crop = crop
    self.size = size
  }
}

/// A part of a picture in fractions of its width and height, from the upper left corner.
struct NormalizedRect: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  var centerX: Double { x + width / 2 }
  var centerY: Double { y + height / 2 }

  /// Whether the centre is in the picture.
  var isVisible: Bool { (0...1).contains(centerX) && (0...1).contains(centerY) }

  /// The part that is in the picture.
  var clipped: NormalizedRect {
    let (left, top) = (max(0, x), max(0, y))
    return NormalizedRect(
      x: left, y: top, width: max(0, min(1, x + width) - left),
      height: max(0, min(1, y + height) - top))
  }
}

extension PictureChange {
  /// The source's size before it is turned.
  var storedSize: PixelSize { orientation.upright(uprightSize) }

  /// The kept part of the upright source.
  var keptPart: CropRect {
    crop ?? CropRect(x: 0, y: 0, width: uprightSize.width, height: uprightSize.height)
  }

  /// Whether points are at other fractions of the result than of the source.
  func movesPoints(_ orientation: Orientation) -> Bool { orientation != .up || crop != nil }

  /// The place in the result of a part of the stored source. It can be outside of the result, in whole or in part.
  ///
  /// - Parameter orientation: of the picture that the part belongs to; nil for the source's.
  func moved(_ part: NormalizedRect, orientation: Orientation? = nil) -> NormalizedRect {
    let turning = (orientation ?? self.orientation).turning
    var part = part
    if turning.swapsAxes {
      part = NormalizedRect(x: part.y, y: part.x, width: part.height, height: part.width)
    }
    if turning.mirrorsX { part.x = 1 - part.x - part.width }
    if turning.mirrorsY { part.y = 1 - part.y - part.height }
    let kept = keptPart
    let (across, down) = (
      Double(uprightSize.width) / Double(max(1, kept.width)),
      Double(uprightSize.height) / Double(max(1, kept.height))
    )
    return NormalizedRect(
      x: part.x * across - Double(kept.x) / Double(max(1, kept.width)),
      y: part.y * down - Double(kept.y) / Double(max(1, kept.height)),
      width: part.width * across, height: part.height * down)
  }
}
