import GRDB
import Query

extension Facet {
  /// The facet that lists the assets of a condition, and perhaps others; nil if none does.
  init?(_ condition: Condition) {
    switch condition {
    case .type(let word):
      guard let facet = word.facet else { return nil }
      self = facet
    case .not(.type(.images)): self = .videos
    case .missing: self = .missing
    case .comparison(.rating, _), .has(.rating): self = .rated
    case .comparison(.title, _), .has(.title): self = .titled
    case .comparison(.description, _), .has(.description): self = .captioned
    default: return nil
    }
  }

  /// Facets that together list the assets of a condition, and perhaps others; nil if there are none.
  static func alternatives(_ condition: Condition) -> Set<Facet>? {
    if let facet = Facet(condition) { return [facet] }
    switch condition {
    case .any(let parts):
      let facets = parts.compactMap(alternatives)
      return facets.count == parts.count ? facets.reduce(into: []) { $0.formUnion($1) } : nil
    case .all(let parts): return parts.compactMap(alternatives).min { $0.count < $1.count }
    default: return nil
    }
  }

  /// Whether the assets of a condition are exactly those of its facet.
  static func isWhole(_ condition: Condition) -> Bool {
    switch condition {
    case .type, .not(.type), .missing, .has: true
    default: false
    }
  }

  /// The entries of a facet that are counted.
  private static let mostCounted = 10_000

  /// The facet with the fewest assets among those of conditions; nil if no condition has one.
  static func smallest(of required: [Condition], in database: Database) throws -> Facet? {
    if required.contains(.missing) { return .missing }
    let facets = Set(required.compactMap(Facet.init))
    guard facets.count > 1 else { return facets.first }
    return try facets.map { facet in
      (
        facet,
        count: try Int.fetchOne(
          database.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM facets WHERE facet = ? LIMIT ?)"),
          arguments: [facet.bit, mostCounted]) ?? 0
      )
    }.min { ($0.count, $0.0.bit) < ($1.count, $1.0.bit) }?.0
  }
}
