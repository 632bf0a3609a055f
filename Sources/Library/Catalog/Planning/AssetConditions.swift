import GRDB
import Query

/// The condition after `WHERE`, with its values.
struct AssetConditions {
  private(set) var sql: String
  private(set) var arguments: [any DatabaseValueConvertible]

  /// SQLite binds 32 766 values to a statement, unless it was built to take more; the way to the assets
  /// and the page of a listing have some too.
  private static let mostArguments = 30_000

  /// - Parameter isListed: whether the tables before it contain such assets only that are listed, or missing.
  init(_ requirements: [Condition], isListed: Bool = false, in database: Database) throws {
    let isMissing = requirements.contains(.missing)
    // SQLite evaluates them in this order, up to the first that is false.
    let required = try requirements.filter { $0 != .missing }.sorted { $0.effort < $1.effort }
      .map { try ConditionSQL(required: $0, in: database) }
    // Literally as in the indexes' own conditions, else SQLite would not use them.
    let status = isMissing ? "a.absorbed_by IS NULL AND a.is_missing" : "a.is_listed"
    // Outside of the brackets that many conditions are put in.
    sql = [isListed ? "true" : status, ConditionSQL.chain(required.map(\.sql), " AND ")]
      .filter { !$0.isEmpty }.joined(separator: " AND ")
    arguments = required.flatMap(\.arguments)
    guard arguments.count <= Self.mostArguments else {
      throw BadValue(
        "\(arguments.count)", "values are too many: use at most \(Self.mostArguments)")
    }
  }
}

extension Condition {
  /// How much work it is to ask it of one asset, for putting the least first.
  fileprivate var effort: Int {
    switch self {
    case .type, .missing, .has: 0
    case .comparison(let attribute, let comparison):
      switch comparison {
      case .text: attribute == .path ? 4 : 2
      default: 1
      }
    case .near: 3
    case .under, .search: 5
    case .not(let part): part.effort
    case .all(let parts), .any(let parts): parts.map(\.effort).max() ?? 0
    }
  }
}
