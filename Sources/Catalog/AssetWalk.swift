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
    guard limit > 0 else { return false }
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

extension AssetWalk {
  /// A required search that finds little, or enough among the first of a listing; it is taken out of what
  /// else is required. Nil if there is none.
  init?(
    takingSearch required: inout [Condition], _ order: AssetOrder?, in database: Database
  ) throws {
    for index in required.indices {
      guard case .search(let text) = required[index] else { continue }
      try SearchText.require(in: database)
      var others = required
      others.remove(at: index)
      let sample = try Self.sample(text, others, order, in: database)
      if let sample, let page = order?.page, sample.count >= page {
        let walk = Self(found: sample)
        if try walk.has(page, of: others, in: database) {
          (self, required) = (walk, others)
          return
        }
      }
      // What is not among the first may be behind all others.
      let limit = sample?.isEmpty == true ? SearchText.mostToCollect : SearchText.smallCount
      guard try text.finds(atMost: limit, in: database) else { continue }
      required = others
      self.init(
        "FROM (\(SearchText.sql)) AS found CROSS JOIN assets AS a ON a.id = found.rowid",
        [text.pattern])
      return
    }
    return nil
  }

  /// What a search finds among the first of a listing; nil if that is not asked for by the page, or other
  /// tables than the assets' own would have to be asked too.
  private static func sample(
    _ text: SearchText, _ others: [Condition], _ order: AssetOrder?, in database: Database
  ) throws -> [Int64]? {
    guard let order, let page = order.page, (1...SearchSample.size).contains(page),
      !others.contains(.missing), others.allSatisfy(\.tables.isEmpty)
    else { return nil }
    return try SearchSample.rows(of: text, order, in: database)
  }

  /// Nothing but these rows.
  private init(found rows: [Int64]) {
    self.init(
      "FROM (SELECT value AS id FROM json_each(?)) AS found CROSS JOIN assets AS a ON a.id = found.id",
      ["[" + rows.map(String.init).joined(separator: ",") + "]"])
  }

  /// Whether so many of its assets fulfil conditions on the assets' own table.
  private func has(_ page: Int, of required: [Condition], in database: Database) throws -> Bool {
    let conditions = try AssetConditions(required, in: database)
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) \(source) WHERE \(conditions.sql)",
      arguments: StatementArguments(arguments + conditions.arguments))
    return (count ?? 0) >= page
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
