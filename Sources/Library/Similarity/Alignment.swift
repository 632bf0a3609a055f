/// Which part of one picture another one is, and how well the two agree.
///
/// The part is found by minimising the squared differences of grey values over the part's edges, a gain and an offset:
/// the Gauss-Newton method of B. D. Lucas and T. Kanade (1981), as S. Baker and I. Matthews describe it (*Lucas-Kanade
/// 20 Years On*, IJCV 2004).
struct Alignment: Sendable {
  /// The part of the whole picture that the other one shows.
  private(set) var window: CropWindow
  /// By what the whole picture's differences in brightness are multiplied in the part.
  private(set) var gain: Float
  private var offset: Float
  /// The correlation of both pictures, −1 to 1.
  private(set) var correlation: Float = 0
  /// How much the blocks of 4 × 4 cells disagree: the third largest of all. 1 is what re-encoding and a small rest of
  /// misalignment explain. A person who has moved, or other words on a page, change several blocks by much more.
  private(set) var disagreement: Float = 0

  private static let maximumSteps = 10

  /// - Parameter window: about the part, at most some cells away.
  init(_ part: GreyPicture, in whole: GreyPicture, near window: CropWindow) {
    self.window = window
    gain = part.deviation / max(whole.deviation, 1)
    offset = part.mean - gain * whole.mean
    for _ in 0..<Self.maximumSteps {
      guard let step = step(part, whole) else { break }
      apply(step)
      if step.movement < 0.0008 { break }
    }
    compare(part, whole)
  }

  private typealias Sums = SIMD8<Float>

  /// Changes of the window's edges, the gain and the offset.
  private struct Step {
    var left: Float, width: Float, top: Float, height: Float
    var gain: Float, offset: Float

    /// The largest change of an edge, in sides of the picture.
    var movement: Float { max(abs(left), abs(left + width), abs(top), abs(top + height)) }
  }

  private func place(_ column: Int, _ row: Int) -> GreyPicture.Place {
    let side = Float(GreyPicture.side)
    let x = (window.left + (Float(column) + 0.5) / side * window.width) * side - 0.5
    let y = (window.top + (Float(row) + 0.5) / side * window.height) * side - 0.5
    return GreyPicture.Place(x, y)
  }

  /// One step of the method; nil if it has no solution.
  private func step(_ part: GreyPicture, _ whole: GreyPicture) -> Step? {
    let side = GreyPicture.side
    var matrix = [Sums](repeating: .zero, count: 6)
    var vector = Sums.zero
    for row in 0..<side {
      let v = (Float(row) + 0.5) / Float(side)
      for column in 0..<side {
        let u = (Float(column) + 0.5) / Float(side)
        let place = place(column, row)
        let value = GreyPicture.smoothValue(whole.values, at: place)
        let slopeX = gain * GreyPicture.value(whole.slopesX, at: place) * Float(side)
        let slopeY = gain * GreyPicture.value(whole.slopesY, at: place) * Float(side)
        let rest = part.values[row * side + column] - gain * value - offset
        let slopes = Sums(slopeX, slopeX * u, slopeY, slopeY * v, value, 1, 0, 0)
        // Few cells with much difference, such as a caption, must not move the window.
        let weight = 1 / (1 + rest * rest / 400)
        for index in 0..<6 { matrix[index] += (weight * slopes[index]) * slopes }
        vector += (weight * rest) * slopes
      }
    }
    return Self.solved(matrix, vector)
  }

  /// Solves the normal equations by elimination; nil if they are singular.
  private static func solved(_ matrix: [Sums], _ vector: Sums) -> Step? {
    var (matrix, vector) = (matrix, vector)
    for index in 0..<6 {
      // A little more on the diagonal keeps directions without slopes where they are.
      matrix[index][index] *= 1.0001
      matrix[index][index] += 1e-3
    }
    for pivot in 0..<6 {
      guard abs(matrix[pivot][pivot]) > 1e-9 else { return nil }
      for row in (pivot + 1)..<6 {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        matrix[row] -= factor * matrix[pivot]
        vector[row] -= factor * vector[pivot]
      }
    }
    var result = Sums.zero
    for row in stride(from: 5, through: 0, by: -1) {
      var value = vector[row]
      for column in (row + 1)..<8 { value -= matrix[row][column] * result[column] }
      result[row] = value / matrix[row][row]
    }
    guard (0..<6).allSatisfy({ result[$0].isFinite }) else { return nil }
    return Step(
      left: result[0], width: result[1], top: result[2], height: result[3], gain: result[4],
      offset: result[5])
  }

  private mutating func apply(_ step: Step) {
    func limited(_ value: Float) -> Float { min(max(value, -0.05), 0.05) }
    window.left += limited(step.left)
    window.right += limited(step.left + step.width)
    window.top += limited(step.top)
    window.bottom += limited(step.top + step.height)
    window.right = max(window.right, window.left + 0.5)
    window.bottom = max(window.bottom, window.top + 0.5)
    gain += step.gain
    offset += step.offset
  }

  /// Compares both pictures as they are aligned now.
  private mutating func compare(_ part: GreyPicture, _ whole: GreyPicture) {
    let side = GreyPicture.side
    let blocks = side / 4
    var energies = [Float](repeating: 0, count: blocks * blocks)
    var allowances = [Float](repeating: 0, count: blocks * blocks)
    var (sum, squares, products) = (Float(0), Float(0), Float(0))
    for row in 0..<side {
      for column in 0..<side {
        let place = place(column, row)
        let value = GreyPicture.smoothValue(whole.values, at: place)
        let slopeX = gain * GreyPicture.value(whole.slopesX, at: place)
        let slopeY = gain * GreyPicture.value(whole.slopesY, at: place)
        let other = part.values[row * side + column]
        let expected = gain * value + offset
        // Brightening cuts off what would be lighter than white.
        let isClipped =
          (other > 246 && expected > 240) || (other < 8 && expected < 14)
        let rest = isClipped ? 0 : other - expected
        let block = row / 4 * blocks + column / 4
        energies[block] += rest * rest
        allowances[block] += 4 + 0.02 * (slopeX * slopeX + slopeY * slopeY)
        sum += value
        squares += value * value
        products += (other - part.mean) * value
      }
    }
    let count = Float(side * side)
    let variance = squares / count - (sum / count) * (sum / count)
    correlation = products / count / max(variance.squareRoot() * part.deviation, 1e-3)
    let ratios = energies.indices.map { energies[$0] / allowances[$0] }.sorted(by: >)
    disagreement = ratios[2]
  }
}
