/// A token of an expression.
struct ExpressionToken: Hashable {
  enum Kind: Hashable {
    /// Letters, digits and all that has no other meaning: `images`, `2023-05..2023-08`, `5km`.
    case word(String)
    /// The text between quotes.
    case string(String)
    /// A bracket, a comma or a comparison.
    case symbol(String)
    case end
  }

  var kind: Kind
  /// Unicode scalars before it.
  var offset: Int

  /// The word as it was typed, nil for anything else.
  var word: String? {
    if case .word(let word) = kind { return word }
    return nil
  }

  /// The word in lower case, nil for anything else: words of the grammar are known in any case.
  var keyword: String? { word?.lowercased() }

  /// Its name in an error.
  var name: String {
    switch kind {
    case .word(let text), .string(let text), .symbol(let text):
      "'\(text.count > 40 ? text.prefix(40) + "…" : text)'"
    case .end: "the end"
    }
  }

  /// Splits an expression into tokens, the last of which is the end.
  static func tokens(of expression: String) throws(ExpressionError) -> [ExpressionToken] {
    let scalars = Array(expression.unicodeScalars)
    var tokens: [ExpressionToken] = []
    var index = 0
    if let offset = scalars.firstIndex(of: "\0") {
      throw ExpressionError(
        expression: expression, offset: offset, complaint: "an expression cannot contain a NUL")
    }
    while index < scalars.count {
      let start = index
      let kind: Kind
      switch scalars[index] {
      case let scalar where scalar.properties.isWhitespace:
        index += 1
        continue
      case "(", ")", ",", "=", "~", "<", ">", "!":
        kind = .symbol(symbol(in: scalars, at: &index))
      case "\"", "'":
        guard let text = quoted(in: scalars, at: &index) else {
          throw ExpressionError(
            expression: expression, offset: start, complaint: "this quote is never closed")
        }
        kind = .string(text)
      default:
        kind = .word(word(in: scalars, at: &index))
      }
      tokens.append(ExpressionToken(kind: kind, offset: start))
    }
    return tokens + [ExpressionToken(kind: .end, offset: scalars.count)]
  }

  private static func symbol(in scalars: [Unicode.Scalar], at index: inout Int) -> String {
    var text = String(scalars[index])
    index += 1
    if ["<", ">", "!"].contains(text), index < scalars.count, scalars[index] == "=" {
      text += "="
      index += 1
    }
    return text
  }

  /// A text between quotes of either sort; the quote itself is written twice.
  private static func quoted(in scalars: [Unicode.Scalar], at index: inout Int) -> String? {
    let quote = scalars[index]
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count {
      if scalars[index] == quote {
        guard index + 1 < scalars.count, scalars[index + 1] == quote else {
          index += 1
          return String(text)
        }
        index += 1
      }
      text.append(scalars[index])
      index += 1
    }
    return nil
  }

  private static func word(in scalars: [Unicode.Scalar], at index: inout Int) -> String {
    let start = index
    let others: Set<Unicode.Scalar> = ["(", ")", ",", "=", "~", "<", ">", "!", "\"", "'"]
    while index < scalars.count, !scalars[index].properties.isWhitespace,
      !others.contains(scalars[index])
    {
      index += 1
    }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }
}
