import ByteReading

/// Finds coordinates with minutes that have no degree sign, of which the first number can have more than three digits:
/// `4722.266,N` (NMEA 0183), `4722.27N` (APRS), `47 22 16 N`, `N47:22:16`, `+4722.266+00832.537/` and `+472216+0083232/`
/// (ISO 6709), `47 deg 22' 16.07"` (exiftool).
enum WrittenMinutes {
  /// Whether such coordinates begin with the digit or sign at a position.
  static func begin(at position: Int, of text: [UInt8]) -> Bool {
    guard let first = text.u8(at: position), !isDigit(text.u8(at: position - 1)) else {
      return false
    }
    if first == 0x2B || first == 0x2D { return isPair(text, position) }
    return isSentence(text, position) || isDegree(text, position) || isTriple(text, position)
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map(WrittenCoordinates.isDigit) ?? false
  }

  /// Degrees, minutes and their decimals, and the hemisphere, which is a field of its own in a sentence of a receiver.
  private static func isSentence(_ text: [UInt8], _ start: Int) -> Bool {
    let point = WrittenCoordinates.endOfDigits(text, start)
    guard (3...5).contains(point - start), text.u8(at: point) == UInt8(ascii: "."),
      case let end = WrittenCoordinates.endOfDigits(text, point + 1), end - point > 2,
      isMinute(text, endingAt: point)
    else { return false }
    return isHemisphere(text, text.u8(at: end) == UInt8(ascii: ",") ? end + 1 : end)
  }

  /// Degrees, minutes and seconds between spaces, colons or hyphens, after or before the hemisphere.
  private static func isTriple(_ text: [UInt8], _ start: Int) -> Bool {
    let degrees = WrittenCoordinates.endOfDigits(text, start)
    guard (1...3).contains(degrees - start), let separator = text.u8(at: degrees),
      " :-".utf8.contains(separator)
    else { return false }
    let minutes = WrittenCoordinates.endOfDigits(text, degrees + 1)
    let seconds = WrittenCoordinates.endOfDigits(text, minutes + 1)
    guard text.u8(at: minutes) == separator, isSixtieth(text, degrees + 1, minutes),
      isSixtieth(text, minutes + 1, seconds)
    else { return false }
    let end = endOfDecimals(text, seconds)
    // A day between hyphens can be followed by a word.
    let space = separator == UInt8(ascii: "-") ? 0 : 1
    return isHemisphere(text, end)
      || space == 1 && text.u8(at: end) == 0x20 && isHemisphere(text, end + 1)
      || isHemisphere(text, start - 1)
      || space == 1 && text.u8(at: start - 1) == 0x20 && isHemisphere(text, start - 2)
  }

  /// Whether a letter of its own is that of a hemisphere. A digit may follow it.
  private static func isHemisphere(_ text: [UInt8], _ position: Int) -> Bool {
    func isLetter(_ byte: UInt8?) -> Bool {
      byte.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
    }
    return text.u8(at: position).map("NSEW".utf8.contains) == true
      && !isLetter(text.u8(at: position - 1)) && !isLetter(text.u8(at: position + 1))
  }

  /// Whether one or two digits are less than 60.
  private static func isSixtieth(_ text: [UInt8], _ start: Int, _ end: Int) -> Bool {
    end - start == 1 || end - start == 2 && isMinute(text, endingAt: end)
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
