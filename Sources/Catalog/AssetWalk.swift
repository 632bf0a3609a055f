import GRDB

/// Where a query begins to read, and how it comes across the assets.
struct AssetWalk {
  /// `FROM …`, with the assets as `a`.
  let source: String
  let arguments: [any DatabaseValueConvertible]
  /// Whether it comes across them in the order wanted, so that a listing may stop at its limit.
  let isInOrder: Bool

  /// A walk that is not in order.
  init(_ source: String, _ arguments: [any DatabaseValueConvertible] = []) {
    (self.source, self.arguments, isInOrder) = (source, arguments, false)
  }

  /// The index that leads to the fewest rows: that of what is required, or else that of the order.
  init(_ required: [Condition], _ order: AssetOrder?, in database: Database) throws {
    let (index, isInOrder) = try Self.index(required, order, in: database)
    source = "FROM assets AS a " + (index.map { "INDEXED BY \($0)" } ?? "NOT INDEXED")
    arguments = []
    self.isInOrder = isInOrder
  }

  private static func index(
    _ required: [Condition], _ order: AssetOrder?, in database: Database
  ) throws -> (String?, isInOrder: Bool) {
    let isByCapture = order?.key == .captureDate
    if required.contains(.missing) { return ("assets_missing", isByCapture) }
    let types = required.compactMap { condition in
      if case .type(let word) = condition { word } else { nil }
    }
    if let type = types.first(where: \.isSelective) { return (type.sql.index, isByCapture) }
    if let range = try smallRange(required, order, in: database) { return (range, false) }
    if let type = types.first, isByCapture { return (type.sql.index, true) }
    return (order?.key.index, true)
  }

  /// The index of sizes or durations, if few assets are in a range that is required.
  private static func smallRange(
    _ required: [Condition], _ order: AssetOrder?, in database: Database
  ) throws -> String? {
    // A listing of everything had better not sort it.
    guard let order, order.page != nil else { return nil }
    for condition in required {
      guard case .comparison(let attribute, _) = condition,
        let key = attribute.orderKey, key != order.key,
        try isSmall(condition, key.index, in: database)
      else { continue }
      return key.index
    }
    return nil
  }

  /// Looking up so few assets and sorting them takes as long as walking some 25,000 in order.
  private static let mostInRange = 10_000

  /// Whether so few assets are in a range of an index that a page of them would be spread over much of
  /// the library: less than one in fifty or so.
  private static func isSmall(
    _ range: Condition, _ index: String, in database: Database
  ) throws -> Bool {
    let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
    let limit = min(mostInRange, last / 100)
    let conditions = try AssetConditions([range], in: database)
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM (SELECT 1 FROM assets AS a INDEXED BY \(index) \
        WHERE \(conditions.sql) LIMIT ?)
        """, arguments: StatementArguments(conditions.arguments + [limit + 1]))
    return (count ?? 0) <= limit
  }
}

extension AssetOrder.Key {
  /// The index that has all listed assets in this order.
  var index: String {
    switch self {
    case .captureDate: "assets_by_capture"
    case .name: "assets_by_name"
    case .size: "assets_by_size"
    case .duration: "assets_by_duration"
    case .addedDate: "assets_by_added"
    }
  }
}

extension Attribute {
  /// The order that is by this attribute, of those whose index has its ranges.
  fileprivate var orderKey: AssetOrder.Key? {
    switch self {
    case .size: .size
    case .duration: .duration
    default: nil
    }
  }
}
