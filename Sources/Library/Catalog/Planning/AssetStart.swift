import GRDB
import Query

/// Where a statement begins to read assets: along an index in the order of the listing, or at the few assets that
/// an index finds for one of the conditions.
///
/// SQLite cannot know that a page of a hundred rows is near the beginning of an order, or that a condition holds for
/// nothing. So the beginning of the order is tried first: if the first rows fill the page, they are the answer.
/// Otherwise the entries that indexes have for each condition are counted, up to a limit, and the listing starts with
/// the fewest. benchmarks/run has a listing for every kind of choice.
struct AssetStart {
  /// `FROM …`, with the assets as `a`, and the condition that belongs to it.
  private(set) var source: String
  private(set) var condition: String
  private(set) var arguments: [any DatabaseValueConvertible]
  /// Whether it reads the assets in the requested order, so that a listing can stop at its limit.
  private(set) var isInOrder: Bool
  /// The terms of `ORDER BY` in the words of the tables it reads, if these are not the assets.
  private(set) var terms: String?
  /// The conditions that it does not answer.
  private(set) var remaining: [Condition]

  /// The rows of the beginning of an order that are tried, one number after the other.
  private static let tried = [1000, 4000, 16_000]
  /// The most candidates for a page whose rows are read; so many take about 30 ms.
  private static let mostRows = 60_000
  /// The same for entries of an index that has all that is asked for: about 20 ms.
  private static let mostEntries = 250_000

  init(_ required: [Condition], _ order: AssetOrder?, in database: Database) throws {
    let whole = try Self(inOrder: order, required, in: database)
    let words = required.compactMap(\.wordPattern)
    // The other indexes contain listed assets only.
    guard !whole.isExact(order), !required.contains(.missing), let order, let page = order.page
    else {
      let most = try Self.lastID(in: database) / 8
      let isWhole = whole.isExact(order) || required.contains(.missing)
      self =
        try isWhole
        ? whole
        : whole.fewest(required, order, rows: most, entries: most, in: database)?.start ?? whole
      return
    }
    if !words.isEmpty {
      let others = required.filter { $0.wordPattern == nil }
      let pattern = words.map { "(\($0))" }.joined(separator: " AND ")
      if let ids = try Self.sampled(pattern, others, page, order, in: database) {
        self = AssetStart(ids: ids)
        return
      }
    }
    if let ids = try Self.merged(required, page, order, in: database) {
      self = AssetStart(ids: ids)
      return
    }
    // An index that has all that is asked for is read quickly, from its beginning or for a few entries.
    var tries = !words.isEmpty || whole.isCovering(order) ? [] : Self.tried
    while let rows = tries.first, rows < Self.tried[2] {
      let found = try whole.page(within: rows, page, order, in: database)
      if found.isWhole {
        self = AssetStart(ids: found.ids)
        return
      }
      // At this rate the page is further away than some of the next numbers.
      let needed = found.ids.isEmpty ? Int.max : rows * page / found.ids.count
      tries.removeAll { $0 <= rows || $0 < needed / 2 }
    }
    let fewest = try whole.fewest(
      required, order, rows: whole.isCovering(order) ? Self.tried[2] : Self.mostRows,
      entries: Self.mostEntries, in: database)
    if let fewest, fewest.isCovering || fewest.count <= Self.tried[2] {
      self = fewest.start
      return
    }
    if let last = tries.first {
      let found = try whole.page(within: last, page, order, in: database)
      if found.isWhole {
        self = AssetStart(ids: found.ids)
        return
      }
    }
    self = fewest?.start ?? whole
  }

  private static func lastID(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
  }

  private init(
    source: String, condition: String, arguments: [any DatabaseValueConvertible] = [],
    isInOrder: Bool = false, terms: String? = nil, remaining: [Condition] = []
  ) {
    (self.source, self.condition, self.arguments) = (source, condition, arguments)
    (self.isInOrder, self.terms, self.remaining) = (isInOrder, terms, remaining)
  }

  /// The assets with these ids, which are all that is listed, or a page of it.
  private init(ids: [Int64]) {
    self.init(
      source: """
        FROM (SELECT value AS id FROM json_each(?)) AS found \
        CROSS JOIN assets AS a ON a.id = found.id
        """, condition: "true", arguments: [RowSet(ids).argument])
  }

  /// A lookup of the assets for the condition at `place` of `required`.
  private init(_ lookup: IndexLookup, at place: Int, of required: [Condition]) {
    var remaining = required
    if lookup.isExact { remaining.remove(at: place) }
    self.init(
      source: lookup.source, condition: lookup.condition, arguments: lookup.arguments,
      remaining: remaining)
  }
}

// The order of the listing.

extension AssetStart {
  /// The assets in the order of the listing, along the index with the fewest that has this order. Without an order,
  /// all of them.
  private init(
    inOrder order: AssetOrder?, _ required: [Condition], in database: Database
  ) throws {
    let isByCapture = order?.key ?? .captureDate == .captureDate || required.contains(.missing)
    if isByCapture, let facet = try Facet.smallest(of: required, in: database) {
      self.init(facet, order, required)
      try narrowToKinds(in: database)
    } else if let order {
      // The index of durations has the assets with a duration only. Others are last, in either direction.
      let isWhole = order.key != .duration || required.contains(where: \.needsDuration)
      let index = try isWhole ? IndexHint(order.key.index, in: database).sql : " NOT INDEXED"
      self.init(
        source: "FROM assets AS a\(index)",
        condition: "a.is_listed"
          + (order.key == .duration && isWhole ? " AND a.duration IS NOT NULL" : ""),
        isInOrder: isWhole, remaining: required)
    } else {
      self.init(
        source: "FROM assets AS a NOT INDEXED", condition: "a.is_listed", isInOrder: true,
        remaining: required)
    }
  }

  /// The assets of a facet, by time of capture.
  private init(_ facet: Facet, _ order: AssetOrder?, _ required: [Condition]) {
    let isInOrder =
      (order?.key ?? .captureDate) == .captureDate && order?.isDescending != false
    self.init(
      source: "FROM facets AS k CROSS JOIN assets AS a ON a.id = k.asset_id",
      condition: "k.facet = ?", arguments: [facet.bit], isInOrder: isInOrder,
      terms: isInOrder ? "k.capture_wall DESC, k.asset_id DESC" : nil,
      remaining: required.filter { Facet($0) != facet || !Facet.isWhole($0) })
  }

  /// Evaluates conditions on kinds, and times of capture, by the columns that the facet's own entries have.
  private mutating func narrowToKinds(in database: Database) throws {
    for kind in remaining.filter(\.isKind) {
      let sql = try ConditionSQL(kind, in: database).sql
      condition +=
        " AND "
        + sql.replacing("a.subtypes", with: "k.subtypes")
        .replacing("a.is_video", with: "k.is_video")
    }
    remaining.removeAll(where: \.isKind)
    for time in remaining.filter(\.isCaptureRange) {
      let sql = try ConditionSQL(time, in: database)
      // The smallest integer means that the time is unknown.
      condition +=
        " AND k.capture_wall > \(Int64.min) AND "
        + sql.sql.replacing("a.capture_wall", with: "k.capture_wall")
      arguments += sql.arguments
    }
    remaining.removeAll(where: \.isCaptureRange)
  }

  /// Whether its index has all that is asked for, so that no row is read but those of the page.
  private func isCovering(_ order: AssetOrder) -> Bool {
    let hasKinds = [.captureDate, .size, .duration].contains(order.key) && terms == nil
    return isInOrder && remaining.allSatisfy { $0.isRange(of: order.key) || hasKinds && $0.isKind }
  }

  /// Whether nothing can be faster: its rows are the listing, or one range of it.
  private func isExact(_ order: AssetOrder?) -> Bool {
    guard isInOrder else { return false }
    return remaining.allSatisfy { condition in
      switch condition {
      case .comparison(.captureDate, _), .comparison(.year, _): order?.key == .captureDate
      case .comparison(.size, _): order?.key == .size
      case .comparison(.duration, _), .has(.duration): order?.key == .duration
      case .missing: true
      default: false
      }
    }
  }

  /// The ids of those among the first `rows` of the order that meet all conditions, and whether they are the page: as
  /// many as that, or all there are.
  private func page(
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
  private static func merged(
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
  private static func sampled(
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
    // So many rows are tried, of which the other conditions leave some.
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

  /// The assets that an index finds for one condition.
  private struct Fewest {
    var start: AssetStart
    var count: Int
    /// Whether the index has all that the listing is sorted by and asked for.
    var isCovering: Bool
  }

  /// The lookup with the fewest assets; nil if all have more than the limits.
  ///
  /// - Parameters:
  ///   - rows: the limit if the assets' rows have to be read.
  ///   - entries: the limit if the index is enough.
  private func fewest(
    _ required: [Condition], _ order: AssetOrder?, rows: Int, entries: Int, in database: Database
  ) throws -> Fewest? {
    let kinds = required.filter(\.isKind)
    var best: Fewest?
    for (place, condition) in required.enumerated() {
      guard let wide = try Self.lookup(condition, atMost: rows, in: database) else { continue }
      let lookup = try wide.narrowed(to: kinds, in: database)
      let others = required.indices.filter { $0 != place }.map { required[$0] }
      let isCovering =
        wide.isExact && order?.key == .captureDate && wide.hasCaptureTimes
        && (others.isEmpty || wide.hasKinds && others.allSatisfy(\.isKind))
      let most = min(isCovering ? entries : rows, (best?.count ?? .max) - 1)
      // Few of many entries may be of the kinds; counting the many bounds the time.
      if wide.hasKinds, !kinds.isEmpty, try wide.count(atMost: entries, in: database) == nil {
        continue
      }
      guard most >= 0, let count = try lookup.count(atMost: most, in: database) else { continue }
      best = Fewest(
        start: AssetStart(lookup, at: place, of: required), count: count, isCovering: isCovering)
    }
    return best
  }

  /// The lookup for a condition: of several alternatives, the union of one for each.
  private static func lookup(
    _ condition: Condition, atMost limit: Int, in database: Database
  ) throws -> IndexLookup? {
    if let lookup = try IndexLookup(condition, in: database) { return lookup }
    guard let parts = try alternatives(condition, atMost: limit, in: database) else { return nil }
    return IndexLookup(union: parts.lookups)
  }

  /// A lookup for each alternative of a condition, with the sum of their assets; nil if that is more than `limit`.
  ///
  /// The lookups are not unions themselves, which would nest statements deeper than SQLite parses.
  private static func alternatives(
    _ condition: Condition, atMost limit: Int, in database: Database
  ) throws -> (lookups: [IndexLookup], count: Int)? {
    if let lookup = try IndexLookup(condition, in: database) {
      return try lookup.count(atMost: limit, in: database).map { ([lookup], $0) }
    }
    switch condition {
    case .any(let parts):
      var (lookups, total): ([IndexLookup], Int) = ([], 0)
      for part in parts {
        guard let found = try alternatives(part, atMost: limit - total, in: database) else {
          return nil
        }
        lookups += found.lookups
        total += found.count
        guard lookups.count <= mostUnited else { return nil }
      }
      return (lookups, total)
    case .all(let parts):
      // Facets are counted fastest, and limit the counting of others.
      var best: (lookups: [IndexLookup], count: Int)?
      for part in parts.filter({ Facet($0) != nil }) + parts.filter({ Facet($0) == nil }) {
        let most = min(limit, (best?.count ?? .max) - 1)
        best = try (most < 0 ? nil : alternatives(part, atMost: most, in: database)) ?? best
      }
      return best
    default: return nil
    }
  }

  /// SQLite unites at most 500 statements.
  private static let mostUnited = 100
}

extension Facet {
  /// The facet that lists the assets of a condition, and perhaps others; nil if none does.
  init?(_ condition: Condition) {
    switch condition {
    case .type(let word):
      guard let facet = word.facet else { return nil }
      self = facet
    case .not(.type(.images)): self = .videos
    case .missing: self = .missing
    case .comparison(.rating, _), .has(.rating): self = .rated
    case .comparison(.title, _), .has(.title): self = .titled
    case .comparison(.description, _), .has(.description): self = .captioned
    default: return nil
    }
  }

  /// Facets that together list the assets of a condition, and perhaps others; nil if there are none.
  static func alternatives(_ condition: Condition) -> Set<Facet>? {
    if let facet = Facet(condition) { return [facet] }
    switch condition {
    case .any(let parts):
      let facets = parts.compactMap(alternatives)
      return facets.count == parts.count ? facets.reduce(into: []) { $0.formUnion($1) } : nil
    case .all(let parts): return parts.compactMap(alternatives).min { $0.count < $1.count }
    default: return nil
    }
  }

  /// Whether the assets of a condition are exactly those of its facet.
  static func isWhole(_ condition: Condition) -> Bool {
    switch condition {
    case .type, .not(.type), .missing, .has: true
    default: false
    }
  }

  /// The entries of a facet that are counted.
  private static let mostCounted = 10_000

  /// The facet with the fewest assets among those of conditions; nil if no condition has one.
  static func smallest(of required: [Condition], in database: Database) throws -> Facet? {
    if required.contains(.missing) { return .missing }
    let facets = Set(required.compactMap(Facet.init))
    guard facets.count > 1 else { return facets.first }
    return try facets.map { facet in
      (
        facet,
        count: try Int.fetchOne(
          database.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM facets WHERE facet = ? LIMIT ?)"),
          arguments: [facet.bit, mostCounted]) ?? 0
      )
    }.min { ($0.count, $0.0.bit) < ($1.count, $1.0.bit) }?.0
  }
}

extension AssetOrder.Key {
  /// The index that has all listed assets in this order; for durations, those that have one.
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

extension Condition {
  /// Whether it uses only the media type and the subtypes.
  var isKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isKind)
    case .not(let part): part.isKind
    case .type(let word): word != .duplicates && word != .spareCopies
    default: false
    }
  }

  /// Whether it is a range of capture times.
  fileprivate var isCaptureRange: Bool { isRange(of: .captureDate) }

  /// Whether it is a range of an order.
  fileprivate func isRange(of key: AssetOrder.Key) -> Bool {
    switch self {
    case .comparison(.captureDate, _), .comparison(.year, _): key == .captureDate
    case .comparison(.size, _): key == .size
    case .comparison(.duration, _): key == .duration
    default: false
    }
  }

  /// Whether only assets with a duration meet it.
  fileprivate var needsDuration: Bool {
    switch self {
    case .comparison(.duration, _), .has(.duration): true
    default: false
    }
  }

  /// Whether it contains a search for words.
  fileprivate var hasSearch: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.hasSearch)
    case .not(let part): part.hasSearch
    case .search: true
    default: false
    }
  }
}
