/// Decompresses a zlib stream (RFC 1950), as in PNG's compressed texts. The checksum at its end is not verified.
///
/// - Returns: nil if the stream is damaged or expands to more than `limit` bytes.
package func inflateZlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  guard let method = bytes.u8(at: 0), method & 0x0F == 8, let flags = bytes.u8(at: 1),
    flags & 0x20 == 0
  else { return nil }
  return inflateRaw(bytes.bytes(from: 2), limit: limit)
}

/// Decompresses a DEFLATE stream without a header.
///
/// - Returns: nil if the stream is damaged, ends early or expands to more than `limit` bytes.
package func inflateRaw(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  var inflater = Inflater(PackedBits(bytes), limit: limit)
  return inflater.run() ? inflater.output : nil
}

/// The length in bytes of a zlib stream with its checksum, which begins at the start of the joined `ranges`. The
/// content is not stored, so memory does not grow with it.
///
/// - Returns: nil for a stream that is damaged or needs a dictionary. If the checksum is cut off, the result is greater
///   than the length of `ranges`.
/// - Throws: the errors of the source.
package func zlibLength(in source: any ByteSource, _ ranges: [Range<UInt64>]) throws -> UInt64? {
  var bytes = SpannedBytes(source, ranges)
  let (method, flags) = (bytes.next(), bytes.next())
  var length: UInt64?
  if let method, let flags, method & 0x0F == 8, flags & 0x20 == 0 {
    var inflater = Inflater(PackedBits(bytes), limit: nil)
    if inflater.run() { length = inflater.bits.bytesRead + 4 }
    bytes = inflater.bits.bytes
  }
  if let failure = bytes.failure { throw failure }
  return length
}

/// DEFLATE (RFC 1951).
private struct Inflater {
  private(set) var bits: PackedBits
  /// The maximum length of the output in bytes; nil if the output is not stored.
  private let limit: Int?
  private(set) var output: [UInt8] = []

  init(_ bits: PackedBits, limit: Int?) {
    self.bits = bits
    self.limit = limit
  }

  /// Decompresses the stream; false if it is incomplete or its output exceeds the limit.
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

  /// The order in which the lengths of code-length codes are stored (§3.2.7).
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

  /// Adds one code length, or the repetitions that a symbol above 15 encodes.
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

  /// The base values of lengths and distances, and their numbers of extra bits (§3.2.5).
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

extension HuffmanCode {
  /// The codes of §3.2.6.
  fileprivate static let fixedLiterals = HuffmanCode(
    lengths: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
      + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
  fileprivate static let fixedDistances = HuffmanCode(lengths: [Int](repeating: 5, count: 30))
}
