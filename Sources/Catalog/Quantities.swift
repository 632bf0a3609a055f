/// Units of sizes, in bytes, in lower case.
let byteUnits: [String: Double] = [
  "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1024, "mib": 1_048_576,
  "gib": 1_073_741_824, "tib": 1_099_511_627_776,
]

/// A unit, which is looked up in lower case, as it is written.
func shownUnit(_ unit: String) -> String {
  let written = ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MP"]
  return written.first { $0.lowercased() == unit } ?? unit
}

/// Units of durations, in seconds.
let durationUnits: [String: Double] = ["s": 1, "min": 60, "h": 3600]

/// Bytes as a user types them: a number with `B`, `kB`, `MB`, `GB`, `TB` (decimal) or `KiB`, `MiB`,
/// `GiB`, `TiB`, in any case; a number alone is bytes.
package func byteCount(typed text: String) throws(BadValue) -> Int64 {
  guard let value = typedNumber(text, units: byteUnits), (0..<9e18).contains(value) else {
    throw BadValue(text, "is not a size: write 500kB, 20MB or 1.5GiB")
  }
  return Int64(value)
}

/// Seconds as a user types them: a number with `s`, `min` or `h`; a number alone is seconds.
package func seconds(typed text: String) throws(BadValue) -> Double {
  guard let value = typedNumber(text, units: durationUnits), value >= 0 else {
    throw BadValue(text, "is not a duration: write 90s, 1.5min or 2h")
  }
  return value
}
