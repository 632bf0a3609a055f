import MediaModel

/// A date and time from a tag, with its UTC offset if given.
package struct DateText: Sendable, Hashable {
  var time: CivilTime
  /// The digits after the decimal point of the seconds.
  var fraction = ""
  /// Minutes east of UTC.
  var offsetMinutes: Int?
  /// Whether a time of day was given; otherwise it is midnight.
  package var hasTime = true

  /// Reads EXIF's `YYYY:MM:DD HH:MM:SS`, ISO 8601 in its usual forms, and mixtures of the two.
  ///
  /// Seconds, fraction, offset and the time of day are optional. A field may have one digit, alone or after a space. Nil if
  /// the text has no valid date: spaces, zeros, a year only. `GMT` before an offset is skipped.
  ///
  /// Some programs write a 12-hour clock: `02:15:00 PM` is 14:15. After an hour that such a clock does not have, AM and PM
  /// mean nothing.
  ///
  /// Some Android cameras count the hours of EXIF from 1 to 24 (Nexus 4, Nokia 7 plus): their hour 24 is
  /// the first hour of the given day.
  package init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4) else { return nil }
    let countsHoursFromOne = scanner.next == UInt8(ascii: ":")
    guard scanner.skip(":-/."), let month = scanner.field(), scanner.skip(":-/."),
      let day = scanner.field()
    else { return nil }
    self.init(year, month, day, rest: &scanner, countsHoursFromOne: countsHoursFromOne)
  }

  /// Reads `1998.10.24.12.08.57`.
  init?(dotted text: String) {
    let fields = text.split(separator: ".").map { Int($0) }
    guard fields.count == 6, case let numbers = fields.compactMap(\.self), numbers.count == 6,
      let time = CivilTime(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
        second: numbers[5])
    else { return nil }
    self.init(wall: time)
  }

  /// A date and time without an offset.
  init(wall time: CivilTime) {
    self.time = time
  }

  /// Reads IPTC's `YYYYMMDD` and `HHMMSS±HHMM` (IIM 4.2, datasets 2:55 and 2:60).
  init?(iptcDate: String, iptcTime: String?) {
    var scanner = DigitScanner(iptcDate)
    guard let year = scanner.number(digits: 4) else { return nil }
    _ = scanner.skip(":-")
    guard let month = scanner.number(digits: 2) else { return nil }
    _ = scanner.skip(":-")
    guard let day = scanner.number(digits: 2) else { return nil }
    var clock = DigitScanner(" " + (iptcTime ?? ""))
    self.init(year, month, day, rest: &clock)
  }

  /// - Parameter countsHoursFromOne: whether hour 24 is the first hour of the day.
  private init?(
    _ year: Int, _ month: Int, _ day: Int, rest scanner: inout DigitScanner,
    countsHoursFromOne: Bool = false
  ) {
    var (hour, minute, second) = (0, 0, 0)
    hasTime = false
    if scanner.skip(" T_"), let hours = scanner.hour() {
      hour = hours == 24 && countsHoursFromOne ? 0 : hours
      _ = scanner.skip(":")
      // An hour without minutes is not a time of day.
      guard let minutes = scanner.field() else { return nil }
      minute = minutes
      second = (scanner.skip(":") ? scanner.field() : scanner.number(digits: 2)) ?? 0
      if scanner.skip(".,") { fraction = scanner.digits() }
      if let isAfternoon = scanner.isAfternoon(), (1...12).contains(hours) {
        hour = hours % 12 + (isAfternoon ? 12 : 0)
      }
      offsetMinutes = DateText.offset(&scanner)
      hasTime = true
    }
    // Second 60 is a leap second, or a rounded 59.9: the first one of the next minute.
    guard
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute,
        second: second == 60 ? 59 : second)
    else { return nil }
    self.time =
      second == 60 ? CivilTime(secondsSince1970: time.secondsSince1970 + 1) : time
  }

  /// Reads a UTC offset: `Z`, `+02:00`, `-0700`, `+1`, `GMT+02:00`; nil for anything else and for offsets
  /// of more than 15 hours.
  static func offset(_ text: some StringProtocol) -> Int? {
    var scanner = DigitScanner(String(text))
    return offset(&scanner)
  }

  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.isAtEnd { return nil }
    while scanner.skip(" ") {}
    for letter in ["G", "M", "T", "U", "T", "C"] { _ = scanner.skip(letter) }
    if scanner.skip("Zz") { return 0 }
    let isWest = scanner.skip("-−")
    guard isWest || scanner.skip("+") else { return nil }
    guard let hours = scanner.number(digits: 2) ?? scanner.number(digits: 1) else { return nil }
    _ = scanner.skip(":")
    let minutes = scanner.number(digits: 2) ?? 0
    guard minutes < 60, (0...15).contains(hours) else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}

extension DigitScanner {
  /// A month, day, minute or second: two digits, or one, which may follow a space.
  fileprivate mutating func field() -> Int? {
    var ahead = self
    let isPadded = ahead.skip(" ")
    guard let number = (isPadded ? nil : ahead.number(digits: 2)) ?? ahead.number(digits: 1)
    else { return nil }
    self = ahead
    return number
  }

  /// An hour of two digits, or of one before a colon, which a 12-hour clock may have after another space.
  fileprivate mutating func hour() -> Int? {
    var ahead = self
    while ahead.skip(" ") {}
    guard
      let hour = ahead.number(digits: 2)
        ?? ahead.number(digits: 1).flatMap({ ahead.next == UInt8(ascii: ":") ? $0 : nil })
    else { return nil }
    self = ahead
    return hour
  }

  /// Whether a time is followed by `PM` rather than `AM`; nil, without advancing, if neither follows.
  fileprivate mutating func isAfternoon() -> Bool? {
    var ahead = self
    while ahead.skip(" ") {}
    let isAfternoon = ahead.skip("Pp")
    guard isAfternoon || ahead.skip("Aa") else { return nil }
    _ = ahead.skip(".")
    guard ahead.skip("Mm") else { return nil }
    _ = ahead.skip(".")
    guard ahead.isAtEnd || ahead.skip(" ") else { return nil }
    self = ahead
    return isAfternoon
  }
}

/// Scans text that is mostly digits.
struct DigitScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

  /// Exactly `count` digits as a number; nil, without advancing, if there are fewer.
  mutating func number(digits count: Int) -> Int? {
    guard count <= bytes.count - position else { return nil }
    var value = 0
    for byte in bytes[position..<(position + count)] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    position += count
    return value
  }

  /// All digits from here on.
  mutating func digits() -> String {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The next byte; nil at the end.
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Skips one character if it is among `characters`.
  mutating func skip(_ characters: String) -> Bool {
    guard let next else { return false }
    if next < 0x80 {
      guard characters.utf8.contains(next) else { return false }
      position += 1
      return true
    }
    for character in characters {
      let wanted = Array(character.utf8)
      if bytes[position...].starts(with: wanted) {
        position += wanted.count
        return true
      }
    }
    return false
  }
}
