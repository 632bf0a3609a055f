import MediaModel

extension Location {
  /// Reads ISO 6709's text form as cameras write it into videos: `+47.3600+008.5400+408.000/`, degrees
  /// with two digits for latitude and three for longitude, each optionally followed by two for minutes
  /// and two for seconds, then an optional altitude in metres.
  init?(iso6709 text: String) {
    var parts: [(sign: Double, digits: Substring)] = []
    for part in text.split(omittingEmptySubsequences: true, whereSeparator: { $0 == "/" }).prefix(1)
    {
      var rest = part[...]
      while let sign = rest.first, sign == "+" || sign == "-", parts.count < 3 {
        rest = rest.dropFirst()
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        parts.append((sign == "-" ? -1 : 1, digits))
        rest = rest.dropFirst(digits.count)
      }
    }
    guard parts.count >= 2,
      let latitude = Location.degrees(parts[0].digits, wholeDigits: 2),
      let longitude = Location.degrees(parts[1].digits, wholeDigits: 3)
    else { return nil }
    let altitude = parts.count > 2 ? Double(parts[2].digits).map { $0 * parts[2].sign } : nil
    self.init(
      latitude: latitude * parts[0].sign, longitude: longitude * parts[1].sign, altitude: altitude)
  }

  /// Degrees from `DD.D`, `DDMM.M` or `DDMMSS.S`, where the degrees have `wholeDigits` digits.
  private static func degrees(_ text: Substring, wholeDigits: Int) -> Double? {
    let whole = text.prefix { $0 != "." }
    guard whole.count > wholeDigits else { return Double(text) }
    guard let degrees = Double(text.prefix(wholeDigits)) else { return nil }
    let rest = text.dropFirst(wholeDigits)
    if whole.count <= wholeDigits + 2 { return Double(rest).map { degrees + $0 / 60 } }
    guard let minutes = Double(rest.prefix(2)), let seconds = Double(rest.dropFirst(2)) else {
      return nil
    }
    return degrees + minutes / 60 + seconds / 3600
  }
}

extension StringProtocol {
  /// The text without surrounding white space; nil if nothing is left.
  package var trimmingBlanks: String? {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(self[first...last])
  }
}
