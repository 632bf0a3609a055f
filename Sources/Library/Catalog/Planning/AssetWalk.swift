import GRDB
import Query

/// Where a query begins to read, and how it comes across the assets.
struct AssetWalk {
  /// `FROM …`, with the assets as `a`.
  let source: String
  /// What narrows the walk, as SQL, beside what a query asks of every asset.
  let condition: String
  /// The values of both.
  let arguments: [any DatabaseValueConvertible]
  /// Whether it comes across them in the order wanted, so that a listing may stop at its limit.
  let isInOrder: Bool
  /// What it is in order by, and the index it is along, if it is along one of all or of a kind.
  private let key: AssetOrder.Key?
  private let index: String?

  /// A walk that is not in order.
  init(
    _ source: String, where condition: String = "1", _ arguments: [any DatabaseValueConvertible]
  ) {
    (self.source, self.condition, self.arguments) = (source, condition, arguments)
    (isInOrder, key, index) = (false, nil, nil)
  }

  /// The walk in the order wanted, along the index that leads to the fewest rows in that order; without an
  /// order, along the index of a required kind, or else past all assets.
  init(inOrder order: AssetOrder?, of required: [Condition]) {
    index = Self.index(order, required)
    key = order?.key
    source = "FROM assets AS a " + (index.map { "INDEXED BY \($0)" } ?? "NOT INDEXED")
    (condition, arguments) = ("1", [])
    isInOrder = !required.contains(.missing) || order?.key == .captureDate
  }

  /// Whether the assets that fulfil a condition are all of the walk, or a range of its index.
  func isRange(_ condition: Condition) -> Bool {
    switch condition {
    case .type(let word): index == word.sql.index
    case .comparison(.captureDate, _), .comparison(.year, _): key == .captureDate
    case .comparison(.size, _): key == .size
    case .comparison(.duration, _): key == .duration
    default: false
    }
  }

  /// Whether its index tells the kinds of its assets.
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
    guard !remaining.contains(where: \.needsSearch) else { return nil }
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

// The way of a query that requires words. The first texts of the listing tell how frequent these are: then
// either those texts are all that is needed, or a page of the listing is soon found in its order, or it is
// better to begin with what the index of words has.

extension WalkChoice {
  /// Chooses the way for conditions some of which ask for words.
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
      // None among the first texts may be chance, if they are few and lie anywhere.
      if sample == .none, bounds.mayHideFromSample(count),
        let page = try others.page(of: pattern, amongFirst: bounds.hidden, order, in: database)
      {
        (walk, remaining) = (AssetCandidates.these(page).walk, [])
      }
    } else if others.isNarrow {
      (walk, remaining, isNarrow) = (others.walk, others.remaining + words, true)
    }
  }

  /// What is found of words among the first texts of a listing.
  private enum WordSample: Equatable {
    /// All there is of them, or a page.
    case these([Int64])
    /// One in so many.
    case one(in: Int)
    case none
    /// Nobody looked: no page is asked for that the first texts could make.
    case unknown
  }

  /// Looks among the first that fulfil these conditions for words, too.
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
      // Where they are frequent, a few more texts have a page of them; a third more than that, by chance.
      let needed = page * sample.count / found.count * 4 / 3
      if needed <= SearchSample.most { found = try sample.found(first: needed) }
    }
    if found.count >= page || sample.isWhole && isAll { return .these(found) }
    return found.isEmpty ? .none : .one(in: sample.count / found.count)
  }

  /// The first rows that fulfil these conditions, in the order of the listing, as a statement that tells
  /// more of them than are ever looked at; and whether there are no others.
  private func firstRows(
    _ bounds: WalkBounds, _ order: AssetOrder, in database: Database
  ) throws -> (sql: String, arguments: [any DatabaseValueConvertible], isAll: Bool) {
    // Without a limit SQLite would take the order of a subquery for idle.
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
  /// The rows to list if the first texts told them, or if a page of them is near.
  private func found(
    _ sample: WordSample, _ pattern: String, _ order: AssetOrder?, in database: Database
  ) throws -> [Int64]? {
    switch sample {
    case .these(let rows): rows
    case .one(let count):
      // Four times what is to be expected: so much is asked in a few milliseconds.
      try page(
        of: pattern, amongFirst: 4 * count * (order?.page ?? 0), order, in: database)
    case .none, .unknown: nil
    }
  }

  /// A page of what words find and the other conditions leave, if it is among the first so many of a walk
  /// in order, whose index alone is read.
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
