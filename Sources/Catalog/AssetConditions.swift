import GRDB

/// A filter as SQL conditions on `a` (assets); whatever a user typed is bound, never written in.
struct AssetConditions {
  private var conditions: [String] = []
  private(set) var arguments: [any DatabaseValueConvertible] = []

  /// What stands behind `WHERE`.
  var sql: String { conditions.joined(separator: " AND ") }

  init(_ filter: AssetFilter) {
    // Word by word what the indexes' own conditions say, else SQLite would not use them.
    require("a.absorbed_by IS NULL")
    require(filter.isMissing ? "a.status = 'missing'" : "a.status <> 'missing'")
    if filter.areDuplicates { require("a.is_duplicate <> 0") }
    requireTypes(filter)
    if let since = filter.since { require("a.capture_wall >= ?", [since.firstMillisecond]) }
    if let until = filter.until { require("a.capture_wall < ?", [until.endMillisecond]) }
    requireAny("lower(a.name) GLOB ?", filter.names)
    requireAny(
      "instr(lower(ifnull(a.make, '') || ' ' || ifnull(a.model, '')), ?) > 0",
      filter.cameras)
    requireAny("instr(lower(a.lens), ?) > 0", filter.lenses)
    if let hasLocation = filter.hasLocation {
      require(hasLocation ? "a.latitude IS NOT NULL" : "a.latitude IS NULL")
    }
    if let size = filter.minimumSize { require("a.size >= ?", [size]) }
    if let size = filter.maximumSize { require("a.size <= ?", [size]) }
    if let duration = filter.minimumDuration { require("a.duration >= ?", [duration]) }
    if let duration = filter.maximumDuration { require("a.duration <= ?", [duration]) }
  }

  /// Adds one more condition with the values of its `?`.
  mutating func require(_ condition: String, _ values: [any DatabaseValueConvertible] = []) {
    conditions.append(condition)
    arguments += values
  }

  private mutating func requireTypes(_ filter: AssetFilter) {
    // A single type stands alone, so that its index is recognised.
    if filter.types.count == 1, let type = filter.types.first {
      require(type.sql.condition)
    } else if !filter.types.isEmpty {
      require("(" + filter.types.map(\.sql.condition).joined(separator: " OR ") + ")")
    }
    for type in filter.excludedTypes { require("NOT (\(type.sql.condition))") }
  }

  /// Asks that one of the texts fits; both sides of `condition` are compared in lower case.
  private mutating func requireAny(_ condition: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    require(
      "(" + values.map { _ in condition }.joined(separator: " OR ") + ")",
      values.map(Self.folded))
  }

  /// Letters as SQLite's `lower` leaves them: ASCII in lower case, all others as they are.
  private static func folded(_ text: String) -> String {
    String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
