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
  /// The most candidates for a page; reading as many takes about 30 ms.
  private static let mostCandidates = 60_000

  init(_ required: [Condition], _ order: AssetOrder?, in database: Database) throws {
    let start = try Self(inOrder: order, required, in: database)
    // The other indexes contain listed assets only.
    guard !start.isExact(order), !required.contains(.missing) else {
      self = start
      return
    }
    let words = required.compactMap(\.search)
    let others =
      words.isEmpty
      ? start : try Self(inOrder: order, required.filter { $0.search == nil }, in: database)
    if let order, let page = order.page {
      if !words.isEmpty, let ids = try others.sampled(words, page, order, in: database) {
        self = AssetStart(ids: ids)
        return
      }
      for rows in words.isEmpty ? Self.tried.prefix(2) : [] {
        if let ids = try start.page(within: rows, page, order, in: database) {
          self = AssetStart(ids: ids)
          return
        }
      }
    }
    let most = order?.page == nil ? try Self.lastID(in: database) / 8 : Self.mostCandidates
    let fewest = try start.fewest(required, most, in: database)
    if let fewest, fewest.count <= Self.tried[2] {
      self = fewest.start
    } else if words.isEmpty, let order, let page = order.page,
      let ids = try start.page(within: Self.tried[2], page, order, in: database)
    {
      self = AssetStart(ids: ids)
    } else {
      self = fewest?.start ?? start
    }
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

  /// The ids of the page, if it is among the first `rows` of the order, or these are all; nil otherwise.
  private func page(
    within rows: Int, _ page: Int, _ order: AssetOrder, in database: Database
  ) throws -> [Int64]? {
    let rows = max(rows, page)
    guard isInOrder || order.key == .duration else { return nil }
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
    if found.count == page { return found }
    guard isInOrder else { return nil }
    let count = try Int.fetchOne(
      database,
      sql: "SELECT count(*) FROM (SELECT 1 \(source) WHERE \(condition) AND \(ranges.sql) LIMIT ?)",
      arguments: StatementArguments(arguments + ranges.arguments + [rows + 1]))
    return count ?? 0 <= rows ? found : nil
  }

  /// The assets with a duration, which precede all others.
  private static func durations(in database: Database) throws -> AssetStart {
    let index = try IndexHint(AssetOrder.Key.duration.index, in: database)
    return AssetStart(
      source: "FROM assets AS a\(index.sql)", condition: "a.is_listed AND a.duration IS NOT NULL")
  }

  /// The ids of the first page of assets with words, if these are frequent.
  private func sampled(
    _ words: [SearchText], _ page: Int, _ order: AssetOrder, in database: Database
  ) throws -> [Int64]? {
    guard isInOrder, (1...SearchSample.most).contains(page) else { return nil }
    let conditions = try AssetConditions(remaining, isListed: true, in: database)
    guard remaining.isEmpty || !remaining.contains(where: { $0.hasSearch }) else { return nil }
    // So many rows are tried, of which the other conditions leave some.
    let rows = """
      SELECT a.id FROM (SELECT a.id \(source) WHERE \(condition) ORDER BY \(terms ?? order.terms) \
      LIMIT \(Self.tried[1])) AS first CROSS JOIN assets AS a ON a.id = first.id\(remaining.tables.joins) \
      WHERE \(conditions.sql)
      """
    let sample = try SearchSample(
      of: words, among: rows, arguments + conditions.arguments, in: database)
    guard let ids = try sample.page(of: page) else { return nil }
    let isAll = try Self.lastID(in: database) <= Self.tried[1]
    return ids.count >= page || isAll ? ids : nil
  }

  /// The lookup with the fewest assets; nil if all have more than `most`.
  private func fewest(
    _ required: [Condition], _ most: Int, in database: Database
  ) throws -> (start: AssetStart, count: Int)? {
    var best: (start: AssetStart, count: Int)?
    for (place, condition) in required.enumerated() {
      let limit = min(most, (best?.count ?? .max) - 1)
      guard limit >= 0, let lookup = try IndexLookup(condition, in: database),
        let count = try lookup.count(atMost: limit, in: database)
      else { continue }
      best = (AssetStart(lookup, at: place, of: required), count)
    }
    return best
  }
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

  /// The search, if that is the whole condition.
  fileprivate var search: SearchText? {
    if case .search(let text) = self { text } else { nil }
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
