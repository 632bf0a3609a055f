/// Four characters that name a box, a brand, a chunk or a codec.
package struct FourCC: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The first four characters of a Latin-1 text such as `"moov"` or `"©xyz"`, padded with spaces.
  package init(stringLiteral text: String) {
    var value: UInt32 = 0
    var count = 0
    for scalar in text.unicodeScalars where count < 4 {
      value = value << 8 | (scalar.value & 0xFF)
      count += 1
    }
    while count < 4 {
      value = value << 8 | 0x20
      count += 1
    }
    rawValue = value
  }

  private var characters: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
  }

  /// The characters as Latin-1, with `?` for those that cannot be printed.
  package var description: String {
    let shown = characters.map { byte -> Unicode.Scalar in
      (0x20...0x7E).contains(byte) || byte >= 0xA1 ? Unicode.Scalar(byte) : "?"
    }
    return String(String.UnicodeScalarView(shown))
  }

  /// Whether all four are printable ASCII or ©, as in every registered box type.
  package var isPlausible: Bool {
    characters.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 }
  }
}

extension [UInt8] {
  package func fourCC(at offset: Int) -> FourCC? {
    u32(at: offset).map(FourCC.init(rawValue:))
  }
}
