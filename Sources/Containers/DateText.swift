package import MediaModel

extension CaptureTime {
  /// Reads a date with a time in any of the ways metadata writes it: ISO 8601 as in XMP and QuickTime
  /// (`2022-02-16T12:55:41.123+01:00`, zone also `Z` or `+0100`, seconds optional) and EXIF's
  /// `2022:02:16 12:55:41`.
  ///
  /// A date without time is none here: midnight would be a guess.
  package init?(dateText text: String, source: String) {
    var scanner = DateScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-:/"),
      let month = scanner.number(digits: 2), scanner.skip("-:/"),
      let day = scanner.number(digits: 2), scanner.skip("T t"),
      let hour = scanner.number(digits: 2), scanner.skip(":"),
      let minute = scanner.number(digits: 2)
    else { return nil }
    var second = 0
    var fraction = ""
    if scanner.skip(":") {
      guard let found = scanner.number(digits: 2) else { return nil }
      second = found
      if scanner.skip(".,") { fraction = scanner.digits() }
    }
    guard
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(
      wallSeconds: time.secondsSince1970, fraction: fraction,
      offsetMinutes: scanner.offsetMinutes(), source: source)
  }
}

/// Steps through a date's ASCII characters.
private struct DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.trimmed.utf8.prefix(64))[...]
  }

  /// Exactly that many digits.
  mutating func number(digits count: Int) -> Int? {
    let field = rest.prefix(count)
    guard field.count == count, field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Steps over one character if it is one of these.
  mutating func skip(_ characters: String) -> Bool {
    guard let next = rest.first, characters.utf8.contains(next) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func digits() -> String {
    let field = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(field.count)
    return String(decoding: field, as: UTF8.self)
  }

  /// `Z`, `±hh:mm`, `±hhmm` or `±hh`, within 27 hours; nil for anything else.
  mutating func offsetMinutes() -> Int? {
    while skip(" ") {}
    if skip("Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(digits: 2) else { return nil }
    _ = skip(":")
    let minutes = number(digits: 2) ?? 0
    let total = hours * 60 + minutes
    guard total <= 27 * 60, minutes < 60 else { return nil }
    return isWest ? -total : total
  }
}
