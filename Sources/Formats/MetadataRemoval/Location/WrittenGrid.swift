import ByteReading

/// Finds positions in grids: `8FVC9G8F+5W` (a full plus code), `32T 465005 5247079` (UTM), `32T MT 65005 47079` (MGRS with
/// spaces; without them serial numbers look the same).
enum WrittenGrid {
  /// Digits of plus codes (Open Location Code specification).
  private static let codeDigits = Set("23456789CFGHJMPQRVWX".utf8)
  /// Digits left of its plus sign.
  private static let codeLength = 8

  /// Whether a text in an encoding that contains ASCII contains such a position.
  static func occurs(in text: [UInt8]) -> Bool {
    text.indices.contains { index in
      switch text[index] {
      case UInt8(ascii: "+"): isCode(text, index)
      case UInt8(ascii: " "): isZone(text, endingAt: index)
      default: false
      }
    }
  }

  /// Whether the plus sign at a position is that of a code with at least two more digits. Sums have no letters.
  private static func isCode(_ text: [UInt8], _ plus: Int) -> Bool {
    guard let digits = text.bytes(at: plus - codeLength, count: codeLength),
      digits.allSatisfy(codeDigits.contains), digits.contains(where: { $0 > 0x39 }),
      !isWordCharacter(text.u8(at: plus - codeLength - 1))
    else { return false }
    let rest = text[(plus + 1)...].prefix(8).prefix(while: codeDigits.contains).count
    return rest >= 2 && !isWordCharacter(text.u8(at: plus + 1 + rest))
  }

  /// Whether a grid zone (1 to 60, a letter from C to X) is before a space, and numbers of metres follow it.
  private static func isZone(_ text: [UInt8], endingAt space: Int) -> Bool {
    guard let band = text.u8(at: space - 1), (0x43...0x58).contains(band) else { return false }
    var start = space - 1
    while let byte = text.u8(at: start - 1), WrittenCoordinates.isDigit(byte) { start -= 1 }
    guard (1...2).contains(space - 1 - start), !isWordCharacter(text.u8(at: start - 1)) else {
      return false
    }
    let words = text[(space + 1)...].prefix(40)
      .split(separator: 0x20, maxSplits: 3).prefix(3).map(Array.init)
    return isUTM(words) || isMGRS(words)
  }

  /// Whether words begin with an easting of six digits and a northing of seven.
  private static func isUTM(_ words: [[UInt8]]) -> Bool {
    words.count >= 2 && digits(of: words[0]) == 6 && digits(of: words[1]) == 7
  }

  /// Whether words are a square of 100 km and two numbers of equal length.
  private static func isMGRS(_ words: [[UInt8]]) -> Bool {
    guard words.count == 3, words[0].count == 2, words[0].allSatisfy({ (0x41...0x5A).contains($0) })
    else {
      return false
    }
    let count = digits(of: words[1])
    return (3...5).contains(count) && count == words[1].count && count == digits(of: words[2])
  }

  /// The number of digits at the beginning of a word.
  private static func digits(of word: [UInt8]) -> Int {
    word.prefix(while: WrittenCoordinates.isDigit).count
  }

  private static func isWordCharacter(_ byte: UInt8?) -> Bool {
    byte.map { WrittenCoordinates.isDigit($0) || (0x61...0x7A).contains($0 | 0x20) } ?? false
  }
}
