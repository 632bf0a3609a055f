import GRDB

/// The way a query goes, chosen by looking: along its order if a page of it is among the first, else
/// through the fewest candidates that an index has, if they are few.
///
/// What is looked at beforehand is bounded, so that choosing takes a few milliseconds at most.
struct WalkChoice {
  private(set) var walk: AssetWalk
  /// What the walk leaves to be asked of each asset.
  private(set) var remaining: [Condition]
  /// Whether the assets that are found are not many; else a page of them was found soon, or nothing leads
  /// to them.
  private(set) var isNarrow = false

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
    if try !isQuick && isSoon(first, order, in: database) { return }
    let sources = try CandidateSources(
      remaining, most: isQuick ? bounds.few : bounds.many, in: database)
    guard let fewest = try sources.fewest(remaining, by: order) else { return }
    // So many must be far from where the walk begins, to be worth looking up.
    let isMany = fewest.count > bounds.few.rows && !fewest.candidates.isSorted(by: order)
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
  /// Whether the walk in order comes to its end among the first so many, or fills a page with them.
  private func isSoon(
    _ first: Int, _ order: AssetOrder?, in database: Database
  ) throws -> Bool {
    if order != nil, remaining.allSatisfy(walk.isRange) { return true }
    let first = max(first, order?.page ?? 0)
    if try isShort(first, in: database) { return true }
    guard let order, let page = order.page, !remaining.contains(where: \.asksWords)
    else { return false }
    let (sql, arguments) = try self.first(first, order, in: database)
    let found = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(sql) LIMIT ?)",
      arguments: StatementArguments(arguments + [page]))
    return found == page
  }

  /// Whether the walk has no more than so many assets.
  private func isShort(_ most: Int, in database: Database) throws -> Bool {
    let range = try AssetConditions(remaining.filter(walk.isRange), in: database)
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 \(walk.source) WHERE \(range.sql) LIMIT ?)",
      arguments: StatementArguments(range.arguments + [most + 1]))
    return (count ?? 0) <= most
  }

  /// `FROM … WHERE` of those that fulfil all among the first of the walk in order.
  private func first(
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

extension WalkChoice {
  /// Required words: what they find among the first of the other assets, if that makes a page; else all they
  /// find, if that is not much; else what the others lead to, of which the words are asked.
  private mutating func chooseWords(
    _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws {
    try SearchText.require(in: database)
    let words = remaining.filter { $0.wordPattern != nil }
    let pattern = words.compactMap(\.wordPattern).map { "(\($0))" }.joined(separator: " AND ")
    let rest = remaining.filter { $0.wordPattern == nil }
    let others = try WalkChoice(rest, order, in: database)
    let sample = try others.sample(pattern, bounds, order, in: database)
    if let sample, sample.isWhole || sample.found.count >= order?.page ?? .max {
      (walk, remaining, isNarrow) = (AssetCandidates.these(sample.found).walk, [], true)
      return
    }
    // What is not among the first may be behind all others.
    let limit = sample?.found.isEmpty == true ? bounds.words : bounds.words / 4
    let candidates = AssetCandidates.found(by: pattern)
    if try candidates.count(atMost: limit, in: database) != nil {
      (walk, remaining, isNarrow) = (candidates.walk, rest, true)
    } else if others.isNarrow {
      (walk, remaining, isNarrow) = (others.walk, others.remaining + words, true)
    }
  }

  /// What a pattern finds among the first of a listing, and whether the listing has no more; nil if no page
  /// is asked for that they could make.
  private func sample(
    _ pattern: String, _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws -> (found: [Int64], isWhole: Bool)? {
    guard let order, let page = order.page, (1...SearchSample.size).contains(page),
      !remaining.contains(where: \.asksWords)
    else { return nil }
    let source: (sql: String, arguments: [any DatabaseValueConvertible])
    let isAll: Bool
    if isNarrow {
      let conditions = try AssetConditions(remaining, in: database)
      let joins = remaining.tables.joins
      source = (
        "\(walk.source)\(joins) WHERE \(walk.condition) AND \(conditions.sql)",
        walk.arguments + conditions.arguments
      )
      isAll = true
    } else {
      let isPlain = remaining.allSatisfy(walk.isRange)
      let first =
        isPlain ? SearchSample.size + 1 : max(bounds.first(of: order), SearchSample.size + 1)
      source = try self.first(first, order, in: database)
      isAll = try isShort(first, in: database)
    }
    let sample = try SearchSample(
      of: pattern, among: "SELECT a.id \(source.sql) ORDER BY \(order.terms)", source.arguments,
      in: database)
    return (sample.found, isAll && sample.isWhole)
  }
}

/// How many are few, in a library of this size.
struct WalkBounds {
  /// Candidates: rows to be looked up, which takes some 10 ms for the most, or entries of an index that has
  /// the order too, 13 ms.
  let few: (rows: Int, entries: Int)
  /// The most that are better looked up than a whole library walked.
  let many: (rows: Int, entries: Int)
  /// What words find lies together: so many are looked up in some 25 ms.
  let words: Int
  private let last: Int

  init(in database: Database) throws {
    last = try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
    few = (min(10_000, last / 100), min(100_000, last / 4))
    many = (min(60_000, last / 16), few.entries)
    words = min(60_000, last / 4)
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
