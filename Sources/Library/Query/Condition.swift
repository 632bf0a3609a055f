package import MediaModel

/// A condition on assets, from flags and `--where` expressions, which becomes SQL. docs/queries.md has the grammar.
///
/// A comparison with an attribute that the asset does not have is false, and its `not` is true.
package indirect enum Condition: Sendable, Hashable {
  /// All of them; never empty.
  case all([Condition])
  /// At least one of them; never empty.
  case any([Condition])
  case not(Condition)
  case type(TypeWord)
  case comparison(Attribute, Comparison)
  /// Whether the attribute is known.
  case has(Attribute)
  /// Taken within a distance of a place, which is given in degrees.
  case near(latitude: Double, longitude: Double, kilometres: Double)
  /// In a folder or below it; a relative path is relative to every root.
  case under(BytePath)
  /// Its name or its description contains these words.
  case search(SearchText)
  /// Is missing. Allowed only where it is required of every asset, since the listing then contains missing
  /// assets only.
  case missing

  /// Conditions that must all hold: the parts of the outermost `all`s, and the negated parts of a negated
  /// `any`.
  package var requirements: [Condition] {
    switch self {
    case .all(let parts): parts.flatMap(\.requirements)
    case .not(.any(let parts)): parts.flatMap { Condition.not($0).requirements }
    case .not(.not(let part)): part.requirements
    // Every asset is either an image or a video.
    case .any(let parts) where parts.contains(.type(.images)) && parts.contains(.type(.videos)): []
    case .not(.type(.images)): [.type(.videos)]
    case .not(.type(.videos)): [.type(.images)]
    default: [self]
    }
  }

  /// The same condition, as flat as it can be: `not` only before single conditions, and no `all` directly in an `all`
  /// or `any` in an `any`.
  package var simplified: Condition { simplified(isNegated: false) }

  private func simplified(isNegated: Bool) -> Condition {
    let isAll: Bool
    let parts: [Condition]
    switch self {
    case .not(let part): return part.simplified(isNegated: !isNegated)
    case .all(let all): (isAll, parts) = (!isNegated, all)
    case .any(let any): (isAll, parts) = (isNegated, any)
    default: return isNegated ? .not(self) : self
    }
    let flat = parts.flatMap { part -> [Condition] in
      switch part.simplified(isNegated: isNegated) {
      case .all(let inner) where isAll: inner
      case .any(let inner) where !isAll: inner
      case let single: [single]
      }
    }
    return flat.count == 1 ? flat[0] : isAll ? .all(flat) : .any(flat)
  }

  /// The depth of nesting.
  package var depth: Int {
    switch self {
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    case .not(let part): 1 + part.depth
    default: 0
    }
  }

  /// This condition with every folder replaced.
  package func mapFolders(_ transform: (BytePath) -> BytePath) -> Condition {
    switch self {
    case .all(let parts): .all(parts.map { $0.mapFolders(transform) })
    case .any(let parts): .any(parts.map { $0.mapFolders(transform) })
    case .not(let part): .not(part.mapFolders(transform))
    case .under(let folder): .under(transform(folder))
    default: self
    }
  }
}

/// The comparison of an attribute with a value. "Not equal" is `not` of "equal".
package enum Comparison: Sendable, Hashable {
  /// In the attribute's base unit: bytes, seconds, pixels, millimetres, degrees.
  case number(Relation, Double)
  /// Both ends included.
  case numbers(ClosedRange<Double>)
  case date(Relation, WallDate)
  /// From the first instant of the first date to the last of the second.
  case dates(WallDate, WallDate)
  case text(TextRelation, String)
}

/// How numbers and dates are compared. Every time within a day, month or year equals it.
package enum Relation: String, Sendable, CaseIterable {
  case equal = "="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
}

/// How texts are compared: case-insensitively and in any normalization form of Unicode.
package enum TextRelation: String, Sendable, CaseIterable {
  case equal = "="
  case contains = "~"
  /// A shell pattern, as of `--name`.
  case like
}

extension Condition: CustomStringConvertible {
  /// The expression that is read as this very condition.
  package var description: String {
    switch self {
    case .all(let parts): "all(\(parts.map(\.description).joined(separator: ", ")))"
    case .any(let parts): "any(\(parts.map(\.description).joined(separator: ", ")))"
    case .not(let part): "not(\(part))"
    case .type(let word): word.rawValue
    case .comparison(let attribute, let comparison): "\(attribute) \(comparison)"
    case .has(let attribute): "has(\(attribute))"
    case .near(let latitude, let longitude, let kilometres):
      "near(\(latitude), \(longitude), \(kilometres)km)"
    case .under(let folder): "under \(quoted(folder.display))"
    case .search(let text): "search(\(quoted(text.typed)))"
    case .missing: "missing"
    }
  }
}

extension Comparison: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let relation, let value): "\(relation.rawValue) \(shortest(value))"
    case .numbers(let range): "in \(shortest(range.lowerBound))..\(shortest(range.upperBound))"
    case .date(let relation, let date): "\(relation.rawValue) \(date.text)"
    case .dates(let first, let last): "in \(first.text)..\(last.text)"
    case .text(let relation, let text): "\(relation.rawValue) \(quoted(text))"
    }
  }
}

/// Without `.0`, as people write whole numbers.
private func shortest(_ value: Double) -> String {
  Int64(exactly: value).map(String.init) ?? "\(value)"
}

private func quoted(_ text: String) -> String {
  "\"" + text.replacing("\"", with: "\"\"") + "\""
}
