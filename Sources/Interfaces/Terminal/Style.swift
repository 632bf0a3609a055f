/// How results look.
package struct Style {
  /// Whether the output is a terminal. Then control characters in texts are escaped.
  package var isTerminal = false
  var hasColor = false
  /// Columns to fit into; nil for any number.
  var width: Int?

  package init(
    isTerminal: Bool = false, hasColor: Bool = false, width: Int? = nil
  ) {
    self.isTerminal = isTerminal
    self.hasColor = hasColor
    self.width = width
  }

  package func bold(_ text: String) -> String { colored("1", text) }
  package func red(_ text: String) -> String { colored("31", text) }
  func cyan(_ text: String) -> String { colored("36", text) }

  /// ECMA-48's select graphic rendition.
  private func colored(_ code: String, _ text: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
