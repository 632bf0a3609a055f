/// Something a user typed that does not mean what it should.
package struct BadValue: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ value: String, _ complaint: String) {
    let shown = value.count > 60 ? value.prefix(60) + "…" : value
    description = "'\(shown)' \(complaint)"
  }
}

/// Units of sizes, in bytes, in lower case.
let byteUnits: [String: Double] = [
  "b": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
  "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
]

/// The usual spelling of a unit, given in lower case.
func shownUnit(_ unit: String) -> String {
  let written = ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MP"]
  return written.first { $0.lowercased() == unit } ?? unit
}

/// Units from small to large, each by its longest name.
func shownUnits(_ units: [String: Double]) -> [String] {
  let abbreviations = ["k", "m", "g", "t", "sec"].filter { abbreviation in
    units.contains { $0.key != abbreviation && $0.value == units[abbreviation] }
  }
  return units.keys.filter { !abbreviations.contains($0) }
    .sorted { (units[$0] ?? 0, $0) < (units[$1] ?? 0, $1) }.map(shownUnit)
}

/// Units of durations, in seconds.
let durationUnits: [String: Double] = [
  "ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600,
]

/// Parses a size in bytes: a number with `B`, `kB`, `MB`, `GB`, `TB` (decimal) or `KiB`, `MiB`, `GiB`, `TiB`,
/// in any case; a number alone is bytes.
package func byteCount(typed text: String) throws(BadValue) -> Int64 {
  guard let value = typedNumber(text, units: byteUnits), (0..<9e18).contains(value) else {
    throw BadValue(text, "is not a size: write 500kB, 20MB or 1.5GiB")
  }
  return Int64(value)
}

/// Parses a duration in seconds: a number with `ms`, `s`, `min` or `h`, or a clock time, `1:05` or `1:00:05`;
/// a number alone is seconds.
package func seconds(typed text: String) throws(BadValue) -> Double {
  guard let value = typedDuration(text), value >= 0 else {
    throw BadValue(text, "is not a duration: write 90s, 1.5min, 2h or 1:05")
  }
  return value
}

/// A number with a unit of time, or minutes and hours before colons; nil for anything else.
func typedDuration(_ text: String) -> Double? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count > 1 else { return typedNumber(text, units: durationUnits) }
  guard parts.count <= 3, let last = parts.last, let seconds = typedNumber(String(last)),
    last.first?.isNumber == true, seconds < 60
  else { return nil }
  var value = 0.0
  for (index, part) in parts.dropLast().enumerated() {
    guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let whole = Int(part),
      index == 0 || whole < 60, whole < 1_000_000
    else { return nil }
    value = value * 60 + Double(whole)
  }
  return value * 60 + seconds
}

// Numbers in expressions and flags: with plus or minus, exponents and units.

extension Attribute {
  var units: [String: Double] {
    if case .number(let units) = kind { return units }
    return [:]
  }

  /// The value of a number typed for this attribute, in its base unit.
  func number(typed text: String) throws(BadValue) -> Double {
    if case .whole(let range) = kind {
      guard let value = Int(text), range.contains(value) else {
        throw BadValue(
          text,
          "is not a valid \(self): write a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return Double(value)
    }
    // As photographers write them: 1/250 s, f/2.8.
    if self == .exposureTime, let slash = text.firstIndex(of: "/"),
      let above = typedNumber(String(text[..<slash])), above > 0,
      let below = typedNumber(String(text[text.index(after: slash)...]), units: ["s": 1]), below > 0
    {
      return above / below
    }
    if self == .duration, let value = typedDuration(text) { return value }
    let isStop = self == .aperture && text.lowercased().hasPrefix("f")
    let digits = isStop ? text.dropFirst().trimmingPrefix("/") : text[...]
    guard let value = typedNumber(String(digits), units: units) else {
      let known = shownUnits(units)
      throw BadValue(
        text,
        known.isEmpty
          ? "is not a valid \(self): write a number"
          : "is not a valid \(self): write a number, with one of \(known.joined(separator: ", "))")
    }
    return value
  }
}

extension Condition {
  /// Kilometres in each.
  static let distanceUnits: [String: Double] = ["km": 1, "m": 0.001, "mi": 1.609344]

  /// Half of the equator: no two places are farther apart.
  private static let farthest = 20_038.0

  /// A place as it is typed: latitude and longitude in degrees, and a distance, in kilometres unless it
  /// says otherwise.
  package init(near texts: [String]) throws(BadValue) {
    let typed = texts.joined(separator: ",")
    guard texts.count == 3 else {
      throw BadValue(typed, "is not a place: write latitude,longitude,kilometres")
    }
    self = .near(
      latitude: try Self.latitude(typed: texts[0]), longitude: try Self.longitude(typed: texts[1]),
      kilometres: try Self.kilometres(typed: texts[2]))
  }

  static func latitude(typed text: String) throws(BadValue) -> Double {
    guard let latitude = typedNumber(text), (-90...90).contains(latitude) else {
      throw BadValue(text, "is not a latitude: write degrees from -90 to 90")
    }
    return latitude
  }

  static func longitude(typed text: String) throws(BadValue) -> Double {
    guard let longitude = typedNumber(text), (-180...180).contains(longitude) else {
      throw BadValue(text, "is not a longitude: write degrees from -180 to 180")
    }
    return longitude
  }

  static func kilometres(typed text: String) throws(BadValue) -> Double {
    guard let distance = typedNumber(text, units: distanceUnits),
      (0...farthest).contains(distance)
    else {
      throw BadValue(text, "is not a distance of at most half the equator: write 5km, 800m or 3mi")
    }
    return distance
  }

  /// A place as `--near` takes it: latitude, longitude and a distance with commas between.
  package init(near text: String) throws(BadValue) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    try self.init(near: parts.map { String($0.drop { $0 == " " }) })
  }
}

/// A finite number, `-1.5e-3`, times the unit after it, in any case; nil for anything else.
func typedNumber(_ text: String, units: [String: Double] = [:]) -> Double? {
  guard text.utf8.count <= 64 else { return nil }
  var bytes = Array(text.lowercased().utf8)[...]
  var number: [UInt8] = []
  func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
  func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
  if isSign(bytes.first), let sign = bytes.popFirst() { number.append(sign) }
  while let byte = bytes.first, isDigit(byte) || byte == UInt8(ascii: ".") {
    number.append(byte)
    bytes.removeFirst()
  }
  let rest = Array(bytes.prefix(3))
  if rest.first == UInt8(ascii: "e"), rest.count > 1,
    isDigit(rest[1]) || (isSign(rest[1]) && isDigit(rest.last))
  {
    repeat { number.append(bytes.removeFirst()) } while isDigit(bytes.first) || isSign(bytes.first)
  }
  let unit = String(decoding: bytes.drop { $0 == 0x20 }, as: UTF8.self)
  guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite,
    let factor = unit.isEmpty ? 1 : units[unit], (value * factor).isFinite
  else { return nil }
  return value * factor
}
