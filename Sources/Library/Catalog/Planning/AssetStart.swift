import GRDB
import Query

/// Where a statement begins to read assets: along an index in the order of the listing, or at the few assets that
/// an index finds for one of the conditions.
///
/// SQLite cannot know that a page of a hundred rows is near the beginning of an order, or that a condition holds for
/// nothing. So the beginning of the order is tried first: if the first rows fill the page, they are the answer.
/// Otherwise the entries that indexes have for each condition are counted, up to a limit, and the listing starts with
/// the fewest. benchmarks/listing.py has a listing for every kind of choice.
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
  static let tried = [1000, 4000, 16_000]
  /// The most candidates for a page whose rows are read. Reading them takes about 30 ms.
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

  /// Where to begin a page after the first: at the few assets that an index finds, else along the order.
  init(after required: [Condition], _ order: AssetOrder, in database: Database) throws {
    let whole = try Self(inOrder: order, required, in: database)
    // The other indexes contain listed assets only.
    let fewest =
      required.contains(.missing)
      ? nil
      : try whole.fewest(
        required, order, rows: Self.tried[2], entries: Self.tried[2], in: database)
    self = fewest?.start ?? whole
  }

  private static func lastID(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
  }

  init(
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
  init(
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

  /// Its source without the assets themselves if it is a facet, whose entries have all that ``condition`` asks for.
  var entries: String { terms == nil ? source : "FROM facets AS k" }

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
  func isCovering(_ order: AssetOrder) -> Bool {
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

  /// The assets that an index finds for one condition.
  struct Fewest {
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
  func fewest(
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
    case .type(let word): ![.duplicates, .spareCopies, .favorites].contains(word)
    default: false
    }
  }

  /// Whether it is a range of capture times.
  fileprivate var isCaptureRange: Bool { isRange(of: .captureDate) }

  /// Whether it is a range of an order.
  func isRange(of key: AssetOrder.Key) -> Bool {
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
  var hasSearch: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.hasSearch)
    case .not(let part): part.hasSearch
    case .search: true
    default: false
    }
  }
}
