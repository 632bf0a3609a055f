import ByteReading

/// Finds coordinates in texts that do not name them: `47.37, 8.54`, `N47.3733 E8.5444`, `HOME(8.5422,47.3711)`,
/// `+47.3711+008.5422/` (ISO 6709), `47°22'`; ``WrittenMinutes`` finds further forms with minutes.
enum WrittenCoordinates {
  /// Whether a text in any encoding contains coordinates.
  static func occur(in text: [UInt8]) -> Bool {
    TextReadings.contain(text, where: occur(inPlain:))
  }

  /// Whether a text in an encoding that contains ASCII has two consecutive numbers that can be a latitude and a
  /// longitude, or degrees with minutes. The numbers have at least two decimals, which is a precision of a kilometre,
  /// or at least four after a decimal comma.
  static func occur(inPlain text: [UInt8]) -> Bool {
    if areWritten(in: text) || WrittenGrid.occurs(in: text) { return true }
    let simple = simplified(text)
    return simple.count < text.count && (areWritten(in: simple) || WrittenGrid.occurs(in: simple))
  }

  /// A text with some characters in ASCII, and with the bytes that addresses of maps contain as `%` and two hexadecimal digits
  /// (RFC 3986 §2.1), such as commas.
  private static func simplified(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 == 0x25 || $0 == 0xC2 || $0 == 0xE2 }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      let (byte, count) = simplified(text, at: position)
      result.append(byte)
      position += count
    }
    return result
  }

  /// The byte that replaces those at a position, and their number. Characters of UTF-8 that stand for one of ASCII are spaces
  /// at which no line breaks, and the minus.
  private static func simplified(
    _ text: [UInt8], at position: Int
  ) -> (byte: UInt8, count: Int) {
    let byte = text[position]
    switch byte {
    case 0x25:
      if let high = text.u8(at: position + 1).flatMap(hexadecimal),
        let low = text.u8(at: position + 2).flatMap(hexadecimal)
      {
        return (high << 4 | low, 3)
      }
    case 0xC2: if text.u8(at: position + 1) == 0xA0 { return (0x20, 2) }
    case 0xE2:
      switch (text.u8(at: position + 1), text.u8(at: position + 2)) {
      case (0x80, 0xAF), (0x80, 0x89): return (0x20, 3)
      case (0x88, 0x92): return (0x2D, 3)
      default: break
      }
    default: break
    }
    return (byte, 1)
  }

  /// The value of a hexadecimal digit.
  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func areWritten(in text: [UInt8]) -> Bool {
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
    private static let separators = ByteSet(" \t\r\n,;/|()[]=NSEWnsewdg'\"".utf8 + [0xC2, 0xB0])
    /// With those of names of files and of ranges.
    private static let allSeparators = separators.union("_-&*:".utf8 + [0xE2, 0x80, 0x93, 0x94])
    private static let hemispheres = ByteSet("NSEW".utf8)

    func follows(_ other: Number, in text: [UInt8]) -> Bool {
      let gap = text[other.end..<start]
      guard !gap.isEmpty else { return isSigned }
      if isMapField(gap) { return true }
      guard gap.count <= 8 else { return false }
      guard gap.allSatisfy(Self.separators.contains) else {
        // Other numbers can be a range of prices.
        return min(decimals, other.decimals) >= 4 && gap.allSatisfy(Self.allSeparators.contains)
      }
      // Numbers below each other can be a list of prices.
      return !gap.contains { $0 == 0x0A || $0 == 0x0D } || min(decimals, other.decimals) >= 4
        || gap.contains(where: Self.hemispheres.contains)
    }

    /// Whether bytes are between the fields of an address of Google's maps: `!3d47.3711!4d8.5422`.
    private func isMapField(_ gap: ArraySlice<UInt8>) -> Bool {
      gap.count == 3 && gap.first == UInt8(ascii: "!") && gap.last == UInt8(ascii: "d")
        && gap.dropFirst().first.map(WrittenCoordinates.isDigit) == true
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
  private static let degreeSigns = ByteSet([0xB0, 0xBA, 0x9A, 0xA1])
  /// Minutes of arc, in ASCII, Latin-1, Windows-1252 and Mac OS Roman.
  private static let minuteSigns = ByteSet([0x27, 0x60, 0x92, 0xB4, 0xD5])

  /// Whether the degree sign at a position is between a number and minutes of arc.
  private static func isDegree(_ text: [UInt8], _ position: Int) -> Bool {
    let previous = text.u8(at: position - 1)
    let before = previous == 0xC2 || previous == 0xCB ? position - 2 : position - 1
    guard let digit = text.u8(at: before), isDigit(digit) else { return false }
    var next = position + 1
    while text.u8(at: next) == 0x20 { next += 1 }
    let end = endOfDigits(text, next)
    guard (1...2).contains(end - next) else { return false }
    // Primes and quotation marks begin with E2 80 in UTF-8, the acute accent is C2 B4.
    let isDecimal =
      text.u8(at: end).map(".,".utf8.contains) == true && text.u8(at: end + 1).map(isDigit) == true
    return isDecimal || text.u8(at: end).map(minuteSigns.contains) == true
      || text.u8(at: end) == 0xE2 && text.u8(at: end + 1) == 0x80
      || text.u8(at: end) == 0xC2 && text.u8(at: end + 1) == 0xB4
  }

  /// The name of a coordinate in lower case.
  private struct Name {
    var bytes: [UInt8]
    /// Whether it must be a word; `maplatitude` is a name, too.
    var isWord: Bool
    var separators: ByteSet

    init(_ name: String) {
      bytes = Array(name.utf8)
      isWord = bytes.count < 5
      // A sentence can end with `long`.
      separators = ByteSet((" :=\"'>\\" + (name == "long" ? "" : ".")).utf8)
    }
  }

  private static let names = [
    "lat", "latitude", "lon", "long", "lng", "longitude", "mlat", "mlon",
  ].map(Name.init)

  /// Whether a number with at least two decimals is labelled as a latitude or longitude, as in `geo:lat=47.37`, `Lat. 47.37`
  /// and OpenStreetMap's `mlat=47.37`.
  private static func isNamed(_ text: [UInt8]) -> Bool {
    text.indices.contains { start in
      switch text[start] {
      case 0x4C, 0x6C, 0x4D, 0x6D: names.contains { isNumber(named: $0, at: start, of: text) }
      default: false
      }
    }
  }

  /// Whether a name begins at a position, and a number follows it.
  private static func isNumber(named name: Name, at start: Int, of text: [UInt8]) -> Bool {
    guard text.hasLowercase(name.bytes, at: start) else { return false }
    let end = start + name.bytes.count
    var position = end
    while let byte = text.u8(at: position), name.separators.contains(byte) { position += 1 }
    guard position > end, !name.isWord || isWordStart(text, start),
      let byte = text.u8(at: position), isDigit(byte) || byte == 0x2B || byte == 0x2D,
      let number = Number(text, at: position)
    else { return false }
    return number.whole <= 180
  }

  /// Whether a word begins at the letter at a position, also inside of a name such as `centerLat` and `MAPLat`.
  static func isWordStart(_ text: [UInt8], _ position: Int) -> Bool {
    func isUpper(_ byte: UInt8?) -> Bool { byte.map { (0x41...0x5A).contains($0) } ?? false }
    func isLower(_ byte: UInt8?) -> Bool { byte.map { (0x61...0x7A).contains($0) } ?? false }
    let previous = text.u8(at: position - 1)
    guard isUpper(previous) || isLower(previous) else { return true }
    return isUpper(text.u8(at: position))
      && (isLower(previous) || isLower(text.u8(at: position + 1)))
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The offset after the digits at a position.
  static func endOfDigits(_ text: [UInt8], _ start: Int) -> Int {
    var end = start
    while let byte = text.u8(at: end), isDigit(byte) { end += 1 }
    return end
  }
}
