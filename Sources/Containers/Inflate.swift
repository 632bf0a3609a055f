/// Decompresses a zlib stream (RFC 1950), as PNG keeps compressed texts in; nil where it is damaged or
/// holds more than `limit` bytes. The checksum at its end is not looked at.
func inflateZlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  guard let method = bytes.u8(at: 0), method & 0x0F == 8, let flags = bytes.u8(at: 1),
    flags & 0x20 == 0
  else { return nil }
  var inflater = Inflater(bytes.bytes(from: 2), limit: limit)
  return inflater.run()
}

/// Decompresses a DEFLATE stream without a header; nil where it is damaged, ends early or holds more than
/// `limit` bytes.
func inflateRaw(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  var inflater = Inflater(bytes, limit: limit)
  return inflater.run()
}

/// DEFLATE (RFC 1951), decoding one bit at a time as the specification describes it: texts are short,
/// and plain code is easier to trust with hostile bytes than fast code.
private struct Inflater {
  private var bits: BitReader
  private let limit: Int
  private var output: [UInt8] = []

  init(_ bytes: [UInt8], limit: Int) {
    bits = BitReader(bytes)
    self.limit = limit
  }

  mutating func run() -> [UInt8]? {
    while let isLast = bits.read(1), let kind = bits.read(2) {
      let isWhole =
        switch kind {
        case 0: copyStored()
        case 1: expand(.fixedLiterals, .fixedDistances)
        case 2: expandDynamic()
        default: false
        }
      if !isWhole { return nil }
      if isLast == 1 { return output }
    }
    return nil
  }

  private mutating func copyStored() -> Bool {
    bits.skipToByte()
    guard let length = bits.read(16), let complement = bits.read(16),
      length == ~complement & 0xFFFF, output.count + length <= limit
    else { return false }
    for _ in 0..<length {
      guard let byte = bits.read(8) else { return false }
      output.append(UInt8(byte))
    }
    return true
  }

  /// The order in which the lengths of code lengths are sent (§3.2.7).
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func expandDynamic() -> Bool {
    guard let literals = bits.read(5), let distances = bits.read(5), let lengths = bits.read(4)
    else { return false }
    var lengthCodes = [Int](repeating: 0, count: 19)
    for position in Self.lengthOrder.prefix(lengths + 4) {
      guard let length = bits.read(3) else { return false }
      lengthCodes[position] = length
    }
    let code = HuffmanCode(lengths: lengthCodes)
    var all: [Int] = []
    let total = literals + 257 + distances + 1
    while all.count < total {
      guard let symbol = code.decode(&bits), appendLengths(symbol, to: &all) else { return false }
    }
    guard all.count == total else { return false }
    return expand(
      HuffmanCode(lengths: Array(all[..<(literals + 257)])),
      HuffmanCode(lengths: Array(all[(literals + 257)...])))
  }

  /// Adds one code length, or several that a symbol above 15 repeats.
  private mutating func appendLengths(_ symbol: Int, to all: inout [Int]) -> Bool {
    switch symbol {
    case 0...15: all.append(symbol)
    case 16:
      guard let last = all.last, let more = bits.read(2) else { return false }
      all += [Int](repeating: last, count: more + 3)
    case 17:
      guard let more = bits.read(3) else { return false }
      all += [Int](repeating: 0, count: more + 3)
    default:
      guard let more = bits.read(7) else { return false }
      all += [Int](repeating: 0, count: more + 11)
    }
    return true
  }

  private mutating func expand(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
    while let symbol = literals.decode(&bits) {
      if symbol == 256 { return true }
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
      } else if !copy(lengthSymbol: symbol - 257, distances) {
        return false
      }
    }
    return false
  }

  /// Lengths and distances begin at these values and take so many more bits (§3.2.5).
  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthExtra = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private mutating func copy(lengthSymbol: Int, _ distances: HuffmanCode) -> Bool {
    guard lengthSymbol < Self.lengthBase.count,
      let moreLength = bits.read(Self.lengthExtra[lengthSymbol]),
      let symbol = distances.decode(&bits), symbol < Self.distanceBase.count,
      let moreDistance = bits.read(max(0, symbol / 2 - 1))
    else { return false }
    let length = Self.lengthBase[lengthSymbol] + moreLength
    let distance = Self.distanceBase[symbol] + moreDistance
    guard distance <= output.count, output.count + length <= limit else { return false }
    for _ in 0..<length { output.append(output[output.count - distance]) }
    return true
  }
}

/// A canonical Huffman code: symbols sorted by the length of their codes (§3.2.2).
private struct HuffmanCode {
  private static let maximumLength = 15
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  private var symbols: [Int] = []

  init(lengths: [Int]) {
    for length in 1...Self.maximumLength {
      let found = lengths.indices.filter { lengths[$0] == length }
      counts[length] = found.count
      symbols += found
    }
  }

  /// The next symbol; nil at the end of the bits and for a code that stands for none.
  func decode(_ bits: inout BitReader) -> Int? {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.maximumLength {
      guard let bit = bits.read(1) else { return nil }
      code = code << 1 | bit
      if code - first < counts[length] { return symbols[index + code - first] }
      index += counts[length]
      first = (first + counts[length]) << 1
    }
    return nil
  }

  /// The codes of §3.2.6.
  static let fixedLiterals = HuffmanCode(
    lengths: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
      + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
  static let fixedDistances = HuffmanCode(lengths: [Int](repeating: 5, count: 30))
}
