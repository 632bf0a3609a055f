import ByteReading

/// Finds coordinates in texts that do not name them: `47.37, 8.54`, `N47.3733 E8.5444`, `HOME(8.5422,47.3711)`,
/// `+47.3711+008.5422/` (ISO 6709), `47°22'`; ``WrittenMinutes`` finds further forms with minutes.
enum WrittenCoordinates {
  /// Whether a text in any encoding contains coordinates.
  static func occur(in text: [UInt8]) -> Bool {
    TextReadings.readings(of: text).contains(where: occur(inPlain:))
  }

  /// Whether a text in an encoding that contains ASCII has two consecutive numbers that can be a latitude and a
  /// longitude, or degrees with minutes. The numbers have at least two decimals, which is a precision of a kilometre,
  /// or at least four after a decimal comma.
  static func occur(inPlain text: [UInt8]) -> Bool {
    if isNamed(text) { return true }
    var position = 0
    var last: Number?
    while position < text.count {
      let byte = text[position]
      if degreeSigns.contains(byte), isDegree(text, position) { return true }
      guard isDigit(byte) || byte == 0x2B || byte == 0x2D else {
        position += 1
        continue
      }
      if WrittenMinutes.begin(at: position, of: text) { return true }
      guard let number = Number(text, at: position) else {
        position = max(position + 1, endOfDigits(text, position))
        continue
      }
      if let last, number.follows(last, in: text), number.isPosition(with: last) { return true }
      if number.isMinutes(in: text) { return true }
      last = number
      position = number.end
    }
    return false
  }

  /// A number with decimals.
  private struct Number {
    var start: Int
    var end: Int
    /// The digits left of its point.
    var whole: Int
    /// The number of digits right of its point.
    var decimals: Int
    var isSigned: Bool

    init?(_ text: [UInt8], at start: Int) {
      self.start = start
      isSigned = !isDigit(text[start])
      let first = start + (isSigned ? 1 : 0)
      let point = endOfDigits(text, first)
      guard (1...3).contains(point - first), let mark = text.u8(at: point),
        ".,".utf8.contains(mark)
      else { return nil }
      end = endOfDigits(text, point + 1)
      // Versions and IP addresses have further points. Other numbers have three digits after a comma.
      let isComma = mark == UInt8(ascii: ",")
      guard end - point > (isComma ? 4 : 2), text.u8(at: end) != UInt8(ascii: ".")
      else { return nil }
      whole = text[first..<point].reduce(0) { $0 * 10 + Int($1 - 0x30) }
      decimals = end - point - 1
    }

    /// Among them are the letters of `deg`.
    private static let separators = Set(" \t\r\n,;/|()[]=NSEWnsewdg'\"".utf8 + [0xC2, 0xB0])
    private static let hemispheres = Set("NSEW".utf8)

    func follows(_ other: Number, in text: [UInt8]) -> Bool {
      let gap = text[other.end..<start]
      guard !gap.isEmpty else { return isSigned }
      guard gap.count <= 8, gap.allSatisfy(Self.separators.contains) else { return false }
      // Numbers below each other can be a list of prices.
      return !gap.contains { $0 == 0x0A || $0 == 0x0D } || min(decimals, other.decimals) >= 4
        || gap.contains(where: Self.hemispheres.contains)
    }

    /// Whether this number is the minutes in XMP's form, between degrees and hemisphere: `47,22.266N`
    /// (CIPA DC-010).
    func isMinutes(in text: [UInt8]) -> Bool {
      guard !isSigned, whole < 60, text.u8(at: start - 1) == UInt8(ascii: ","),
        let digit = text.u8(at: start - 2), WrittenCoordinates.isDigit(digit),
        let hemisphere = text.u8(at: end)
      else { return false }
      return "NSEW".utf8.contains(hemisphere)
    }

    func isPosition(with other: Number) -> Bool {
      min(whole, other.whole) <= 90 && max(whole, other.whole) <= 180
    }
  }

  /// The last byte of a degree sign, or of a character that is taken for one: `°` and `º` in Latin-1 and UTF-8, `˚` in
  /// UTF-8, `°` in Mac OS Roman.
  private static let degreeSigns: Set<UInt8> = [0xB0, 0xBA, 0x9A, 0xA1]
  /// Minutes of arc, in ASCII, Latin-1, Windows-1252 and Mac OS Roman, and a decimal point.
  private static let minuteSigns: Set<UInt8> = [0x27, 0x2E, 0x60, 0x92, 0xB4, 0xD5]

  /// Whether the degree sign at a position is between a number and minutes of arc.
  private static func isDegree(_ text: [UInt8], _ position: Int) -> Bool {
    let isWide = [0xC2, 0xCB].contains(text.u8(at: position - 1))
    let before = isWide ? position - 2 : position - 1
    guard let digit = text.u8(at: before), isDigit(digit) else { return false }
    var next = position + 1
    while text.u8(at: next) == 0x20 { next += 1 }
    let end = endOfDigits(text, next)
    guard (1...2).contains(end - next) else { return false }
    // Primes and quotation marks begin with E2 80 in UTF-8, the acute accent is C2 B4.
    return text.u8(at: end).map(minuteSigns.contains) == true
      || text.hasBytes([0xE2, 0x80], at: end) || text.hasBytes([0xC2, 0xB4], at: end)
  }

  /// Whether a number with at least two decimals is labelled as a latitude or longitude, as in `geo:lat=47.37`.
  private static func isNamed(_ text: [UInt8]) -> Bool {
    let lowered = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    for name in ["lat", "latitude", "lon", "long", "lng", "longitude"] {
      // `MAPLatitude` is a name, too (Mapillary).
      let isWord = name.utf8.count < 5
      var from = 0
      while let start = lowered.firstIndex(of: name, from: from) {
        from = start + 1
        var position = start + name.utf8.count
        while let byte = lowered.u8(at: position), " :=\"'>\\".utf8.contains(byte) { position += 1 }
        guard position > start + name.utf8.count,
          !isWord || !isLetter(lowered.u8(at: start - 1)),
          let byte = lowered.u8(at: position), isDigit(byte) || byte == 0x2B || byte == 0x2D,
          let number = Number(lowered, at: position), number.whole <= 180
        else { continue }
        return true
      }
    }
    return false
  }

  private static func isLetter(_ byte: UInt8?) -> Bool {
    byte.map { (0x61...0x7A).contains($0) } ?? false
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The offset after the digits at a position.
  static func endOfDigits(_ text: [UInt8], _ start: Int) -> Int {
    var end = start
    while let byte = text.u8(at: end), isDigit(byte) { end += 1 }
    return end
  }
}
