import ByteReading

/// The Huffman tables of a JPEG (ITU-T T.81 §C): four of each class, for DC and for AC coefficients.
struct JPEGCodeTables {
  /// One code and what follows it.
  struct Entry {
    /// Bits 0–7: the symbol. 8–15: the length of the code in bits, 0 for none. 16–23: the length of the code and
    /// of the value after it. 24–31: the coefficients that a sequential AC code advances; ``toEnd`` for the rest.
    private var bits: UInt32

    /// More coefficients than a block has.
    static let toEnd = 128
    static let none = Entry(bits: 0)

    private init(bits: UInt32) {
      self.bits = bits
    }

    init(symbol: UInt8, length: Int, isAC: Bool) {
      let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
      let total = length + (isAC ? size : Int(symbol))
      let advance = isAC && size == 0 && run < 15 ? Self.toEnd : run + 1
      bits = UInt32(symbol) | UInt32(length) << 8 | UInt32(total) << 16 | UInt32(advance) << 24
    }

    var symbol: Int { Int(bits & 0xFF) }
    var length: Int { Int(bits >> 8 & 0xFF) }
    var total: Int { Int(bits >> 16 & 0xFF) }
    var advance: Int { Int(bits >> 24) }
    var isNone: Bool { bits == 0 }
  }

  /// Bits that are looked up at once.
  private static let fastBits = 10
  private static let tableCount = 8
  /// No difference of DC coefficients has more bits (§F.1.2.1, with 12 bits a sample; 16 without loss).
  private static let maximumDCSize: UInt8 = 16

  /// The codes of at most 10 bits by the bits that begin with them.
  private var fast = [Entry](repeating: .none, count: tableCount << fastBits)
  /// The longer codes of each table in order, left-aligned to 16 bits.
  private var long = [[(code: Int, entry: Entry)]](repeating: [], count: tableCount)

  static func index(isAC: Bool, _ number: UInt8) -> Int {
    (isAC ? 4 : 0) + Int(number & 3)
  }

  /// Takes the tables of a segment (§B.2.4.2).
  ///
  /// - Returns: false for tables that are impossible.
  mutating func define(_ content: [UInt8]) -> Bool {
    var position = 0
    while let kind = content.u8(at: position),
      let counts = content.bytes(at: position + 1, count: 16)
    {
      let count = counts.reduce(0) { $0 + Int($1) }
      guard kind & 0xEC == 0, let symbols = content.bytes(at: position + 17, count: count)
      else { return false }
      guard define(isAC: kind >> 4 == 1, kind & 3, counts, symbols) else { return false }
      position += 17 + count
    }
    return position == content.count
  }

  private mutating func define(
    isAC: Bool, _ number: UInt8, _ counts: [UInt8], _ symbols: [UInt8]
  ) -> Bool {
    let table = Self.index(isAC: isAC, number)
    let base = table << Self.fastBits
    for index in base..<(base + 1 << Self.fastBits) { fast[index] = .none }
    long[table] = []
    var (code, next) = (0, 0)
    for (index, count) in counts.enumerated() {
      let length = index + 1
      for _ in 0..<count {
        guard code < 1 << length, isAC || symbols[next] <= Self.maximumDCSize else { return false }
        let entry = Entry(symbol: symbols[next], length: length, isAC: isAC)
        if length <= Self.fastBits {
          let first = base + code << (Self.fastBits - length)
          for slot in first..<(first + 1 << (Self.fastBits - length)) { fast[slot] = entry }
        } else {
          long[table].append((code << (16 - length), entry))
        }
        code += 1
        next += 1
      }
      code <<= 1
    }
    return true
  }

  /// The code that some bits begin with; none where there is no such code.
  ///
  /// - Parameter bits: 16.
  @inline(__always)
  func entry(_ table: Int, _ bits: Int) -> Entry {
    let found = fast[table << Self.fastBits | bits >> (16 - Self.fastBits)]
    return found.isNone ? longEntry(table, bits) : found
  }

  private func longEntry(_ table: Int, _ bits: Int) -> Entry {
    // The last code that is not after the bits.
    var (low, high) = (0, long[table].count)
    while low < high {
      let middle = (low + high) / 2
      if long[table][middle].code <= bits { low = middle + 1 } else { high = middle }
    }
    guard low > 0, case let (code, entry) = long[table][low - 1],
      bits - code < 1 << (16 - entry.length)
    else { return .none }
    return entry
  }
}
