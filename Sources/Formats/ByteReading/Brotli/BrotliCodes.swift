/// One command of a Brotli stream (RFC 7932 §5).
struct BrotliCommand {
  var insertLength: Int
  var copyLength: Int
  /// Whether the distance is the last one, without a code of its own.
  var repeatsDistance: Bool
}

/// The codes of one block of a Brotli stream, and the parts in which they are in use (RFC 7932 §9.2).
struct BrotliCodes {
  private var literalParts: BrotliParts
  private var commandParts: BrotliParts
  private var distanceParts: BrotliParts
  private let postfixBits: Int
  private let directDistances: Int
  /// How the last two bytes select a code, for each kind of part (§7.1).
  private var literalModes: [Int] = []
  private var literalMap: [UInt8]
  private var distanceMap: [UInt8]
  private var literalCodes: [PrefixCode] = []
  private var commandCodes: [PrefixCode] = []
  private var distanceCodes: [PrefixCode] = []

  /// Nil if they are damaged.
  init?(_ bits: inout PackedBits) {
    guard let literalParts = BrotliParts(&bits), let commandParts = BrotliParts(&bits),
      let distanceParts = BrotliParts(&bits), let postfixBits = bits.read(2),
      let direct = bits.read(4)
    else { return nil }
    (self.literalParts, self.commandParts) = (literalParts, commandParts)
    (self.distanceParts, self.postfixBits) = (distanceParts, postfixBits)
    directDistances = direct << postfixBits
    for _ in 0..<literalParts.kinds {
      guard let mode = bits.read(2) else { return nil }
      literalModes.append(mode)
    }
    guard let literals = Self.readMap(&bits, count: 64 * literalParts.kinds),
      let distances = Self.readMap(&bits, count: 4 * distanceParts.kinds)
    else { return nil }
    (literalMap, distanceMap) = (literals.map, distances.map)
    let lists: [(count: Int, symbols: Int)] = [
      (literals.codes, 256), (commandParts.kinds, 704),
      (distances.codes, 16 + directDistances + 48 << postfixBits),
    ]
    var found: [[PrefixCode]] = []
    for list in lists {
      var codes: [PrefixCode] = []
      for _ in 0..<list.count {
        guard let code = PrefixCode(&bits, symbols: list.symbols) else { return nil }
        codes.append(code)
      }
      found.append(codes)
    }
    (literalCodes, commandCodes, distanceCodes) = (found[0], found[1], found[2])
  }

  /// A map from contexts to codes, and the number of codes (§7.3).
  private static func readMap(
    _ bits: inout PackedBits, count: Int
  ) -> (map: [UInt8], codes: Int)? {
    guard let codes = BrotliParts.readCount(&bits) else { return nil }
    if codes == 1 { return ([UInt8](repeating: 0, count: count), 1) }
    guard let hasRuns = bits.read(1), let more = bits.read(hasRuns == 1 ? 4 : 0) else { return nil }
    let runs = hasRuns == 1 ? more + 1 : 0
    guard let code = PrefixCode(&bits, symbols: codes + runs) else { return nil }
    var map: [UInt8] = []
    while map.count < count {
      guard let symbol = code.decode(&bits) else { return nil }
      if symbol > runs {
        map.append(UInt8(symbol - runs))
      } else {
        guard let rest = bits.read(symbol), map.count + 1 << symbol + rest <= count
        else { return nil }
        map += repeatElement(0, count: 1 << symbol + rest)
      }
    }
    guard let isMoved = bits.read(1) else { return nil }
    if isMoved == 1 {
      var recent = (0...255).map { UInt8($0) }
      for index in map.indices {
        let value = recent.remove(at: Int(map[index]))
        recent.insert(value, at: 0)
        map[index] = value
      }
    }
    return map.allSatisfy { $0 < codes } ? (map, codes) : nil
  }

  /// The base values of the lengths of insertions and copies, and their numbers of extra bits (§5).
  private static let insertBase = [
    0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 26, 34, 50, 66, 98, 130, 194, 322, 578, 1090, 2114, 6210,
    22_594,
  ]
  private static let insertExtra = [
    0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24,
  ]
  private static let copyBase = [
    2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 22, 30, 38, 54, 70, 102, 134, 198, 326, 582, 1094, 2118,
  ]
  private static let copyExtra = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24,
  ]
  /// The first length codes of each 64 commands.
  private static let insertCells = [0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16]
  private static let copyCells = [0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16]

  mutating func readCommand(_ bits: inout PackedBits) -> BrotliCommand? {
    guard let kind = commandParts.next(&bits), let symbol = commandCodes[kind].decode(&bits)
    else { return nil }
    let insert = Self.insertCells[symbol >> 6] + symbol >> 3 & 7
    let copy = Self.copyCells[symbol >> 6] + symbol & 7
    guard let more = bits.read(Self.insertExtra[insert]), let rest = bits.read(Self.copyExtra[copy])
    else { return nil }
    return BrotliCommand(
      insertLength: Self.insertBase[insert] + more, copyLength: Self.copyBase[copy] + rest,
      repeatsDistance: symbol < 128)
  }

  /// - Parameters:
  ///   - last: the last byte of the output, 0 at its beginning.
  ///   - second: the byte before it.
  mutating func readLiteral(_ bits: inout PackedBits, _ last: UInt8, _ second: UInt8) -> UInt8? {
    guard let kind = literalParts.next(&bits) else { return nil }
    let context = BrotliContext.literal(mode: literalModes[kind], last, second)
    return literalCodes[Int(literalMap[64 * kind + context])].decode(&bits).map { UInt8($0) }
  }

  /// The distances of codes 4 to 15 from the last one or the one before it (§4).
  private static let steps = [-1, 1, -2, 2, -3, 3]

  /// The code and the distance for a copy (§4).
  ///
  /// - Parameter distances: the last four, the latest one first.
  mutating func readDistance(
    _ bits: inout PackedBits, _ copyLength: Int, _ distances: [Int]
  ) -> (code: Int, distance: Int)? {
    guard let kind = distanceParts.next(&bits) else { return nil }
    let context = min(copyLength - 2, 3)
    guard let code = distanceCodes[Int(distanceMap[4 * kind + context])].decode(&bits)
    else { return nil }
    if code < 16 {
      let distance =
        code < 4 ? distances[code] : distances[(code - 4) / 6] + Self.steps[(code - 4) % 6]
      return distance > 0 ? (code, distance) : nil
    }
    if code < 16 + directDistances { return (code, code - 15) }
    let number = code - 16 - directDistances
    let extra = 1 + number >> (postfixBits + 1)
    guard let more = bits.read(extra) else { return nil }
    let offset = (2 + number >> postfixBits & 1) << extra - 4
    let low = number & (1 << postfixBits - 1)
    return (code, (offset + more) << postfixBits + low + directDistances + 1)
  }
}
