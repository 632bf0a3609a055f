import GRDB
import Query

/// The way a query goes, chosen by looking: along its order if a page of it is among the first, else
/// through the fewest candidates that an index has, if they are few.
///
/// What is looked at beforehand is bounded, so that choosing takes a few milliseconds at most.
struct WalkChoice {
  var walk: AssetWalk
  /// What the walk leaves to be asked of each asset.
  var remaining: [Condition]
  /// Whether the walk goes through a small set of candidates; else it stays in the listing's order, because
  /// a page turned up early or no index narrows the query.
  var isNarrow = false

  init(_ required: [Condition], _ order: AssetOrder?, in database: Database) throws {
    (walk, remaining) = (AssetWalk(inOrder: order, of: required), required)
    // The other indexes know only what is there.
    guard !required.contains(.missing) else { return }
    let bounds = try WalkBounds(in: database)
    if required.contains(where: { $0.wordPattern != nil }) {
      try chooseWords(bounds, order, in: database)
    } else {
      try chooseCandidates(bounds, order, in: database)
    }
  }

  private mutating func chooseCandidates(
    _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws {
    // Kinds that the walk's own index tells are passed over at little cost.
    let isQuick = walk.hasKinds && remaining.allSatisfy { $0.isKind || walk.isRange($0) }
    let first = bounds.first(of: order)
    if try !isQuick && isNear(first, order, in: database) { return }
    let sources = try CandidateSources(
      remaining, most: isQuick ? bounds.few : bounds.many, in: database)
    guard let fewest = try sources.fewest(remaining, by: order) else { return }
    // Many candidates pay only if the walk in order would go far before it fills a page.
    let isMany = fewest.count > bounds.few.rows && !fewest.readsNoRow
    if try isMany && isSoon(first * 4, order, in: database) { return }
    take(fewest.candidates, for: fewest.places)
  }

  private mutating func take(_ candidates: AssetCandidates, for places: Set<Int>) {
    walk = candidates.walk
    isNarrow = true
    guard candidates.isExact else { return }
    remaining = remaining.indices.filter { !places.contains($0) }.map { remaining[$0] }
  }
}

extension WalkChoice {
  /// Whether the walk in order comes to its end among the first so many, or fills a page with them; a fifth
  /// of them tells whether to look at the rest.
  private func isNear(
    _ first: Int, _ order: AssetOrder?, in database: Database
  ) throws -> Bool {
    if order != nil, remaining.allSatisfy(walk.isRange) { return true }
    let glance = max(first / 5, order?.page ?? 0)
    if try isShort(glance, in: database) { return true }
    guard let order, let page = order.page,
      let found = try count(amongFirst: glance, order, in: database)
    else { return false }
    return try found == page || found * 4 >= page && isSoon(first, order, in: database)
  }

  /// Whether the walk in order fills a page with the first so many, or has no more.
  private func isSoon(
    _ first: Int, _ order: AssetOrder?, in database: Database
  ) throws -> Bool {
    let first = max(first, order?.page ?? 0)
    if try isShort(first, in: database) { return true }
    guard let order, let page = order.page else { return false }
    return try count(amongFirst: first, order, in: database) == page
  }

  /// How many fulfil all among the first of the walk in order, a page at most; nil if words are asked for.
  private func count(
    amongFirst first: Int, _ order: AssetOrder, in database: Database
  ) throws -> Int? {
    guard !remaining.contains(where: \.asksWords) else { return nil }
    let (sql, arguments) = try self.first(first, order, in: database)
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(sql) LIMIT ?)",
      arguments: StatementArguments(arguments + [order.page ?? -1]))
  }

  /// Whether the walk has no more than so many assets.
  func isShort(_ most: Int, in database: Database) throws -> Bool {
    let range = try AssetConditions(remaining.filter(walk.isRange), in: database)
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(walk.source) WHERE \(range.sql) LIMIT ?)",
      arguments: StatementArguments(range.arguments + [most + 1]))
    return (count ?? 0) <= most
  }

  /// `FROM … WHERE` of those that fulfil all among the first of the walk in order.
  func first(
    _ count: Int, _ order: AssetOrder, in database: Database
  ) throws -> (sql: String, arguments: [any DatabaseValueConvertible]) {
    let range = try AssetConditions(remaining.filter(walk.isRange), in: database)
    let conditions = try AssetConditions(remaining, in: database)
    return (
      """
      FROM (SELECT a.id \(walk.source) WHERE \(range.sql) ORDER BY \(order.terms) LIMIT ?) AS first \
      CROSS JOIN assets AS a ON a.id = first.id\(remaining.tables.joins) WHERE \(conditions.sql)
      """, range.arguments + [count] + conditions.arguments
    )
  }
}

/// How many are few, in a library of this size.
struct WalkBounds {
  /// Candidates: rows to be looked up, which takes some 10 ms for the most, or entries of an index that has
  /// the order too, 13 ms.
  let few: (rows: Int, entries: Int)
  /// The most that are better looked up than a whole library walked.
  let many: (rows: Int, entries: Int)
  /// What words find lies together: so many are looked up in some 20 ms.
  let words: Int
  /// So many entries of a walk in order are asked for words that the first texts do not have.
  let hidden = 30_000
  private let last: Int

  init(in database: Database) throws {
    last = try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
    few = (min(10_000, last / 100), min(100_000, last / 4))
    many = (min(60_000, last / 16), few.entries)
    words = min(60_000, last / 4)
  }

  /// Whether so many that lie anywhere may be missed by the first texts, and are not looked up at once.
  func mayHideFromSample(_ count: Int) -> Bool {
    count > 2000 && count * SearchSample.least < last
  }

  /// So many of a walk in order are looked at beforehand, in some 4 ms. Assets that were taken or added
  /// one after the other lie together; in another order each is in another place.
  func first(of order: AssetOrder?) -> Int {
    switch order?.key {
    case .captureDate, .addedDate, nil: min(10_000, last / 100)
    case .name, .size, .duration: min(4000, last / 200)
    }
  }
}
