/// A prefix code of a Brotli stream (RFC 7932 §3). A code of one symbol takes no bits.
enum PrefixCode {
  case single(Int)
  case several(HuffmanCode)

  /// Reads a code for the numbers below `symbols`; nil if it is damaged.
  init?(_ bits: inout PackedBits, symbols: Int) {
    guard let kind = bits.read(2),
      let code = kind == 1
        ? Self.readSimple(&bits, symbols) : Self.readComplex(&bits, symbols, skipping: kind)
    else { return nil }
    self = code
  }

  func decode(_ bits: inout PackedBits) -> Int? {
    switch self {
    case .single(let symbol): symbol
    case .several(let code): code.decode(&bits)
    }
  }

  /// A code of up to four symbols, which are listed (§3.4).
  private static func readSimple(_ bits: inout PackedBits, _ symbols: Int) -> PrefixCode? {
    guard let more = bits.read(2) else { return nil }
    let width = Int.bitWidth - (symbols - 1).leadingZeroBitCount
    var listed: [Int] = []
    for _ in 0...more {
      guard let symbol = bits.read(width), symbol < symbols, !listed.contains(symbol)
      else { return nil }
      listed.append(symbol)
    }
    let lengths: [Int]
    switch listed.count {
    case 1: return .single(listed[0])
    case 2: lengths = [1, 1]
    case 3: lengths = [1, 2, 2]
    default:
      guard let isDeep = bits.read(1) else { return nil }
      lengths = isDeep == 1 ? [1, 2, 3, 3] : [2, 2, 2, 2]
    }
    var all = [Int](repeating: 0, count: symbols)
    for (symbol, length) in zip(listed, lengths) { all[symbol] = length }
    return .several(HuffmanCode(lengths: all))
  }

  /// The order in which the lengths of code-length codes are stored (§3.5).
  private static let lengthOrder = [
    1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ]

  /// A code whose lengths are themselves coded (§3.5).
  private static func readComplex(
    _ bits: inout PackedBits, _ symbols: Int, skipping skipped: Int
  ) -> PrefixCode? {
    var lengths = [Int](repeating: 0, count: 18)
    var space = 32
    for position in lengthOrder.dropFirst(skipped) where space > 0 {
      guard let length = lengthLength(&bits) else { return nil }
      lengths[position] = length
      if length > 0 { space -= 32 >> length }
    }
    let used = lengths.indices.filter { lengths[$0] > 0 }
    guard space == 0 || used.count == 1 else { return nil }
    let code: PrefixCode =
      used.count == 1 ? .single(used[0]) : .several(HuffmanCode(lengths: lengths))
    return readLengths(&bits, symbols, code).map { .several(HuffmanCode(lengths: $0)) }
  }

  /// A length from 0 to 5 of a code-length code: 00, 0111, 011, 10, 01 and 1111, read from the right (§3.5).
  private static func lengthLength(_ bits: inout PackedBits) -> Int? {
    guard let first = bits.read(2) else { return nil }
    if first < 3 { return [0, 4, 3][first] }
    guard let third = bits.read(1) else { return nil }
    if third == 0 { return 2 }
    return bits.read(1).map { $0 == 0 ? 1 : 5 }
  }

  /// The lengths of all symbols. Symbol 16 of their code repeats the last length, and 17 repeats 0; a second one in a row
  /// multiplies the number of repetitions.
  private static func readLengths(
    _ bits: inout PackedBits, _ symbols: Int, _ code: PrefixCode
  ) -> [Int]? {
    var lengths: [Int] = []
    var space = 32_768
    var (last, repeated, repetitions) = (8, 0, 0)
    while lengths.count < symbols, space > 0 {
      guard let symbol = code.decode(&bits) else { return nil }
      if symbol < 16 {
        lengths.append(symbol)
        repetitions = 0
        if symbol > 0 {
          last = symbol
          space -= 32_768 >> symbol
        }
        continue
      }
      let length = symbol == 16 ? last : 0
      if length != repeated { (repeated, repetitions) = (length, 0) }
      guard let more = bits.read(symbol - 14) else { return nil }
      let before = repetitions
      if before > 0 { repetitions = (before - 2) << (symbol - 14) }
      repetitions += more + 3
      let added = repetitions - before
      guard lengths.count + added <= symbols else { return nil }
      lengths += repeatElement(length, count: added)
      if length > 0 { space -= added << (15 - length) }
    }
    guard space == 0 else { return nil }
    return lengths + [Int](repeating: 0, count: symbols - lengths.count)
  }
}
