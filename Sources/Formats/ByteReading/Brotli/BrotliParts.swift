/// The parts of a block in which one kind of literals, commands or distances is in use (RFC 7932 §6).
struct BrotliParts {
  /// The number of kinds.
  let kinds: Int
  private var kindCode: PrefixCode?
  private var lengthCode: PrefixCode?
  /// The kinds of this part and of the one before it.
  private var (kind, previous) = (0, 1)
  /// What is left of this part.
  private var left = 1 << 24

  /// Nil if the description is damaged.
  init?(_ bits: inout PackedBits) {
    guard let kinds = Self.readCount(&bits) else { return nil }
    self.kinds = kinds
    guard kinds > 1 else { return }
    guard let kindCode = PrefixCode(&bits, symbols: kinds + 2),
      let lengthCode = PrefixCode(&bits, symbols: 26)
    else { return nil }
    (self.kindCode, self.lengthCode) = (kindCode, lengthCode)
    guard readLength(&bits) else { return nil }
  }

  /// A number from 1 to 256 (§9.2).
  static func readCount(_ bits: inout PackedBits) -> Int? {
    guard let isMany = bits.read(1) else { return nil }
    if isMany == 0 { return 1 }
    guard let width = bits.read(3), let more = bits.read(width) else { return nil }
    return 1 << width + 1 + more
  }

  private static let lengthBase = [
    1, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81, 97, 113, 145, 177, 209, 241, 305, 369, 497, 753, 1265,
    2289, 4337, 8433, 16_625,
  ]
  private static let lengthExtra = [
    2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24,
  ]

  private mutating func readLength(_ bits: inout PackedBits) -> Bool {
    guard let symbol = lengthCode?.decode(&bits), let more = bits.read(Self.lengthExtra[symbol])
    else { return false }
    left = Self.lengthBase[symbol] + more
    return true
  }

  /// The kind of the next literal, command or distance; nil if the stream is damaged.
  mutating func next(_ bits: inout PackedBits) -> Int? {
    if left == 0 {
      guard let kindCode, let symbol = kindCode.decode(&bits) else { return nil }
      let next =
        switch symbol {
        case 0: previous
        case 1: (kind + 1) % kinds
        default: symbol - 2
        }
      (previous, kind) = (kind, next)
      guard readLength(&bits) else { return nil }
    }
    left -= 1
    return kind
  }
}
