/// A number of bytes in decimal units, with two or three digits: `815 kB`, `2.2 MB`.
package func humanBytes(_ bytes: Int64) -> String {
  var value = Double(max(0, bytes))
  var unit = 0
  let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
  // A number that would round to a thousand gets the next unit.
  while value >= 999.5, unit < units.count - 1 {
    value /= 1000
    unit += 1
  }
  if unit == 0 || value >= 9.95 { return "\(Int(value + 0.5)) \(units[unit])" }
  let tenths = Int(value * 10 + 0.5)
  return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}

/// Seconds in the form of media players: `0:02`, `12:34`, `1:02:03`.
package func humanDuration(_ seconds: Double) -> String {
  guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
  // A short clip is not shown as nothing.
  let whole = seconds > 0 ? max(1, Int(seconds + 0.5)) : 0
  let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
  func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return hours > 0
    ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
}

/// A count with thin spaces between thousands: `1 234 567`.
package func humanCount(_ count: Int) -> String {
  var digits = String(count.magnitude)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return (count < 0 ? "-" : "") + ([digits] + groups).joined(separator: " ")
}

/// A number of assets of any kind: `1 picture or video`, `12 pictures and videos`.
package func humanCountOfAssets(_ count: Int) -> String {
  "\(humanCount(count)) \(count == 1 ? "picture or video" : "pictures and videos")"
}
