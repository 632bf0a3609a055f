import GRDB
package import MediaModel
package import Query

/// The number of assets that were taken in one month.
package struct MonthCount: Sendable, Hashable {
  /// The beginning of the month on the wall clock; nil for assets without a time of capture.
  package var start: CivilTime?
  /// At least 1.
  package var count: Int
}

extension Catalog {
  /// Counts the matching assets of each month that has any, the newest first, unknown times last.
  ///
  /// If an index by time of capture has all that the filter asks for, its entries are counted month by month, which
  /// takes a tenth of the time of grouping them.
  package func months(matching filter: AssetFilter) throws -> [MonthCount] {
    try read { transaction in
      let database = transaction.database
      let counts = try MonthCounts(filter.requirements, in: database)
      if let counts { return counts.sorted }
      let query = try AssetQuery(filter, order: nil, reading: [], in: database)
      let times = try Int64.fetchCursor(
        database, sql: "SELECT ifnull(a.capture_wall, \(Int64.min)) \(query.source)",
        arguments: StatementArguments(query.arguments))
      return try MonthCounts(times).sorted
    }
  }
}

/// Assets by month: the first millisecond of the month, the smallest integer for unknown times.
private struct MonthCounts {
  private var counts: [Int64: Int] = [:]

  /// Counts times one by one.
  init(_ times: some Cursor<Int64>) throws {
    // Neighbours are mostly of one month.
    var month: Range<Int64> = 0..<0
    var count = 0
    while let time = try times.next() {
      if !month.contains(time) {
        add(count, month.lowerBound)
        month = Self.month(of: time)
        count = 0
      }
      count += 1
    }
    add(count, month.lowerBound)
  }

  /// Counts the entries of an index; nil if none has all that is required.
  init?(_ required: [Condition], in database: Database) throws {
    let ranges = required.filter { $0.isRange(of: .captureDate) }
    let others = required.filter { !$0.isRange(of: .captureDate) }
    guard let entries = try CaptureEntries(others, in: database) else { return nil }
    // Most assets are images, so it is faster to count the videos, which a facet lists.
    if !entries.isFacet, others.contains(.type(.images)) {
      let rest = required.filter { $0 != .type(.images) }
      guard let all = try MonthCounts(rest, in: database),
        let videos = try MonthCounts(rest + [.type(.videos)], in: database)
      else { return nil }
      counts = all.counts.merging(videos.counts.mapValues { -$0 }, uniquingKeysWith: +)
      return
    }
    try entries.forEachMonth(in: ranges, database) { add($1, $0) }
  }

  private mutating func add(_ count: Int, _ month: Int64) {
    if count > 0 { counts[month, default: 0] += count }
  }

  /// The newest month first, unknown times last.
  var sorted: [MonthCount] {
    counts.filter { $0.value > 0 }.sorted { $0.key > $1.key }.map { start, count in
      MonthCount(
        start: start == .min ? nil : CivilTime(millisecondsSince1970: start), count: count)
    }
  }

  /// The milliseconds of the month that a time is in; the time alone if it is unknown or not in the calendar.
  static func month(of time: Int64) -> Range<Int64> {
    let civil = CivilTime(millisecondsSince1970: time)
    let isLast = civil.month == 12
    let start = CivilTime(year: civil.year, month: civil.month, day: 1)
    let end = CivilTime(
      year: isLast ? civil.year + 1 : civil.year, month: isLast ? 1 : civil.month + 1, day: 1)
    guard time != .min, let start else { return time..<time + 1 }
    let last = end?.secondsSince1970 ?? CivilTime.seconds.upperBound + 1
    let month = start.secondsSince1970 * 1000..<last * 1000
    return month.contains(time) ? month : time..<time + 1
  }
}

/// The entries of an index by time of capture that has all that a filter requires.
private struct CaptureEntries {
  /// Whether they are those of a facet, not of the listing's index.
  let isFacet: Bool
  /// `FROM … WHERE …`
  private let source: String
  private let arguments: [any DatabaseValueConvertible]
  private let column: String
  /// The condition for an unknown time.
  private let unknown: String

  /// - Parameter required: conditions, without those on times of capture.
  init?(_ required: [Condition], in database: Database) throws {
    let start = try AssetStart(inOrder: AssetOrder(), required, in: database)
    let isFacet = start.terms != nil
    guard start.isInOrder, start.remaining.allSatisfy({ !isFacet && $0.isKind }) else {
      return nil
    }
    self.isFacet = isFacet
    let kinds = try AssetConditions(start.remaining, isListed: true, in: database)
    source = "\(start.entries) WHERE \(start.condition) AND \(kinds.sql)"
    arguments = start.arguments + kinds.arguments
    column = isFacet ? "k.capture_wall" : "a.capture_wall"
    unknown = isFacet ? "k.capture_wall = \(Int64.min)" : "a.capture_wall IS NULL"
  }

  /// Calls `body` with each month that has entries, the newest first, and their number.
  ///
  /// - Parameter ranges: conditions on times of capture.
  func forEachMonth(
    in ranges: [Condition], _ database: Database, _ body: (_ start: Int64, _ count: Int) -> Void
  ) throws {
    let span = try AssetConditions(ranges, isListed: true, in: database)
    // A lower limit next to those of a range would be the one that SQLite seeks.
    let inSpan =
      ranges.isEmpty
      ? "\(column) > \(Int64.min)" : span.sql.replacing("a.capture_wall", with: column)
    func end(_ direction: String) throws -> Int64? {
      try Int64.fetchOne(
        database,
        sql: """
          SELECT \(column) \(source) AND \(inSpan)
          ORDER BY \(column) \(direction) LIMIT 1
          """, arguments: StatementArguments(arguments + span.arguments))
    }
    let count = try database.makeStatement(
      sql: "SELECT count(*) \(source) AND \(column) >= ? AND \(column) <= ?")
    let next = try database.makeStatement(
      sql: """
        SELECT \(column) \(source) AND \(column) >= ? AND \(column) < ? ORDER BY \(column) DESC LIMIT 1
        """)
    // Conditions on times are a range: the entries between its ends are all in it.
    var newest = try end("DESC")
    let oldest = try newest == nil ? nil : end("ASC")
    while let last = newest, let oldest {
      let month = MonthCounts.month(of: last).lowerBound
      let first = max(month, oldest)
      let found = try Int.fetchOne(count, arguments: StatementArguments(arguments + [first, last]))
      body(month, found ?? 0)
      newest =
        try first <= oldest
        ? nil : Int64.fetchOne(next, arguments: StatementArguments(arguments + [oldest, first]))
    }
    guard ranges.isEmpty else { return }
    let found = try Int.fetchOne(
      database, sql: "SELECT count(*) \(source) AND \(unknown)",
      arguments: StatementArguments(arguments))
    body(.min, found ?? 0)
  }
}
