import GRDB
import Query

extension AssetFilter {
  /// Everything the filter requires, flags and expressions alike.
  var requirements: [Condition] {
    var required: [Condition] = []
    func requireAny(_ parts: [Condition]) {
      if parts.count == 1 { required.append(parts[0]) }
      if parts.count > 1 { required.append(.any(parts)) }
    }
    func require(_ attribute: Attribute, _ relation: Relation, _ value: Double?) {
      guard let value else { return }
      required.append(.comparison(attribute, .number(relation, value)))
    }
    func requireAny(_ attribute: Attribute, _ relation: TextRelation, _ texts: [String]) {
      requireAny(texts.map { .comparison(attribute, .text(relation, $0)) })
    }
    if areDuplicates { required.append(.type(.duplicates)) }
    if isMissing { required.append(.missing) }
    requireAny(types.map(Condition.type))
    required += excludedTypes.map { .not(.type($0)) }
    if let since { required.append(.comparison(.captureDate, .date(.atLeast, since))) }
    if let until { required.append(.comparison(.captureDate, .date(.atMost, until))) }
    requireAny(.name, .like, names)
    requireAny(.camera, .contains, cameras)
    requireAny(.lens, .contains, lenses)
    if let hasLocation {
      required.append(hasLocation ? .has(.location) : .not(.has(.location)))
    }
    require(.size, .atLeast, minimumSize.map(Double.init))
    require(.size, .atMost, maximumSize.map(Double.init))
    require(.duration, .atLeast, minimumDuration)
    require(.duration, .atMost, maximumDuration)
    requireAny(folders.map(Condition.under))
    requireAny(places)
    requireAny(searches.map(Condition.search))
    requireAny(expressions)
    for other in others {
      required += other.requirements
    }
    return required.flatMap(\.requirements)
  }

  /// Whether missing assets are requested: by the flag, an expression or a saved search.
  package var wantsMissing: Bool { requirements.contains(.missing) }

  /// Whether `missing`, which selects missing assets instead of present ones, occurs only where it applies to the
  /// whole listing, not as one of several expressions.
  package var canBeAsked: Bool {
    (expressions.count < 2 || !expressions.contains(where: \.isMissing))
      && others.allSatisfy(\.canBeAsked)
  }
}

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
