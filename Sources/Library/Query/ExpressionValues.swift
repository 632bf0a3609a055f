import MediaModel

// The single conditions of an expression: comparisons and their values, places, folders.
extension ExpressionParser {
  /// `(location)` behind `has`.
  mutating func presence() throws(ExpressionError) -> Attribute {
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

  /// `(47.36, 8.54, 5km)` behind `near`.
  mutating func near() throws(ExpressionError) -> Condition {
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

  /// A folder behind `under`.
  mutating func folder() throws(ExpressionError) -> Condition {
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

  /// `("rome beach")` behind `search`.
  mutating func search() throws(ExpressionError) -> Condition {
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

  /// `= screenshots` or `= public.heic` behind `type`.
  mutating func type() throws(ExpressionError) -> Condition {
    let token = take()
    guard token.kind == .symbol("=") || token.kind == .symbol("!=") else {
      throw mistake("expected '=' or '!=' after 'type', not \(token.name)", at: token)
    }
    let value = next
    let typed = try text()
    let condition: Condition
    do {
      // Uniform types have a dot in them, words for types have none.
      condition =
        typed.contains(".")
        ? .comparison(.uniformType, .text(.equal, typed)) : .type(try TypeWord(typed: typed))
    } catch {
      throw mistake(error.description, at: value)
    }
    return token.kind == .symbol("!=") ? .not(condition) : condition
  }

  /// An attribute's comparison; the attribute itself has been taken.
  mutating func comparison(of attribute: Attribute) throws(ExpressionError) -> Condition {
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
      comparison = .text(known, try pattern(known))
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
    // Every text holds an empty one, and no name fits an empty pattern: neither is ever meant.
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

  /// One value, with a unit that stands apart from its number.
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
      if attribute.kind == .date { return .date(relation, try WallDate(typed: text)) }
      return .number(relation, try attribute.number(typed: text))
    } catch {
      throw mistake(error.description, at: token)
    }
  }
}
