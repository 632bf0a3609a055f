import ByteReading

/// Finds positions in grids: `8FVC9G8F+5W` (a full plus code), `32T 465005 5247079` (UTM), `32T MT 65005 47079` (MGRS with
/// spaces; without them serial numbers look the same).
enum WrittenGrid {
  /// Digits of plus codes (Open Location Code specification).
  private static let codeDigits = ByteSet("23456789CFGHJMPQRVWX".utf8)
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
    let end = min(space + 41, text.count)
    return isUTM(text, space + 1, end) || isMGRS(text, space + 1, end)
  }

  /// Whether an easting of six digits and a northing of seven begin words.
  private static func isUTM(_ text: [UInt8], _ start: Int, _ end: Int) -> Bool {
    let easting = word(of: text, start, end)
    guard digits(of: text, easting) == 6 else { return false }
    return digits(of: text, word(of: text, easting.upperBound, end)) == 7
  }

  /// Whether words are a square of 100 km and two numbers of equal length.
  private static func isMGRS(_ text: [UInt8], _ start: Int, _ end: Int) -> Bool {
    let square = word(of: text, start, end)
    guard square.count == 2, text[square].allSatisfy({ (0x41...0x5A).contains($0) }) else {
      return false
    }
    let easting = word(of: text, square.upperBound, end)
    let count = digits(of: text, easting)
    guard (3...5).contains(count), count == easting.count else { return false }
    return count == digits(of: text, word(of: text, easting.upperBound, end))
  }

  /// The first word after spaces; empty if there is none before the end.
  private static func word(of text: [UInt8], _ start: Int, _ end: Int) -> Range<Int> {
    var first = start
    while first < end, text[first] == 0x20 { first += 1 }
    var last = first
    while last < end, text[last] != 0x20 { last += 1 }
    return first..<last
  }

  /// The number of digits at the beginning of a word.
  private static func digits(of text: [UInt8], _ word: Range<Int>) -> Int {
    min(WrittenCoordinates.endOfDigits(text, word.lowerBound), word.upperBound) - word.lowerBound
  }

  private static func isWordCharacter(_ byte: UInt8?) -> Bool {
    byte.map { WrittenCoordinates.isDigit($0) || (0x61...0x7A).contains($0 | 0x20) } ?? false
  }
}
