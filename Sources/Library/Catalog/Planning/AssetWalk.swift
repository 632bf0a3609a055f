import GRDB
import Query

/// Where a query begins to read, and in which order it reads the assets.
struct AssetWalk {
  /// `FROM …`, with the assets as `a`.
  let source: String
  /// An SQL condition that narrows the walk, in addition to the query's own conditions.
  let condition: String
  /// The values of both.
  let arguments: [any DatabaseValueConvertible]
  /// Whether it reads them in the requested order, so that a listing can stop at its limit.
  let isInOrder: Bool
  /// The sort key and the index of a walk along an index of all assets or of one kind.
  private let key: AssetOrder.Key?
  private let index: String?

  /// A walk that is not in order.
  init(
    _ source: String, where condition: String = "1", _ arguments: [any DatabaseValueConvertible]
  ) {
    (self.source, self.condition, self.arguments) = (source, condition, arguments)
    (isInOrder, key, index) = (false, nil, nil)
  }

  /// A walk in the requested order, along the index with the fewest rows in that order. Without an order, a
  /// walk along the index of a required kind, or over all assets.
  init(inOrder order: AssetOrder?, of required: [Condition]) {
    index = Self.index(order, required)
    key = order?.key
    source = "FROM assets AS a " + (index.map { "INDEXED BY \($0)" } ?? "NOT INDEXED")
    (condition, arguments) = ("1", [])
    isInOrder = !required.contains(.missing) || order?.key == .captureDate
  }

  /// Whether the assets that meet a condition are the whole walk, or one range of its index.
  func isRange(_ condition: Condition) -> Bool {
    switch condition {
    case .type(let word): index == word.sql.index
    case .comparison(.captureDate, _), .comparison(.year, _): key == .captureDate
    case .comparison(.size, _): key == .size
    case .comparison(.duration, _): key == .duration
    default: false
    }
  }

  /// Whether its index contains the kinds of its assets.
  var hasKinds: Bool { key == .size || key == .duration }

  private static func index(_ order: AssetOrder?, _ required: [Condition]) -> String? {
    if required.contains(.missing) { return "assets_missing" }
    guard order == nil || order?.key == .captureDate else { return order?.key.index }
    let types = required.compactMap { condition in
      if case .type(let word) = condition { word } else { nil }
    }
    return (types.first(where: \.isSelective) ?? (order == nil ? nil : types.first))?.sql.index
      ?? order?.key.index
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

/// The path of a query, chosen by probing. It follows the requested order if the first rows fill a page.
/// Otherwise it goes through the smallest set of candidates that an index offers, if that is small.
///
/// The probes are bounded: choosing takes a few milliseconds at most.
struct WalkChoice {
  var walk: AssetWalk
  /// The conditions that the walk does not answer.
  var remaining: [Condition]
  /// Whether the walk goes through a small set of candidates. Otherwise it follows the listing's order,
  /// because the first rows fill a page or no index narrows the query.
  var isNarrow = false

  init(_ required: [Condition], _ order: AssetOrder?, in database: Database) throws {
    (walk, remaining) = (AssetWalk(inOrder: order, of: required), required)
    // The other indexes contain present assets only.
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
    // Skipping other kinds is cheap if the walk's own index contains the kinds.
    let isQuick = walk.hasKinds && remaining.allSatisfy { $0.isKind || walk.isRange($0) }
    let first = bounds.first(of: order)
    if try !isQuick && isNear(first, order, in: database) { return }
    let sources = try CandidateSources(
      remaining, most: isQuick ? bounds.few : bounds.many, in: database)
    guard let fewest = try sources.fewest(remaining, by: order) else { return }
    // Many candidates are worth their cost only if the ordered walk would read far before it fills a page.
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
  /// Whether an ordered walk ends, or fills a page, within `first` rows. A sample of `first / 5` rows decides
  /// whether to probe the rest.
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

  /// Whether an ordered walk ends, or fills a page, within `first` rows.
  private func isSoon(
    _ first: Int, _ order: AssetOrder?, in database: Database
  ) throws -> Bool {
    let first = max(first, order?.page ?? 0)
    if try isShort(first, in: database) { return true }
    guard let order, let page = order.page else { return false }
    return try count(amongFirst: first, order, in: database) == page
  }

  /// The number of matches within the first rows of an ordered walk, at most a page; nil if a condition
  /// searches for words.
  private func count(
    amongFirst first: Int, _ order: AssetOrder, in database: Database
  ) throws -> Int? {
    guard !remaining.contains(where: \.needsSearch) else { return nil }
    let (sql, arguments) = try self.first(first, order, in: database)
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(sql) LIMIT ?)",
      arguments: StatementArguments(arguments + [order.page ?? -1]))
  }

  /// Whether the walk has at most `most` assets.
  func isShort(_ most: Int, in database: Database) throws -> Bool {
    let range = try AssetConditions(remaining.filter(walk.isRange), in: database)
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(walk.source) WHERE \(range.sql) LIMIT ?)",
      arguments: StatementArguments(range.arguments + [most + 1]))
    return (count ?? 0) <= most
  }

  /// `FROM … WHERE` of the matches within the first `count` rows of the ordered walk.
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

/// Limits for the probes, depending on the size of the library.
struct WalkBounds {
  /// A small set of candidates: rows to look up (at most about 10 ms), or entries of an index that also
  /// contains the sort key (13 ms).
  let few: (rows: Int, entries: Int)
  /// The largest set for which lookups are faster than a walk over the whole library.
  let many: (rows: Int, entries: Int)
  /// The largest number of search hits to look up. Hits are close together: this takes about 20 ms.
  let words: Int
  /// Entries of an ordered walk to check for words that the sampled texts do not contain.
  let hidden = 30_000
  private let last: Int

  init(in database: Database) throws {
    last = try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
    few = (min(10_000, last / 100), min(100_000, last / 4))
    many = (min(60_000, last / 16), few.entries)
    words = min(60_000, last / 4)
  }

  /// Whether the sampled texts may miss `count` scattered assets, and looking them up takes long.
  func mayHideFromSample(_ count: Int) -> Bool {
    count > 2000 && count * SearchSample.least < last
  }

  /// Rows of an ordered walk to probe, in about 4 ms. Assets that were taken or added in succession are close
  /// together; in another order they are scattered.
  func first(of order: AssetOrder?) -> Int {
    switch order?.key {
    case .captureDate, .addedDate, nil: min(10_000, last / 100)
    case .name, .size, .duration: min(4000, last / 200)
    }
  }
}

// The path of a query that requires words. A sample of the listing's first texts shows how frequent the words
// are. Then either the sample is enough, or an ordered walk fills a page soon, or the query begins with the
// hits of the search index.

extension WalkChoice {
  /// Chooses the path for conditions of which some search for words.
  mutating func chooseWords(
    _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws {
    try SearchText.require(in: database)
    let words = remaining.filter { $0.wordPattern != nil }
    let pattern = words.compactMap(\.wordPattern).map { "(\($0))" }.joined(separator: " AND ")
    let rest = remaining.filter { $0.wordPattern == nil }
    let others = try WalkChoice(rest, order, in: database)
    let sample = try others.sampleWords(for: pattern, bounds, order, in: database)
    if let found = try others.found(sample, pattern, order, in: database) {
      (walk, remaining, isNarrow) = (AssetCandidates.these(found).walk, [], true)
      return
    }
    let candidates = AssetCandidates.found(by: pattern)
    let most = sample == .none ? bounds.words : bounds.words / 4
    if let count = try candidates.count(atMost: most, in: database) {
      (walk, remaining, isNarrow) = (candidates.walk, rest, true)
      // Few, scattered hits may be missing from the sample by chance.
      if sample == .none, bounds.mayHideFromSample(count),
        let page = try others.page(of: pattern, amongFirst: bounds.hidden, order, in: database)
      {
        (walk, remaining) = (AssetCandidates.these(page).walk, [])
      }
    } else if others.isNarrow {
      (walk, remaining, isNarrow) = (others.walk, others.remaining + words, true)
    }
  }

  /// How often words occur in the first texts of a listing.
  private enum WordSample: Equatable {
    /// All hits, or a page of them.
    case these([Int64])
    /// One hit in `in` texts.
    case one(in: Int)
    case none
    /// No sample was taken, because it cannot fill the requested page.
    case unknown
  }

  /// Searches the first texts that meet these conditions for words.
  private func sampleWords(
    for pattern: String, _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws -> WordSample {
    guard let order, let page = order.page, (1...SearchSample.most).contains(page),
      !remaining.contains(where: \.needsSearch)
    else { return .unknown }
    let (rows, arguments, isAll) = try firstRows(bounds, order, in: database)
    let sample = try SearchSample(of: pattern, among: rows, arguments, in: database)
    var found = try sample.found(first: SearchSample.least)
    if !sample.isWhole, !found.isEmpty {
      // If they are frequent, a few more texts fill a page; a third is added for chance.
      let needed = page * sample.count / found.count * 4 / 3
      if needed <= SearchSample.most { found = try sample.found(first: needed) }
    }
    if found.count >= page || sample.isWhole && isAll { return .these(found) }
    return found.isEmpty ? .none : .one(in: sample.count / found.count)
  }

  /// A statement for the first rows that meet these conditions, in the order of the listing: more rows than
  /// are ever read. `isAll` indicates that the statement returns all such rows.
  private func firstRows(
    _ bounds: WalkBounds, _ order: AssetOrder, in database: Database
  ) throws -> (sql: String, arguments: [any DatabaseValueConvertible], isAll: Bool) {
    // Without a limit SQLite would ignore the order of a subquery.
    let page = "ORDER BY \(order.terms) LIMIT \(SearchSample.most + 1)"
    if isNarrow || remaining.allSatisfy(walk.isRange) {
      let conditions = try AssetConditions(remaining, in: database)
      let source = "\(walk.source)\(remaining.tables.joins)"
      return (
        "SELECT a.id \(source) WHERE \(walk.condition) AND \(conditions.sql) \(page)",
        walk.arguments + conditions.arguments, true
      )
    }
    let first = max(bounds.first(of: order) / 5, SearchSample.most)
    let (source, arguments) = try self.first(first, order, in: database)
    return ("SELECT a.id \(source) \(page)", arguments, try isShort(first, in: database))
  }
}

extension WalkChoice {
  /// The rows to list, if the sample contains them, or if a page of them is near the beginning.
  private func found(
    _ sample: WordSample, _ pattern: String, _ order: AssetOrder?, in database: Database
  ) throws -> [Int64]? {
    switch sample {
    case .these(let rows): rows
    case .one(let count):
      // Four times the expected distance, which takes a few milliseconds.
      try page(
        of: pattern, amongFirst: 4 * count * (order?.page ?? 0), order, in: database)
    case .none, .unknown: nil
    }
  }

  /// A page of search hits that meet the other conditions, if it is within the first `count` rows of an
  /// ordered walk. Only the walk's index is read.
  private func page(
    of pattern: String, amongFirst count: Int, _ order: AssetOrder?, in database: Database
  ) throws -> [Int64]? {
    guard let order, let page = order.page, !isNarrow else { return nil }
    let range = try AssetConditions(remaining.filter(walk.isRange), in: database)
    let conditions = try AssetConditions(remaining, in: database)
    let rows = try Int64.fetchAll(
      database,
      sql: """
        SELECT a.id FROM (SELECT id FROM (SELECT a.id \(walk.source) WHERE \(range.sql) \
        ORDER BY \(order.terms) LIMIT ?) WHERE id IN (\(SearchText.sql))) AS found \
        CROSS JOIN assets AS a ON a.id = found.id\(remaining.tables.joins) \
        WHERE \(conditions.sql) ORDER BY \(order.terms) LIMIT ?
        """,
      arguments: StatementArguments(
        range.arguments + [count, pattern] + conditions.arguments + [page]))
    return rows.count == page ? rows : nil
  }
}
