import MediaModel

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
