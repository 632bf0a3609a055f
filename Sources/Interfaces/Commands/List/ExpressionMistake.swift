import Query
import Terminal

extension ExpressionError {
  /// The number of columns of the expression that are shown on each side of the mistake.
  private static let reach = 30

  /// The message, and below it the expression with a caret at the mistake.
  var shown: String {
    let scalars = expression.unicodeScalars
    guard !scalars.isEmpty else { return "--where: \(complaint)" }
    let place = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex)
    let mistake = place ?? scalars.endIndex
    let before = String(scalars[..<mistake].suffix(Self.reach)).terminalSafe
    let after = String(scalars[mistake...].prefix(Self.reach)).terminalSafe
    let isCutBefore = offset > Self.reach
    let isCutAfter = scalars.distance(from: mistake, to: scalars.endIndex) > Self.reach
    let line = (isCutBefore ? "…" : "") + before + after + (isCutAfter ? "…" : "")
    let indent = String(repeating: " ", count: before.columns + (isCutBefore ? 1 : 0))
    return "--where: \(complaint.terminalSafe)\n  \(line)\n  \(indent)^"
  }
}
