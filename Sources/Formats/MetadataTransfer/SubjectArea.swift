import MediaModel

/// The main subject's place, as EXIF records it: in pixels from the upper left corner, before the picture is turned
/// (EXIF 2.32 §4.6.5 M, `SubjectArea`; `SubjectLocation` is its first form).
struct SubjectArea: Equatable {
  /// X and y of a point; of the centre of a circle, and its diameter; or of the centre of a rectangle, its width and its
  /// height.
  var values: [Int]

  /// Nil if the numbers have none of the three forms.
  init?(_ values: [Int]) {
    guard (2...4).contains(values.count), values.allSatisfy({ $0 >= 0 && $0 <= 1 << 24 }) else {
      return nil
    }
    self.values = values
  }

  /// The area in the result of a change; nil if it is cut off, which it is with its centre. It stays as it is if it is not in
  /// the source: a program that does not know it has cropped that picture.
  ///
  /// - Parameter recordedSize: the size that the metadata records for the source.
  func moved(by change: PictureChange, recordedSize: PixelSize?) -> SubjectArea? {
    var size = change.storedSize
    if let recordedSize {
      if recordedSize.hasShape(of: size) {
        size = recordedSize
      } else if !recordedSize.hasShape(of: size.transposed) {
        return self
      }
    }
    let (across, down) = (Double(max(1, size.width)), Double(max(1, size.height)))
    let (width, height) = (values.count > 2 ? values[2] : 0, values.last ?? 0)
    let source = NormalizedRect(
      centerX: Double(values[0]) / across, centerY: Double(values[1]) / down,
      width: Double(width) / across, height: Double(values.count > 2 ? height : 0) / down)
    guard source.isVisible else { return self }
    let part = change.moved(source)
    guard part.isVisible else { return nil }
    func pixels(_ x: Double, _ side: Int) -> Int { Int((x * Double(side)).rounded()) }
    let result = change.size
    switch values.count {
    case 2:
      return SubjectArea([
        pixels(part.centerX, result.width), pixels(part.centerY, result.height),
      ])
    case 3:
      return SubjectArea([
        pixels(part.centerX, result.width), pixels(part.centerY, result.height),
        pixels(part.width, result.width),
      ])
    default:
      let visible = part.clipped
      return SubjectArea([
        pixels(visible.centerX, result.width), pixels(visible.centerY, result.height),
        pixels(visible.width, result.width), pixels(visible.height, result.height),
      ])
    }
  }
}
