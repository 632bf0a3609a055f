import MediaModel

/// The grey picture of a signature, a little blurred, with its slopes.
///
/// The blur makes pictures that were sampled from different pixels comparable: without it, a crop is sharper than the
/// same part of the whole picture.
struct GreyPicture: Sendable {
  static let side = PictureSignature.side
  /// Grey values 0 to 255, in rows.
  let values: [Float]
  /// Differences per cell, to the right and down.
  let slopesX: [Float], slopesY: [Float]
  let mean: Float
  let deviation: Float

  init(_ signature: PictureSignature) {
    let side = Self.side
    let grey = signature.grey.map(Float.init)
    func blurred(_ values: [Float], step: Int, isEnd: (Int) -> (first: Bool, last: Bool)) -> [Float]
    {
      values.indices.map { index in
        let (first, last) = isEnd(index)
        let before = first ? values[index] : values[index - step]
        let after = last ? values[index] : values[index + step]
        return (before + 2 * values[index] + after) / 4
      }
    }
    func atEndOfRow(_ index: Int) -> (first: Bool, last: Bool) {
      (index % side == 0, index % side == side - 1)
    }
    func atEndOfColumn(_ index: Int) -> (first: Bool, last: Bool) {
      (index < side, index >= side * (side - 1))
    }
    let values = blurred(
      blurred(grey, step: 1, isEnd: atEndOfRow), step: side, isEnd: atEndOfColumn)
    func slopes(step: Int, isEnd: (Int) -> (first: Bool, last: Bool)) -> [Float] {
      values.indices.map { index in
        let (first, last) = isEnd(index)
        let before = first ? values[index] : values[index - step]
        let after = last ? values[index] : values[index + step]
        return (after - before) / (first || last ? 1 : 2)
      }
    }
    slopesX = slopes(step: 1, isEnd: atEndOfRow)
    slopesY = slopes(step: side, isEnd: atEndOfColumn)
    let mean = values.reduce(0, +) / Float(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
    (self.values, self.mean, deviation) = (values, mean, variance.squareRoot())
  }

  /// Where the values of a place between cells come from.
  struct Place {
    var index: Int
    var right: Float, down: Float

    /// - Parameters:
    ///   - x: in cells; 0 is the middle of the first one.
    ///   - y: likewise.
    init(_ x: Float, _ y: Float) {
      let limit = Float(GreyPicture.side - 1)
      let (x, y) = (min(max(x, 0), limit), min(max(y, 0), limit))
      let (column, row) = (min(Int(x), GreyPicture.side - 2), min(Int(y), GreyPicture.side - 2))
      index = row * GreyPicture.side + column
      (right, down) = (x - Float(column), y - Float(row))
    }
  }

  /// A value between cells, by cubic interpolation (R. Keys, *Cubic Convolution Interpolation for Digital Image
  /// Processing*, 1981), which blurs less than a linear one.
  static func smoothValue(_ values: [Float], at place: Place) -> Float {
    let (column, row) = (place.index % side, place.index / side)
    guard column > 0, column < side - 2, row > 0, row < side - 2 else {
      return value(values, at: place)
    }
    let (x, y) = (weights(place.right), weights(place.down))
    var sum: Float = 0
    for line in 0..<4 {
      let first = place.index + (line - 1) * side - 1
      let across =
        x[0] * values[first] + x[1] * values[first + 1] + x[2] * values[first + 2]
        + x[3] * values[first + 3]
      sum += y[line] * across
    }
    return sum
  }

  private static func weights(_ t: Float) -> SIMD4<Float> {
    let (square, cube) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t + square - 0.5 * cube, 1 - 2.5 * square + 1.5 * cube,
      0.5 * t + 2 * square - 1.5 * cube, -0.5 * square + 0.5 * cube)
  }

  /// A value between cells, by linear interpolation.
  static func value(_ values: [Float], at place: Place) -> Float {
    let (index, right, down) = (place.index, place.right, place.down)
    let upper = values[index] + (values[index + 1] - values[index]) * right
    let lower =
      values[index + side] + (values[index + side + 1] - values[index + side]) * right
    return upper + (lower - upper) * down
  }
}
