package import MediaModel

/// What is asked of an asset: the one value that flags and `--where` expressions become, and that
/// becomes SQL. docs/queries.md has the grammar it is written in.
///
/// A comparison with something the asset does not have does not hold, and `not` of it does.
package indirect enum Condition: Sendable, Hashable {
  /// Every one of them; never empty.
  case all([Condition])
  /// At least one of them; never empty.
  case any([Condition])
  case not(Condition)
  case type(TypeWord)
  case comparison(Attribute, Comparison)
  /// Whether the attribute is known.
  case has(Attribute)
  /// Taken within so many kilometres of a place, given in degrees.
  case near(latitude: Double, longitude: Double, kilometres: Double)
  /// In a folder or below it; a path that is not absolute lies below any root.
  case under(BytePath)
  /// What it is called, or said to be, has these words.
  case search(SearchText)
  /// Is gone. Only as one of the things required of every asset, since the rest of the listing is
  /// then made of missing ones.
  case missing

  /// What must hold in any case: the parts of the outermost `all`s, and what `not` leaves of an `any`.
  package var requirements: [Condition] {
    switch self {
    case .all(let parts): parts.flatMap(\.requirements)
    case .not(.any(let parts)): parts.flatMap { Condition.not($0).requirements }
    case .not(.not(let part)): part.requirements
    // An asset is one of the two.
    case .not(.type(.images)): [.type(.videos)]
    case .not(.type(.videos)): [.type(.images)]
    default: [self]
    }
  }

  /// How many conditions lie inside one another.
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

/// What an attribute is compared with, and how. There is no "not equal": it is `not` of "equal".
package enum Comparison: Sendable, Hashable {
  /// In the attribute's base unit: bytes, seconds, pixels, millimetres, degrees.
  case number(Relation, Double)
  /// Both ends included.
  case numbers(ClosedRange<Double>)
  case date(Relation, WallDate)
  /// From the first instant of the one to the last of the other.
  case dates(WallDate, WallDate)
  case text(TextRelation, String)
}

/// How numbers and dates are compared. All of a day, month or year is equal to it.
package enum Relation: String, Sendable, CaseIterable {
  case equal = "="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
}

/// How texts are compared, in either case and in any form of Unicode.
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
