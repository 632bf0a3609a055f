import GRDB
import Query

// Finding a listing's first page by trying the beginning of an order, so that nothing else has to be read.

extension AssetStart {
  /// The ids of those among the first `rows` of the order that meet all conditions, and whether they are the page: as
  /// many as that, or all there are.
  func page(
    within rows: Int, _ page: Int, _ order: AssetOrder, in database: Database
  ) throws -> (ids: [Int64], isWhole: Bool) {
    let rows = max(rows, page)
    guard isInOrder || order.key == .duration else { return ([], false) }
    let ranges = try AssetConditions(
      remaining.filter { $0.isRange(of: order.key) }, isListed: true, in: database)
    let all = try AssetConditions(remaining, isListed: true, in: database)
    let start = try order.key == .duration ? Self.durations(in: database) : self
    let found = try Int64.fetchAll(
      database,
      sql: """
        SELECT a.id FROM (
          SELECT a.id \(start.source) WHERE \(start.condition) AND \(ranges.sql)
          ORDER BY \(terms ?? order.terms) LIMIT ?) AS first
        CROSS JOIN assets AS a ON a.id = first.id\(remaining.tables.joins) WHERE \(all.sql) LIMIT ?
        """,
      arguments: StatementArguments(
        start.arguments + ranges.arguments + [rows] + all.arguments + [page]))
    if found.count == page { return (found, true) }
    guard isInOrder else { return (found, false) }
    let count = try Int.fetchOne(
      database,
      sql: "SELECT count(*) FROM (SELECT 1 \(source) WHERE \(condition) AND \(ranges.sql) LIMIT ?)",
      arguments: StatementArguments(arguments + ranges.arguments + [rows + 1]))
    return (found, count ?? 0 <= rows)
  }

  /// The ids of the first page of assets that meet one of several alternatives, each of which has a facet: SQLite
  /// merges the facets in the order of the listing. Nil if there are no such alternatives, or too few of the first
  /// entries meet all conditions.
  static func merged(
    _ required: [Condition], _ page: Int, _ order: AssetOrder, in database: Database
  ) throws -> [Int64]? {
    guard order.key == .captureDate, order.isDescending,
      let facets = required.lazy.compactMap({ Facet.alternatives($0) }).first(where: {
        $0.count > 1
      })
    else { return nil }
    let all = try AssetConditions(required, isListed: true, in: database)
    let entries = facets.map { _ in
      "SELECT capture_wall, asset_id FROM facets WHERE facet = ?"
    }
    let ids = try Int64.fetchAll(
      database,
      sql: """
        SELECT a.id FROM (\(entries.joined(separator: " UNION ")) ORDER BY 1 DESC, 2 DESC LIMIT ?) AS first
        CROSS JOIN assets AS a ON a.id = first.asset_id\(required.tables.joins) WHERE \(all.sql) LIMIT ?
        """,
      arguments: StatementArguments(
        facets.map(\.bit).sorted() + [max(tried[2], page)] + all.arguments + [page]))
    return ids.count == page ? ids : nil
  }

  /// The assets with a duration, which precede all others.
  private static func durations(in database: Database) throws -> AssetStart {
    let index = try IndexHint(AssetOrder.Key.duration.index, in: database)
    return AssetStart(
      source: "FROM assets AS a\(index.sql)", condition: "a.is_listed AND a.duration IS NOT NULL")
  }

  /// The ids of the first page of assets with words, if these are frequent, or if few assets meet the other
  /// conditions.
  static func sampled(
    _ pattern: String, _ others: [Condition], _ page: Int, _ order: AssetOrder,
    in database: Database
  ) throws -> [Int64]? {
    guard (1...SearchSample.most).contains(page), !others.contains(where: \.hasSearch) else {
      return nil
    }
    let whole = try AssetStart(inOrder: order, others, in: database)
    let few = try whole.fewest(
      others, order, rows: SearchSample.most, entries: SearchSample.most, in: database)
    let start = few?.start ?? whole
    guard few != nil || whole.isInOrder else { return nil }
    let conditions = try AssetConditions(start.remaining, isListed: true, in: database)
    // The other conditions may exclude some of the rows that are tried.
    let rows = """
      SELECT a.id \(start.source) WHERE \(start.condition) ORDER BY \(start.terms ?? order.terms) \
      LIMIT \(tried[1])
      """
    let sample = try SearchSample(
      of: pattern,
      among: """
        SELECT a.id FROM (\(rows)) AS first CROSS JOIN assets AS a ON a.id = first.id\(start.remaining.tables.joins) \
        WHERE \(conditions.sql)
        """, start.arguments + conditions.arguments, in: database)
    guard let ids = try sample.page(of: page) else { return nil }
    if ids.count >= page { return ids }
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (\(rows))",
      arguments: StatementArguments(start.arguments))
    return count ?? 0 < tried[1] ? ids : nil
  }
}
