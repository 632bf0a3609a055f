/// A canonical Huffman code: symbols sorted by the length of their codes (RFC 1951 §3.2.2, RFC 7932 §3.2).
struct HuffmanCode {
  private static let maximumLength = 15
  /// Codes up to this length in bits are decoded with one table access.
  private static let tableBits = 9
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  private var symbols: [Int]
  /// The table, indexed by the next bits: symbol × 16 + length; 0 for longer codes and unused ones.
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
      // Excess codes of an invalid stream do not fit into the table. They are decoded bit by bit, or rejected.
      if length <= Self.tableBits, code[length] < 1 << length {
        fill(code[length], length, UInt16(symbol << 4 | length))
      }
      code[length] += 1
    }
  }

  /// Enters a code, which is stored from its highest bit on, at all indexes that begin with it.
  private mutating func fill(_ code: Int, _ length: Int, _ entry: UInt16) {
    var index = 0
    for bit in 0..<length where code >> bit & 1 == 1 { index |= 1 << (length - 1 - bit) }
    while index < table.count {
      table[index] = entry
      index += 1 << length
    }
  }

  /// The next symbol; nil at the end of the bits and for a code without a symbol.
  func decode(_ bits: inout PackedBits) -> Int? {
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
}
