package import MediaModel

extension CaptureTime {
  /// Reads a date with a time in any of the ways metadata writes it: ISO 8601 as in XMP and QuickTime
  /// (`2022-02-16T12:55:41.123+01:00`, zone also `Z` or `+0100`, seconds optional) and EXIF's
  /// `2022:02:16 12:55:41`.
  ///
  /// - Parameter allowsDateOnly: whether a day without a time counts, as its midnight: the best that
  ///   can be said of a scanned picture, but no match for a source that knows the time.
  package init?(dateText text: String, source: String, allowsDateOnly: Bool = false) {
    var scanner = DateScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-:/"),
      let month = scanner.number(digits: 2), scanner.skip("-:/"),
      let day = scanner.number(digits: 2)
    else { return nil }
    guard scanner.skip("T t") else {
      guard allowsDateOnly, scanner.isAtEnd,
        let date = CivilTime(year: year, month: month, day: day)
      else { return nil }
      self.init(wallSeconds: date.secondsSince1970, source: source)
      return
    }
    guard let hour = scanner.number(digits: 2), scanner.skip(":"),
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

extension CaptureTime {
  /// Reads the date of an AVI file: as C's `asctime` writes it (`Mon Mar 10 15:04:43 2003`), or in any
  /// way of ``init(dateText:source:allowsDateOnly:)``.
  package init?(riffText text: String, source: String) {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let fields = text.split { $0.isWhitespace || $0 == "\0" }
    let clock = fields.count == 5 ? fields[3].split(separator: ":").compactMap { Int($0) } : []
    guard clock.count == 3 else {
      self.init(dateText: text, source: source, allowsDateOnly: true)
      return
    }
    let name = fields[1].capitalizedASCII
    guard let month = months.firstIndex(of: name), let day = Int(fields[2]),
      let year = Int(fields[4]),
      let time = CivilTime(
        year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1],
        second: clock[2])
    else { return nil }
    self.init(wallSeconds: time.secondsSince1970, source: source)
  }
}

extension Substring {
  /// The first letter large, the others small.
  fileprivate var capitalizedASCII: String {
    prefix(1).uppercased() + dropFirst().lowercased()
  }
}

/// Steps through a date's ASCII characters.
private struct DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.trimmed.utf8.prefix(64))[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

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

  /// `Z`, `±hh:mm`, `±hhmm` or `±hh`, also behind `GMT` or `UTC`, within 27 hours; nil for anything
  /// else.
  mutating func offsetMinutes() -> Int? {
    while skip(" ") {}
    if rest.starts(with: "GMT".utf8) || rest.starts(with: "UTC".utf8) { rest = rest.dropFirst(3) }
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
