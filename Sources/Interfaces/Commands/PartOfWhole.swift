import MediaModel
import Query

/// Reads a part of a whole that a user typed: `1/30`, `5%` or `0.05`.
///
/// - Returns: 0...1.
func partOfWhole(typed text: String) throws(BadValue) -> Double {
  let parts = text.split(separator: "/", omittingEmptySubsequences: false)
  let value: Double?
  if parts.count == 2, let part = Double(parts[0]), let whole = Double(parts[1]), whole > 0 {
    value = part / whole
  } else if text.hasSuffix("%") {
    value = Double(text.dropLast()).map { $0 / 100 }
  } else {
    value = Double(text)
  }
  guard let value, (0...1).contains(value) else {
    throw BadValue(text, "is not a share: write 1/30, 5% or 0.05")
  }
  return value
}
