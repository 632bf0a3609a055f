import MediaModel

extension Alignment {
  /// How similar the part is to the whole picture's part, 0 to 1: 0.9 is about where different pictures begin to be
  /// found. 0 if it is not a part of it.
  func similarity(_ part: PictureSignature, in whole: PictureSignature) -> Float {
    guard isInside, Self.gains.contains(gain) else { return 0 }
    // A picture that is stretched is another one.
    let shape = whole.aspect * window.width / window.height / part.aspect
    guard shape < Self.mostStretched, shape > 1 / Self.mostStretched else { return 0 }
    let colors = colorDifference(part, whole)
    let scores = [
      1 - 5 * (1 - correlation), 1 - disagreement / 80, 1 - colors / 80,
    ]
    return min(max(scores.min() ?? 0, 0), 1)
  }

  /// Brightness and contrast of an edit that is still the same picture.
  private static let gains: ClosedRange<Float> = 0.6...1.6
  /// How far the edges may be outside of the whole picture: the error of the alignment.
  private static let edgeTolerance: Float = 0.02
  /// The stretch that rounding to whole pixels and the error of the alignment explain, as a factor.
  private static let mostStretched: Float = 1.03

  private var isInside: Bool {
    window.left > -Self.edgeTolerance && window.top > -Self.edgeTolerance
      && window.right < 1 + Self.edgeTolerance && window.bottom < 1 + Self.edgeTolerance
  }

  /// The mean difference of Cb and Cr, in steps of 8 bits.
  private func colorDifference(_ part: PictureSignature, _ whole: PictureSignature) -> Float {
    let side = PictureSignature.colorSide
    let (some, all) = (Array(part.colors), Array(whole.colors))
    var sum: Float = 0
    for plane in 0..<2 {
      for row in 0..<side {
        let y = (window.top + (Float(row) + 0.5) / Float(side) * window.height) * Float(side)
        for column in 0..<side {
          let x = (window.left + (Float(column) + 0.5) / Float(side) * window.width) * Float(side)
          let value = Self.value(all, plane: plane, x - 0.5, y - 0.5)
          sum += abs(Float(some[(plane * side + row) * side + column]) - value)
        }
      }
    }
    return sum / Float(2 * side * side)
  }

  /// A colour between cells, by linear interpolation.
  private static func value(_ colors: [UInt8], plane: Int, _ x: Float, _ y: Float) -> Float {
    let side = PictureSignature.colorSide
    let limit = Float(side - 1)
    let (x, y) = (min(max(x, 0), limit), min(max(y, 0), limit))
    let (column, row) = (min(Int(x), side - 2), min(Int(y), side - 2))
    let (right, down) = (x - Float(column), y - Float(row))
    func color(_ row: Int, _ column: Int) -> Float {
      Float(colors[(plane * side + row) * side + column])
    }
    let upper = color(row, column) * (1 - right) + color(row, column + 1) * right
    let lower = color(row + 1, column) * (1 - right) + color(row + 1, column + 1) * right
    return upper * (1 - down) + lower * down
  }
}

/// The correlation of a picture with a part of another one, from every other cell of both, without alignment. It takes a
/// hundredth of the time of an ``Alignment``.
func roughCorrelation(
  of part: PictureSignature, with whole: PictureSignature, at window: CropWindow
) -> Float {
  let side = PictureSignature.side
  let (some, all) = (part.grey, whole.grey)
  let columns = stride(from: 0, to: side, by: 2).map { column in
    min(
      max(Int((window.left + (Float(column) + 0.5) / Float(side) * window.width) * Float(side)), 0),
      side - 1)
  }
  var (sumA, sumB, squaresA, squaresB, products) = (0, 0, 0, 0, 0)
  for row in stride(from: 0, to: side, by: 2) {
    let place = (window.top + (Float(row) + 0.5) / Float(side) * window.height) * Float(side)
    let other = min(max(Int(place), 0), side - 1)
    for (index, column) in columns.enumerated() {
      let one = Int(some[some.startIndex + row * side + 2 * index])
      let two = Int(all[all.startIndex + other * side + column])
      sumA += one
      sumB += two
      squaresA += one * one
      squaresB += two * two
      products += one * two
    }
  }
  let count = Float(columns.count * columns.count)
  let (meanA, meanB) = (Float(sumA) / count, Float(sumB) / count)
  let varianceA = Float(squaresA) / count - meanA * meanA
  let varianceB = Float(squaresB) / count - meanB * meanB
  let covariance = Float(products) / count - meanA * meanB
  return covariance / max((varianceA * varianceB).squareRoot(), 1e-3)
}
