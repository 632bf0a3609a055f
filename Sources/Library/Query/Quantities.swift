/// Units of sizes, in bytes, in lower case.
let byteUnits: [String: Double] = [
  "b": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
  "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
]

/// A unit, which is looked up in lower case, as it is written.
func shownUnit(_ unit: String) -> String {
  let written = ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MP"]
  return written.first { $0.lowercased() == unit } ?? unit
}

/// Units from small to large, each by one name: not by an abbreviation that has a longer one beside it.
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

/// Bytes as a user types them: a number with `B`, `kB`, `MB`, `GB`, `TB` (decimal) or `KiB`, `MiB`,
/// `GiB`, `TiB`, in any case; a number alone is bytes.
package func byteCount(typed text: String) throws(BadValue) -> Int64 {
  guard let value = typedNumber(text, units: byteUnits), (0..<9e18).contains(value) else {
    throw BadValue(text, "is not a size: write 500kB, 20MB or 1.5GiB")
  }
  return Int64(value)
}

/// Seconds as a user types them: a number with `ms`, `s`, `min` or `h`, or as clocks have it, `1:05` or
/// `1:00:05`; a number alone is seconds.
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
