import MediaModel

/// A mistake in an expression, with its position.
package struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole expression; empty if it is too long to show.
  package let expression: String
  /// The number of Unicode scalars before the mistake.
  package let offset: Int
  /// The mistake, a phrase.
  package let complaint: String

  package var description: String { complaint }
}

extension Condition {
  /// Parses an expression, `all(images, not(screenshots)) and year = 2023`.
  ///
  /// - Parameter now: what dates such as `7d` are relative to.
  package init(expression: String, now: Instant = .now) throws(ExpressionError) {
    guard expression.utf8.count <= ExpressionParser.longestExpression else {
      throw ExpressionError(
        expression: "", offset: 0, complaint: "an expression has at most 64 KiB")
    }
    var parser = ExpressionParser(
      expression: expression, tokens: try ExpressionToken.tokens(of: expression), now: now)
    self = try parser.whole()
  }

  /// Whether `missing` occurs where it is not required of every asset.
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

/// A recursive-descent parser: `or` of `and`s of `not`s of single conditions.
struct ExpressionParser {
  /// Bytes.
  static let longestExpression = 64 << 10
  /// Parentheses in each other.
  static let deepestParentheses = 200
  /// Conditions in each other.
  static let deepestCondition = 64
  /// SQLite allows a statement a thousand levels, and a chain of `AND` is one for each link.
  static let mostConditions = 500

  private let expression: String
  private let tokens: [ExpressionToken]
  /// What relative dates are relative to.
  private let now: Instant
  private var position = 0
  /// The nesting depth of parentheses and of `all`, `any` and `not`.
  private var parentheses = 0
  private var levels = 0
  private var conditionCount = 0
  private var lastMissing: ExpressionToken?

  init(expression: String, tokens: [ExpressionToken], now: Instant) {
    (self.expression, self.tokens, self.now) = (expression, tokens, now)
  }

  private var next: ExpressionToken { tokens[position] }

  /// A mistake at a token; by default the next one.
  private func mistake(_ complaint: String, at token: ExpressionToken? = nil) -> ExpressionError {
    ExpressionError(
      expression: expression, offset: (token ?? next).offset, complaint: complaint)
  }

  /// Takes the next token; the end stays.
  @discardableResult
  private mutating func take() -> ExpressionToken {
    let token = next
    if token.kind != .end { position += 1 }
    return token
  }

  /// Takes the next token if it is this symbol.
  private mutating func take(symbol: String) -> Bool {
    guard next.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ symbol: String, _ place: String) throws(ExpressionError) {
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

  /// A hint for an unexpected word after a condition: two conditions need a word between them, and only a
  /// quoted text has several words.
  private var remedy: String {
    guard let word = next.keyword else { return "" }
    if Self.words.contains(where: { $0.lowercased() == word }) {
      return "; write 'and' or 'or' between conditions"
    }
    return followsText ? "; put a text of several words in quotes" : ""
  }

  /// Whether the last token is the text that `=`, `~` or `like` compare with.
  private var followsText: Bool {
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

  /// All words that can begin a condition.
  private static let words =
    ["all", "any", "not", "missing", "has", "near", "under", "search", "type"]
    + TypeWord.allCases.map(\.rawValue) + Attribute.allCases.map(\.rawValue)
}

// Single conditions: comparisons and their values, places, folders.
extension ExpressionParser {
  /// `(location)` after `has`.
  private mutating func presence() throws(ExpressionError) -> Attribute {
    try expect("(", "after 'has'")
    let token = take()
    guard let word = token.keyword else {
      throw mistake("expected an attribute, not \(token.name)", at: token)
    }
    guard let attribute = Attribute(typed: word) else {
      let unknown = UnknownWord(
        token.word ?? word, kind: "attribute", among: Attribute.allCases.map(\.rawValue))
      throw mistake(unknown.description, at: token)
    }
    try expect(")", "after the attribute")
    return attribute
  }

  /// `(47.36, 8.54, 5km)` after `near`.
  private mutating func near() throws(ExpressionError) -> Condition {
    let place = "in near(latitude, longitude, distance)"
    try expect("(", "after 'near'")
    let latitude = try number(Condition.latitude(typed:))
    try expect(",", place)
    let longitude = try number(Condition.longitude(typed:))
    try expect(",", place)
    let kilometres = try number(unit: Condition.distanceUnits, Condition.kilometres(typed:))
    try expect(")", "after the distance")
    return .near(latitude: latitude, longitude: longitude, kilometres: kilometres)
  }

  private mutating func number(
    unit units: [String: Double] = [:], _ read: (String) throws(BadValue) -> Double
  ) throws(ExpressionError) -> Double {
    let token = next
    let typed = try text(unit: units)
    do {
      return try read(typed)
    } catch {
      throw mistake(error.description, at: token)
    }
  }

  /// A folder after `under`.
  private mutating func folder() throws(ExpressionError) -> Condition {
    let token = next
    var path = BytePath(try text())
    let isAbsolute = path.bytes.first == UInt8(ascii: "/")
    let components = path.components.filter { $0 != [UInt8(ascii: ".")] }
    guard !path.bytes.isEmpty, isAbsolute || !components.isEmpty else {
      throw mistake("expected a folder, for example \"2023/Rome\"", at: token)
    }
    path = BytePath(
      bytes: (isAbsolute ? [UInt8(ascii: "/")] : []) + components.joined(separator: [0x2F]))
    return .under(path)
  }

  /// `("rome beach")` after `search`.
  private mutating func search() throws(ExpressionError) -> Condition {
    try expect("(", "after 'search'")
    let token = next
    let typed = try text()
    try expect(")", "after the words; put several words in quotes")
    do {
      return .search(try SearchText(typed: typed))
    } catch {
      throw mistake(error.description, at: token)
    }
  }

  /// `= screenshots` or `= public.heic` after `type`.
  private mutating func type() throws(ExpressionError) -> Condition {
    let token = take()
    guard token.kind == .symbol("=") || token.kind == .symbol("!=") else {
      throw mistake("expected '=' or '!=' after 'type', not \(token.name)", at: token)
    }
    let value = next
    let typed = try text()
    let condition: Condition
    do {
      // Uniform types contain a dot, type words do not.
      condition =
        typed.contains(".")
        ? .comparison(.uniformType, .text(.equal, typed)) : .type(try TypeWord(typed: typed))
    } catch {
      throw mistake(error.description, at: value)
    }
    return token.kind == .symbol("!=") ? .not(condition) : condition
  }

  /// An attribute's comparison; the attribute itself has been taken.
  private mutating func comparison(of attribute: Attribute) throws(ExpressionError) -> Condition {
    if attribute.kind == .presence {
      throw mistake("'\(attribute)' is not compared: write has(\(attribute)) or near(…)")
    }
    let token = take()
    var relation = token.keyword ?? ""
    if case .symbol(let symbol) = token.kind { relation = symbol }
    let equal = relation == "!=" ? "=" : relation
    let comparison: Comparison
    if attribute.kind == .text {
      guard let known = TextRelation(rawValue: equal) else {
        throw mistake("'\(attribute)' is a text: it takes =, !=, ~ or like", at: token)
      }
      let value = next
      let text = try pattern(known)
      if known == .equal, let words = attribute.fixedWords, !words.contains(text.comparable) {
        let remedy = "write one of \(words.joined(separator: ", "))"
        throw mistake(
          BadValue(text, "is not a valid \(attribute): \(remedy)").description, at: value)
      }
      comparison = .text(known, text)
    } else if equal == "in" {
      comparison = try range(of: attribute)
    } else {
      guard let known = Relation(rawValue: equal) else {
        throw mistake("'\(attribute)' takes =, !=, <, <=, >, >= or in", at: token)
      }
      let value = next
      let units = attribute.units
      comparison = try self.value(try text(unit: units), of: attribute, known, at: value)
    }
    let condition = Condition.comparison(attribute, comparison)
    return relation == "!=" ? .not(condition) : condition
  }

  private mutating func pattern(_ relation: TextRelation) throws(ExpressionError) -> String {
    let token = next
    let text = try text()
    // Every text contains an empty one, and no name matches an empty pattern: the user means neither.
    guard relation == .equal || !text.isEmpty else {
      throw mistake("expected a non-empty text", at: token)
    }
    // SQLite compares patterns up to some length only.
    guard relation != .like || text.utf8.count <= 1024 else {
      throw mistake("a pattern has at most 1024 bytes", at: token)
    }
    return text
  }

  /// `2023-05..2023-08`, `1 MB .. 5 MB`, both ends included.
  private mutating func range(of attribute: Attribute) throws(ExpressionError) -> Comparison {
    let start = next
    var typed = ""
    pieces: while !["and", "or"].contains(next.keyword) {
      switch next.kind {
      case .word(let text), .string(let text): typed += typed.isEmpty ? text : " " + text
      case .symbol, .end: break pieces
      }
      take()
    }
    let ends = typed.split(separator: "..", omittingEmptySubsequences: false)
    guard ends.count == 2, !typed.contains("...") else {
      throw mistake("expected two values with '..' between them", at: start)
    }
    let low = try value(ends[0].trimmed, of: attribute, .atLeast, at: start)
    let high = try value(ends[1].trimmed, of: attribute, .atMost, at: start)
    switch (low, high) {
    case (.date(_, let low), .date(_, let high))
    where low.firstMillisecond < high.endMillisecond:
      return .dates(low, high)
    case (.number(_, let low), .number(_, let high)) where low <= high:
      return .numbers(low...high)
    default: throw mistake("this range ends before it begins", at: start)
    }
  }

  /// One value; a space may separate its unit.
  private mutating func text(unit units: [String: Double] = [:]) throws(ExpressionError) -> String {
    switch next.kind {
    case .string(let text):
      take()
      return text
    case .word(let word) where !["and", "or", "not"].contains(word.lowercased()):
      take()
      if let unit = next.keyword, units[unit] != nil {
        take()
        return word + unit
      }
      return word
    default: throw mistake("expected a value, not \(next.name)")
    }
  }

  private func value(
    _ text: String, of attribute: Attribute, _ relation: Relation, at token: ExpressionToken
  ) throws(ExpressionError) -> Comparison {
    do {
      if attribute.kind == .date {
        // Only the time of capture is one on a wall clock.
        return .date(
          relation, try WallDate(typed: text, isUTC: attribute != .captureDate, now: now))
      }
      return .number(relation, try attribute.number(typed: text))
    } catch {
      throw mistake(error.description, at: token)
    }
  }
}
