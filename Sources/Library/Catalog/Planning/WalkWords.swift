import GRDB
import Query

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
    let look = try others.look(for: pattern, bounds, order, in: database)
    if let found = try others.found(look, pattern, order, in: database) {
      (walk, remaining, isNarrow) = (AssetCandidates.these(found).walk, [], true)
      return
    }
    let candidates = AssetCandidates.found(by: pattern)
    let most = look == .none ? bounds.words : bounds.words / 4
    if let count = try candidates.count(atMost: most, in: database) {
      (walk, remaining, isNarrow) = (candidates.walk, rest, true)
      // None among the first texts may be chance, if they are few and lie anywhere.
      if look == .none, bounds.mayHideFromSample(count),
        let page = try others.page(of: pattern, amongFirst: bounds.hidden, order, in: database)
      {
        (walk, remaining) = (AssetCandidates.these(page).walk, [])
      }
    } else if others.isNarrow {
      (walk, remaining, isNarrow) = (others.walk, others.remaining + words, true)
    }
  }

  /// What is found of words among the first texts of a listing.
  private enum WordLook: Equatable {
    /// All there is of them, or a page.
    case these([Int64])
    /// One in so many.
    case one(in: Int)
    case none
    /// Nobody looked: no page is asked for that the first texts could make.
    case unknown
  }

  /// Looks among the first that fulfil these conditions for words, too.
  private func look(
    for pattern: String, _ bounds: WalkBounds, _ order: AssetOrder?, in database: Database
  ) throws -> WordLook {
    guard let order, let page = order.page, (1...SearchSample.most).contains(page),
      !remaining.contains(where: \.asksWords)
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
    _ look: WordLook, _ pattern: String, _ order: AssetOrder?, in database: Database
  ) throws -> [Int64]? {
    switch look {
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
