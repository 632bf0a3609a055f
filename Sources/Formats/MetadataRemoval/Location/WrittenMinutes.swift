import ByteReading

/// Finds coordinates with minutes that have no degree sign, of which the first number can have more than three digits:
/// `4722.266,N` (NMEA 0183), `+4722.266+00832.537/` and `+472216+0083232/` (ISO 6709), `47 deg 22' 16.07"` (exiftool).
enum WrittenMinutes {
  /// Whether such coordinates begin with the digit or sign at a position.
  static func begin(at position: Int, of text: [UInt8]) -> Bool {
    guard let first = text.u8(at: position), !isDigit(text.u8(at: position - 1)) else {
      return false
    }
    if first == 0x2B || first == 0x2D { return isPair(text, position) }
    return isSentence(text, position) || isDegree(text, position)
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map(WrittenCoordinates.isDigit) ?? false
  }

  /// Degrees, minutes and their decimals, a comma and the hemisphere, as fields of a sentence of a receiver.
  private static func isSentence(_ text: [UInt8], _ start: Int) -> Bool {
    let point = WrittenCoordinates.endOfDigits(text, start)
    guard (3...5).contains(point - start), text.u8(at: point) == UInt8(ascii: "."),
      case let end = WrittenCoordinates.endOfDigits(text, point + 1), end - point > 2,
      text.u8(at: end) == UInt8(ascii: ","), isMinute(text, endingAt: point),
      let hemisphere = text.u8(at: end + 1), "NSEW".utf8.contains(hemisphere)
    else { return false }
    return text.u8(at: end + 2).map { $0 == UInt8(ascii: ",") || $0 <= 0x20 } ?? true
  }

  /// A latitude with two or four digits after the degrees, and a longitude with one more.
  private static func isPair(_ text: [UInt8], _ start: Int) -> Bool {
    let point = WrittenCoordinates.endOfDigits(text, start + 1)
    let count = point - start - 1
    guard count == 4 || count == 6, isMinute(text, endingAt: start + 5) else { return false }
    let next = endOfDecimals(text, point)
    guard let sign = text.u8(at: next), sign == 0x2B || sign == 0x2D,
      WrittenCoordinates.endOfDigits(text, next + 1) - next - 1 == count + 1
    else { return false }
    return isMinute(text, endingAt: next + 6)
  }

  /// Degrees and minutes after the word `deg`.
  private static func isDegree(_ text: [UInt8], _ start: Int) -> Bool {
    func skipBlanks(_ start: Int) -> Int {
      var position = start
      while text.u8(at: position) == 0x20 { position += 1 }
      return position
    }
    let word = skipBlanks(WrittenCoordinates.endOfDigits(text, start))
    guard text.hasText("deg", at: word) || text.hasText("Deg", at: word) else { return false }
    let minutes = skipBlanks(word + 3)
    let end = WrittenCoordinates.endOfDigits(text, minutes)
    guard (1...2).contains(end - minutes) else { return false }
    let sign = skipBlanks(endOfDecimals(text, end))
    return text.u8(at: sign) == UInt8(ascii: "'") || text.hasText("\u{2032}", at: sign)
      || text.hasText("min", at: sign)
  }

  private static func endOfDecimals(_ text: [UInt8], _ position: Int) -> Int {
    text.u8(at: position) == UInt8(ascii: ".")
      ? WrittenCoordinates.endOfDigits(text, position + 1) : position
  }

  /// Whether the two digits before a position are less than 60.
  private static func isMinute(_ text: [UInt8], endingAt end: Int) -> Bool {
    text.u8(at: end - 2).map { (0x30...0x35).contains($0) } ?? false
  }
}
