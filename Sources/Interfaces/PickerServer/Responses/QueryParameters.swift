import Hummingbird
import HummingbirdCore

extension Request {
  /// The parameters of the query. As HTML's forms and the URL standard (section 5.1) write it, a plus is a space;
  /// `uri.queryParameters` decodes percent escapes only.
  var parameters: Parameters {
    URI("/?" + (uri.query ?? "").replacing("+", with: " ")).queryParameters
  }
}

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
