import Hummingbird

extension Parameters {
  /// A whole number among the query's parameters.
  func number(_ name: String, in range: ClosedRange<Int>) throws(InvalidField) -> Int? {
    guard let text = self[Substring(name)] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw InvalidField(
        field: name,
        reason: range.upperBound == .max
          ? "is not a whole number of at least \(range.lowerBound)"
          : "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
