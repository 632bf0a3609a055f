/// A part of a picture that a crop may keep, in fractions of its sides.
package struct CropWindow: Sendable, Hashable {
  /// The left and top edges, from 0.
  var left: Float, top: Float
  /// The right and bottom edges, to 1.
  var right: Float, bottom: Float

  init(left: Float, top: Float, right: Float, bottom: Float) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  var width: Float { right - left }
  var height: Float { bottom - top }

  /// The edges of one axis: the whole of it, and parts with at most 12 % cut off, in steps of 6 %. A crop in between is
  /// at most 3 % away from one of them on each edge, which changes few bits of a hash.
  static let spans: [(start: Float, end: Float)] = [
    (0, 1), (0.06, 1), (0, 0.94), (0.06, 0.94), (0.12, 1), (0, 0.88),
  ]

  /// All windows of which a picture has a hash; the whole picture is the first.
  static let all: [CropWindow] = spans.flatMap { vertical in
    spans.map { horizontal in
      CropWindow(
        left: horizontal.start, top: vertical.start, right: horizontal.end, bottom: vertical.end)
    }
  }
}
