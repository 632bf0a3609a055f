package import MediaModel

/// The perceptual hashes of a picture and of its crop windows: for each the signs of the 64 lowest frequencies of a
/// cosine transform.
///
/// This is pHash's hash by a discrete cosine transform (C. Zauner, *Implementation and Benchmarking of Perceptual Image
/// Hash Functions*, 2010, section 3.2.1), with 0 as the threshold instead of the median, which hardly differs without
/// the constant term. A window's hash is computed from the same small picture, by a transform of that part.
package struct WindowHash: Sendable {
  /// A hash for each of ``CropWindow/all``.
  let windows: [UInt64]
  /// The coefficients of the whole picture's hash, in the order of its bits: the smaller one is, the less certain is its
  /// sign.
  let certainty: [Float]
  /// Whether the picture has so little contrast that its hash is noise.
  let isFlat: Bool

  /// Bits of a hash.
  static let bitCount = 64
  /// Frequencies of one axis.
  private static let frequencies = 10
  /// The standard deviation of the grey values below which a picture is flat.
  private static let leastContrast: Float = 6

  /// The frequencies of each bit, without the constant: lowest first, so that the bits of a table of the index
  /// (``HashIndex``) are of all frequencies.
  private static let bits: [(horizontal: Int, vertical: Int)] = {
    var all: [(horizontal: Int, vertical: Int)] = []
    for vertical in 0..<frequencies {
      for horizontal in 0..<frequencies where horizontal + vertical > 0 {
        all.append((horizontal, vertical))
      }
    }
    func radius(_ bit: (horizontal: Int, vertical: Int)) -> Int {
      bit.horizontal * bit.horizontal + bit.vertical * bit.vertical
    }
    all.sort { (radius($0), $0.vertical) < (radius($1), $1.vertical) }
    return Array(all.prefix(bitCount))
  }()

  /// For each span and frequency, a wave over the columns (or rows) of the small picture. Those of frequencies above 0
  /// have the mean 0, so that brightness has no effect.
  private static let waves: [[Float]] = CropWindow.spans.flatMap { span in
    (0..<frequencies).map { wave(frequency: $0, over: span) }
  }

  private static func wave(frequency: Int, over span: (start: Float, end: Float)) -> [Float] {
    let side = PictureSignature.side
    var weights: [Float] = []
    var values: [Float] = []
    for cell in 0..<side {
      let (start, end) = (Float(cell) / Float(side), Float(cell + 1) / Float(side))
      let (from, to) = (max(start, span.start), min(end, span.end))
      weights.append(max(0, to - from) * Float(side))
      let place = ((from + to) / 2 - span.start) / (span.end - span.start)
      values.append(Cosine.ofHalfTurns(Float(frequency) * place))
    }
    let total = weights.reduce(0, +)
    if frequency > 0 {
      let mean = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / total
      values = values.map { $0 - mean }
    }
    let wave = zip(weights, values).map { $0 * $1 }
    let norm = wave.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return wave.map { $0 / max(norm, 1e-6) }
  }

  /// The waves side by side for each column, padded to whole vectors.
  private static let columns: [SIMD8<Float>] = {
    let side = PictureSignature.side
    var vectors = [SIMD8<Float>](repeating: .zero, count: side * vectorCount)
    for cell in 0..<side {
      for (index, wave) in waves.enumerated() {
        vectors[cell * vectorCount + index / 8][index % 8] = wave[cell]
      }
    }
    return vectors
  }()

  private static let vectorCount = (CropWindow.spans.count * frequencies + 7) / 8

  package init(_ signature: PictureSignature) {
    let side = PictureSignature.side
    let count = Self.vectorCount
    let grey = signature.grey.map(Float.init)
    let columns = Self.columns
    // Over the columns, for each row.
    var rows = [SIMD8<Float>](repeating: .zero, count: side * count)
    for row in 0..<side {
      for column in 0..<side {
        let value = grey[row * side + column]
        for vector in 0..<count {
          rows[row * count + vector] += value * columns[column * count + vector]
        }
      }
    }
    // Over the rows.
    let waves = Self.waves
    var sums = [SIMD8<Float>](repeating: .zero, count: waves.count * count)
    for index in 0..<waves.count {
      let wave = waves[index]
      for row in 0..<side where wave[row] != 0 {
        for vector in 0..<count {
          sums[index * count + vector] += wave[row] * rows[row * count + vector]
        }
      }
    }
    func coefficient(_ bit: (horizontal: Int, vertical: Int), _ x: Int, _ y: Int) -> Float {
      let column = x * Self.frequencies + bit.horizontal
      return sums[(y * Self.frequencies + bit.vertical) * count + column / 8][column % 8]
    }
    let spans = CropWindow.spans.count
    let bits = Self.bits
    var hashes: [UInt64] = []
    hashes.reserveCapacity(spans * spans)
    for y in 0..<spans {
      for x in 0..<spans {
        var hash: UInt64 = 0
        for (index, bit) in bits.enumerated() where coefficient(bit, x, y) > 0 {
          hash |= 1 << UInt64(index)
        }
        hashes.append(hash)
      }
    }
    windows = hashes
    certainty = bits.map { abs(coefficient($0, 0, 0)) }
    let mean = grey.reduce(0, +) / Float(grey.count)
    let variance = grey.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(grey.count)
    isFlat = variance.squareRoot() < Self.leastContrast
  }
}

/// The cosine, which needs no library of the system.
enum Cosine {
  /// The cosine of a number of half turns, by its Taylor series; exact to 1e-6.
  static func ofHalfTurns(_ halfTurns: Float) -> Float {
    // Within a quarter turn of 0, by symmetry.
    let turns = Double(halfTurns) / 2
    let rest = turns - turns.rounded()
    let folded = abs(rest)
    let sign: Double = folded > 0.25 ? -1 : 1
    let angle = (folded > 0.25 ? 0.5 - folded : folded) * 2 * Double.pi
    let square = angle * angle
    var (term, sum) = (1.0, 1.0)
    for step in stride(from: 2.0, through: 14, by: 2) {
      term *= -square / (step * (step - 1))
      sum += term
    }
    return Float(sign * sum)
  }
}
