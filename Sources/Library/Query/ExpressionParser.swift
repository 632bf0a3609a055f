import MediaModel

extension Condition {
  /// Reads an expression as a user types it, `all(images, not(screenshots)) and year = 2023`.
  package init(expression: String) throws(ExpressionError) {
    guard expression.utf8.count <= ExpressionParser.longestExpression else {
      throw ExpressionError(
        expression: "", offset: 0, complaint: "an expression has at most 64 KiB")
    }
    var parser = ExpressionParser(
      expression: expression, tokens: try ExpressionToken.tokens(of: expression))
    self = try parser.whole()
  }

  /// Whether something is `missing` that not every asset is required to be.
  package var mixesMissing: Bool {
    switch self {
    case .missing: false
    case .all(let parts): parts.contains(where: \.mixesMissing)
    case .any(let parts): parts.contains { $0 == .missing || $0.mixesMissing || $0.isMissing }
    case .not(let part): part.isMissing || part.mixesMissing
    default: false
    }
  }

  /// Whether it is about missing assets.
  package var isMissing: Bool { requirements.contains(.missing) }
}

/// Reads an expression by recursive descent: `or` of `and`s of `not`s of single conditions.
struct ExpressionParser {
  /// Bytes.
  static let longestExpression = 64 << 10
  /// Parentheses in each other.
  static let deepestParentheses = 200
  /// Conditions in each other: SQLite's own parser has a stack of a hundred, of which each takes one.
  static let deepestCondition = 64
  /// SQLite allows a statement a thousand levels, and a chain of `AND` is one for each link.
  static let mostConditions = 500

  private let expression: String
  private let tokens: [ExpressionToken]
  private var position = 0
  /// How many parentheses are open, and how many of `all`, `any` and `not`.
  private var parentheses = 0
  private var levels = 0
  private var conditionCount = 0
  private var lastMissing: ExpressionToken?

  init(expression: String, tokens: [ExpressionToken]) {
    (self.expression, self.tokens) = (expression, tokens)
  }

  var next: ExpressionToken { tokens[position] }

  /// A mistake at a token: the one that comes next, unless another one is named.
  func mistake(_ complaint: String, at token: ExpressionToken? = nil) -> ExpressionError {
    ExpressionError(
      expression: expression, offset: (token ?? next).offset, complaint: complaint)
  }

  /// Takes the next token; the end stays.
  @discardableResult
  mutating func take() -> ExpressionToken {
    let token = next
    if token.kind != .end { position += 1 }
    return token
  }

  /// Takes the next token if it is this symbol.
  mutating func take(symbol: String) -> Bool {
    guard next.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ symbol: String, _ place: String) throws(ExpressionError) {
    guard take(symbol: symbol) else {
      throw mistake("expected '\(symbol)' \(place), not \(next.name)")
    }
  }

  mutating func whole() throws(ExpressionError) -> Condition {
    let condition = try alternatives()
    guard next.kind == .end else {
      throw mistake("expected 'and', 'or' or the end, not \(next.name)" + remedy)
    }
    guard condition.depth <= Self.deepestCondition else { throw tooDeep(at: tokens[0]) }
    if condition.mixesMissing, let lastMissing {
      throw mistake(
        "'missing' can be combined only with 'and'",
        at: lastMissing)
    }
    return condition
  }

  /// What may help with a word behind a condition: two conditions need a word between them, and only a text can
  /// have further words.
  private var remedy: String {
    guard let word = next.keyword else { return "" }
    if Self.words.contains(where: { $0.lowercased() == word }) {
      return "; write 'and' or 'or' between conditions"
    }
    return isBehindText ? "; put a text of several words in quotes" : ""
  }

  /// Whether what was taken last is the text that `=`, `~` or `like` compare with.
  private var isBehindText: Bool {
    guard position >= 3, case .word = tokens[position - 1].kind,
      let attribute = tokens[position - 3].keyword.flatMap(Attribute.init(typed:))
    else { return false }
    return attribute.kind == .text
  }

  private func tooDeep(at token: ExpressionToken) -> ExpressionError {
    mistake(
      "'all', 'any', 'not', 'and' and 'or' are nested more than \(Self.deepestCondition) deep",
      at: token)
  }

  private mutating func alternatives() throws(ExpressionError) -> Condition {
    var parts = [try conjunction()]
    while next.keyword == "or" {
      take()
      parts.append(try conjunction())
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(ExpressionError) -> Condition {
    var parts = [try negation()]
    while next.keyword == "and" {
      take()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(ExpressionError) -> Condition {
    guard next.keyword == "not" else { return try single() }
    let token = take()
    levels += 1
    defer { levels -= 1 }
    guard levels <= Self.deepestCondition else { throw tooDeep(at: token) }
    return .not(try negation())
  }

  private mutating func single() throws(ExpressionError) -> Condition {
    if next.kind == .symbol("(") {
      let token = take()
      parentheses += 1
      defer { parentheses -= 1 }
      guard parentheses <= Self.deepestParentheses else {
        throw mistake(
          "parentheses are nested more than \(Self.deepestParentheses) deep", at: token)
      }
      let inner = try alternatives()
      try expect(")", "or 'and' or 'or'")
      return inner
    }
    let token = next
    guard let word = token.keyword, !["and", "or"].contains(word) else {
      throw mistake("expected a condition, not \(token.name)")
    }
    take()
    if word == "all" || word == "any" {
      levels += 1
      defer { levels -= 1 }
      guard levels <= Self.deepestCondition else { throw tooDeep(at: token) }
      let parts = try list(of: word)
      return word == "all" ? .all(parts) : .any(parts)
    }
    conditionCount += 1
    guard conditionCount <= Self.mostConditions else {
      throw mistake("more than \(Self.mostConditions) conditions", at: token)
    }
    return try condition(named: word, token)
  }

  private mutating func list(of word: String) throws(ExpressionError) -> [Condition] {
    try expect("(", "after '\(word)'")
    var parts = [try alternatives()]
    while take(symbol: ",") { parts.append(try alternatives()) }
    try expect(")", "or ',' in '\(word)'")
    return parts
  }

  private mutating func condition(
    named word: String, _ token: ExpressionToken
  ) throws(ExpressionError) -> Condition {
    switch word {
    case "missing":
      lastMissing = token
      return .missing
    case "has": return .has(try presence())
    case "near": return try near()
    case "under": return try folder()
    case "search": return try search()
    case "type": return try type()
    default: break
    }
    if let attribute = Attribute(typed: word) { return try comparison(of: attribute) }
    if let type = TypeWord(word: word) { return .type(type) }
    throw mistake(
      UnknownWord(token.word ?? word, kind: "word", among: Self.words).description, at: token)
  }

  /// All that can begin a condition.
  private static let words =
    ["all", "any", "not", "missing", "has", "near", "under", "search", "type"]
    + TypeWord.allCases.map(\.rawValue) + Attribute.allCases.map(\.rawValue)
}
