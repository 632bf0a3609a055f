import GRDB
package import MediaModel
package import Query

/// A place in an order of assets: right after one asset.
package struct AssetPosition: Sendable, Hashable, Codable {
  /// What the order compares.
  package enum Value: Sendable, Hashable, Codable {
    /// The asset has no value, and comes after all that have one.
    case unknown
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  package var value: Value
  /// The asset's row, which decides among equal values.
  package var row: Int64

  package init(_ value: Value, row: Int64) {
    (self.value, self.row) = (value, row)
  }

  /// The place after an asset.
  package init(after asset: AssetRecord, in key: AssetOrder.Key) {
    let value: Value =
      switch key {
      case .captureDate: asset.captureWall.map(Value.integer) ?? .unknown
      case .name: .text(BytePath(bytes: asset.path.lastComponent).display)
      case .size: .integer(asset.size)
      case .duration: asset.duration.map(Value.real) ?? .unknown
      case .addedDate: .integer(asset.added)
      }
    self.init(value, row: asset.rowID)
  }
}

extension Catalog {
  /// The next assets of a listing. However far into the listing a page is, finding it takes the same time.
  ///
  /// An asset that is added before the position meanwhile is not in any further page; one that is removed leaves no gap.
  ///
  /// - Parameters:
  ///   - order: its offset is ignored, and its limit is the size of the page.
  ///   - position: where the page before ended; nil for the first page.
  package func page(
    matching filter: AssetFilter, in order: AssetOrder, after position: AssetPosition?,
    with parts: AssetParts = []
  ) throws -> [AssetRecord] {
    var order = order
    order.offset = 0
    guard let position else {
      var assets: [AssetRecord] = []
      try forEachAsset(matching: filter, in: order, with: parts) { assets.append($0) }
      return assets
    }
    return try read { transaction in
      let database = transaction.database
      let reader = AssetReader(parts: parts)
      let size = order.limit ?? .max
      var ids: [Int64] = []
      if position.value != .unknown {
        ids = try AssetsAfter(position, filter, order, in: database).ids(atMost: size, in: database)
      }
      if ids.count < size, order.key.isOptional {
        let last = position.value == .unknown ? position.row : nil
        ids += try AssetsWithout(order.key, filter, order, after: last, in: database)
          .ids(atMost: size - ids.count, in: database)
      }
      return try reader.assets(ids[...], in: database)
    }
  }

  /// The assets in the middle of a listing: those after `order.offset` others, at most `order.limit`.
  ///
  /// Skipped assets cost one entry of an index each, if an index has the order and the conditions; their rows are not
  /// read.
  package func page(
    matching filter: AssetFilter, inRangeOf order: AssetOrder, with parts: AssetParts = []
  ) throws -> [AssetRecord] {
    try read { transaction in
      let database = transaction.database
      let (sql, arguments) =
        try Self.entries(of: order, filter.requirements, in: database)
        ?? AssetQuery(filter, order: order, reading: [], in: database).ids()
      let ids = try Int64.fetchAll(database, sql: sql, arguments: arguments)
      return try AssetReader(parts: parts).assets(ids[...], in: database)
    }
  }

  /// A statement that reads the ids of an order's range from an index that has all that is required; nil if none has.
  private static func entries(
    of order: AssetOrder, _ required: [Condition], in database: Database
  ) throws -> (sql: String, arguments: StatementArguments)? {
    let start = try AssetStart(inOrder: order, required, in: database)
    guard start.isCovering(order) else { return nil }
    let conditions = try AssetConditions(start.remaining, isListed: true, in: database)
    return (
      """
      SELECT \(start.terms == nil ? "a.id" : "k.asset_id") \(start.entries)
      WHERE \(start.condition) AND \(conditions.sql) ORDER BY \(start.terms ?? order.terms) LIMIT ? OFFSET ?
      """,
      StatementArguments(
        start.arguments + conditions.arguments + [order.limit ?? -1, order.offset])
    )
  }
}

/// The assets after a position that have a value.
private struct AssetsAfter {
  private let sql: String
  private let arguments: [any DatabaseValueConvertible]

  init(
    _ position: AssetPosition, _ filter: AssetFilter, _ order: AssetOrder, in database: Database
  ) throws {
    var required = filter.requirements
    // The index of durations has the assets with a duration only.
    if order.key == .duration { required.append(.has(.duration)) }
    let start = try AssetStart(after: required, order, in: database)
    let conditions = try AssetConditions(start.remaining, isListed: true, in: database)
    // A facet's own entries have the order's columns, with the smallest integer for an unknown time.
    let isFacet = start.terms != nil
    let columns = isFacet ? ["k.capture_wall", "k.asset_id"] : [order.column, "a.id"]
    let isDescending = order.isDescending
    sql = """
      SELECT a.id \(start.source)\(start.remaining.tables.joins) WHERE \(start.condition)
      \(isFacet ? "AND k.capture_wall > \(Int64.min)" : "") AND (\(columns.joined(separator: ", "))) \(isDescending ? "<" : ">") (?, ?) AND \(conditions.sql)
      ORDER BY \(columns[0]) \(isDescending ? "DESC" : "ASC"), \(columns[1]) \(isDescending ? "DESC" : "ASC")
      LIMIT ?
      """
    let value: any DatabaseValueConvertible =
      switch position.value {
      case .unknown: Int64.min
      case .integer(let number): number
      case .real(let number): number
      case .text(let text): text
      }
    arguments = start.arguments + [value, position.row] + conditions.arguments
  }

  func ids(atMost limit: Int, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(database, sql: sql, arguments: StatementArguments(arguments + [limit]))
  }
}

/// The assets that lack what a listing is sorted by, which end it.
private struct AssetsWithout {
  private let sql: String
  private let arguments: [any DatabaseValueConvertible]

  /// - Parameter row: the last one of the page before; nil if that ended with a value.
  init(
    _ key: AssetOrder.Key, _ filter: AssetFilter, _ order: AssetOrder, after row: Int64?,
    in database: Database
  ) throws {
    let required = filter.requirements
    let isDescending = order.isDescending
    let conditions = try AssetConditions(required, isListed: false, in: database)
    // In the order of rows; those without a time of capture have entries in its index.
    let index = key == .captureDate ? " INDEXED BY \(key.index)" : " NOT INDEXED"
    let hint = required.contains(.missing) ? "" : index
    sql = """
      SELECT a.id FROM assets AS a\(hint)\(required.tables.joins) WHERE \(order.column) IS NULL
      AND a.id \(isDescending ? "<" : ">") ? AND \(conditions.sql)
      ORDER BY a.id \(isDescending ? "DESC" : "ASC") LIMIT ?
      """
    arguments = [row ?? (isDescending ? .max : 0)] + conditions.arguments
  }

  func ids(atMost limit: Int, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(database, sql: sql, arguments: StatementArguments(arguments + [limit]))
  }
}

extension AssetOrder.Key {
  /// Whether an asset may lack it.
  fileprivate var isOptional: Bool { self == .captureDate || self == .duration }
}
