/// Decompresses a zlib stream (RFC 1950), as PNG keeps compressed texts in; nil where it is damaged or
/// holds more than `limit` bytes. The checksum at its end is not looked at.
package func inflateZlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  guard let method = bytes.u8(at: 0), method & 0x0F == 8, let flags = bytes.u8(at: 1),
    flags & 0x20 == 0
  else { return nil }
  return inflateRaw(bytes.bytes(from: 2), limit: limit)
}

/// Decompresses a DEFLATE stream without a header; nil where it is damaged, ends early or holds more than
/// `limit` bytes.
package func inflateRaw(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  var inflater = Inflater(
    SpannedBytes(ArraySource(bytes), [0..<UInt64(bytes.count)]), limit: limit)
  return inflater.run() ? inflater.output : nil
}

/// The number of bytes that a zlib stream takes, its checksum included, in the bytes of `ranges` joined.
/// Nothing is kept of its content, so that memory does not grow with it.
///
/// - Returns: Nil for a stream that is damaged or needs a dictionary. A number beyond the end of `ranges`
///   where the checksum is cut off.
/// - Throws: what the source throws.
package func zlibLength(in source: any ByteSource, _ ranges: [Range<UInt64>]) throws -> UInt64? {
  var bytes = SpannedBytes(source, ranges)
  let (method, flags) = (bytes.next(), bytes.next())
  var length: UInt64?
  if let method, let flags, method & 0x0F == 8, flags & 0x20 == 0 {
    var inflater = Inflater(bytes, limit: nil)
    if inflater.run() { length = inflater.bits.bytesRead + 4 }
    bytes = inflater.bits.bytes
  }
  if let failure = bytes.failure { throw failure }
  return length
}

/// DEFLATE (RFC 1951).
private struct Inflater {
  private(set) var bits: DeflateBits
  /// The most bytes that may come out; nil where the output is only passed over, not kept.
  private let limit: Int?
  private(set) var output: [UInt8] = []

  init(_ bytes: SpannedBytes, limit: Int?) {
    bits = DeflateBits(bytes)
    self.limit = limit
  }

  /// Whether the stream is whole and its output within the limit.
  mutating func run() -> Bool {
    while let isLast = bits.read(1), let kind = bits.read(2) {
      let isWhole =
        switch kind {
        case 0: copyStored()
        case 1: expand(.fixedLiterals, .fixedDistances)
        case 2: expandDynamic()
        default: false
        }
      if !isWhole { return false }
      if isLast == 1 { return true }
    }
    return false
  }

  private func hasSpace(_ count: Int) -> Bool {
    limit.map { output.count + count <= $0 } ?? true
  }

  private mutating func copyStored() -> Bool {
    bits.skipToByte()
    guard let length = bits.read(16), let complement = bits.read(16),
      length == ~complement & 0xFFFF, hasSpace(length)
    else { return false }
    for _ in 0..<length {
      guard let byte = bits.read(8) else { return false }
      if limit != nil { output.append(UInt8(byte)) }
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
        guard hasSpace(1) else { return false }
        if limit != nil { output.append(UInt8(symbol)) }
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
    guard limit != nil else { return true }
    guard distance <= output.count, hasSpace(length) else { return false }
    for _ in 0..<length { output.append(output[output.count - distance]) }
    return true
  }
}

/// A canonical Huffman code: symbols sorted by the length of their codes (§3.2.2).
private struct HuffmanCode {
  private static let maximumLength = 15
  /// Codes up to this length are looked up in one step.
  private static let tableBits = 9
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  private var symbols: [Int]
  /// By the next bits: symbol × 16 + length; 0 for longer codes and unused ones.
  private var table = [UInt16](repeating: 0, count: 1 << tableBits)

  init(lengths: [Int]) {
    for length in lengths where length > 0 { counts[length] += 1 }
    var next = [Int](repeating: 0, count: Self.maximumLength + 2)
    var code = [Int](repeating: 0, count: Self.maximumLength + 2)
    for length in 1...Self.maximumLength {
      next[length + 1] = next[length] + counts[length]
      code[length + 1] = (code[length] + counts[length]) << 1
    }
    symbols = [Int](repeating: 0, count: next[Self.maximumLength + 1])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[next[length]] = symbol
      next[length] += 1
      // Too many codes of a length have no place in the table, and are found or not one bit at a time.
      if length <= Self.tableBits, code[length] < 1 << length {
        fill(code[length], length, UInt16(symbol << 4 | length))
      }
      code[length] += 1
    }
  }

  /// Enters a code, which is sent from its highest bit on, under all values of the bits after it.
  private mutating func fill(_ code: Int, _ length: Int, _ entry: UInt16) {
    var index = 0
    for bit in 0..<length where code >> bit & 1 == 1 { index |= 1 << (length - 1 - bit) }
    while index < table.count {
      table[index] = entry
      index += 1 << length
    }
  }

  /// The next symbol; nil at the end of the bits and for a code without a symbol.
  func decode(_ bits: inout DeflateBits) -> Int? {
    let next = bits.peek()
    let entry = table[next & (1 << Self.tableBits - 1)]
    if entry != 0 { return bits.skip(Int(entry & 15)) ? Int(entry >> 4) : nil }
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.maximumLength {
      code = code << 1 | (next >> (length - 1) & 1)
      if code - first < counts[length] {
        return bits.skip(length) ? symbols[index + code - first] : nil
      }
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

/// Reads bits from the least significant one of each byte on.
private struct DeflateBits {
  private(set) var bytes: SpannedBytes
  private var buffer: UInt64 = 0
  /// Bits in the buffer.
  private var available = 0

  init(_ bytes: SpannedBytes) {
    self.bytes = bytes
  }

  /// Bytes of which at least one bit was read.
  var bytesRead: UInt64 { bytes.position - UInt64(available / 8) }

  private mutating func load() {
    while available <= 56, let byte = bytes.next() {
      buffer |= UInt64(byte) << UInt64(available)
      available += 8
    }
  }

  /// The next 16 bits, zeros after the end.
  mutating func peek() -> Int {
    if available < 16 { load() }
    return Int(buffer & 0xFFFF)
  }

  /// Passes over up to 16 bits; false where there are fewer.
  mutating func skip(_ count: Int) -> Bool {
    if available < count { load() }
    guard count <= available else { return false }
    buffer >>= UInt64(count)
    available -= count
    return true
  }

  /// Up to 16 bits; nil at the end.
  mutating func read(_ count: Int) -> Int? {
    let value = peek() & (1 << count - 1)
    return skip(count) ? value : nil
  }

  /// Moves to the next byte's first bit.
  mutating func skipToByte() {
    _ = skip(available % 8)
  }
}
