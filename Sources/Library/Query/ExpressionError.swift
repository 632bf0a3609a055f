/// What is wrong with an expression, and where.
package struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole expression; empty if it is too long to be shown.
  package let expression: String
  /// How many Unicode scalars stand before the mistake.
  package let offset: Int
  /// What is wrong, half a sentence.
  package let complaint: String

  package var description: String { complaint }
}
