import GRDB
package import MediaModel
import Query

/// What a scan counted; the names are those of the report.
package struct ScanCounts: Sendable, Hashable {
  package var added = 0
  package var changed = 0
  package var moved = 0
  package var missing = 0
  package var unchanged = 0
  package var unreadable = 0
  package var sidecars = 0
  package var ignored = 0
  package var pairs = 0

  package init() {}

  /// Media files seen.
  package var scanned: Int { added + changed + moved + unchanged + unreadable }
}

/// How a scan came to its end.
package enum ScanOutcome: String, Sendable {
  case running, finished, interrupted, failed
}

extension CatalogTransaction {
  /// How many scans' failures are kept.
  private static let keptScans = 30

  /// Opens the record of a scan and returns its id; one that a killed process left open is closed.
  ///
  /// - Parameters:
  ///   - isPartial: whether it reads only folders in some of the roots.
  ///   - now: milliseconds since 1970 UTC.
  package func beginScan(roots: [BytePath], isPartial: Bool = false, now: Int64) throws -> Int64 {
    try execute("UPDATE scans SET outcome = 'interrupted' WHERE outcome = 'running'")
    try execute(
      "INSERT INTO scans (started, outcome, roots, is_partial) VALUES (?, 'running', ?, ?)",
      [now, roots.map(\.display).joined(separator: "\n"), isPartial])
    let id = database.lastInsertedRowID
    try execute("DELETE FROM failures WHERE scan_id <= ?", [id - Int64(Self.keptScans)])
    try forgetOldChanges(before: id)
    return id
  }

  /// When scans began, by their rows; milliseconds since 1970 UTC. Scans follow one another: one that seems to be earlier than
  /// those before it ran while the clock was slow, and has their time. One that seems to be later than two that followed it ran
  /// while the clock was ahead, and has the time of the next one that did not; see ``scans(since:)``.
  func beginningsOfScans() throws -> [Int64: Int64] {
    let scans = try rows("SELECT id, started FROM scans ORDER BY id") { row in
      (id: row[0] as Int64, started: row[1] as Int64)
    }
    var isAhead = Array(repeating: false, count: scans.count)
    // The two least times of later scans.
    var (first, second) = (Int64.max, Int64.max)
    for index in scans.indices.reversed() {
      let started = scans[index].started
      isAhead[index] = second < started
      if started < first {
        (first, second) = (started, first)
      } else {
        second = min(second, started)
      }
    }
    var beginnings: [Int64: Int64] = [:]
    var latest = Int64.min
    for (index, scan) in scans.enumerated() where !isAhead[index] {
      latest = max(latest, scan.started)
      beginnings[scan.id] = latest
    }
    var next = Int64.max
    for scan in scans.reversed() {
      next = beginnings[scan.id] ?? next
      beginnings[scan.id] = next
    }
    return beginnings
  }

  /// When the last finished scan before a scan began, milliseconds since 1970 UTC.
  package func startOfScan(before id: Int64) throws -> Int64? {
    try rows(
      "SELECT started FROM scans WHERE id < ? AND outcome = 'finished' ORDER BY id DESC LIMIT 1",
      [id]
    ) { row -> Int64 in row[0] }.first
  }

  /// Closes a scan's record.
  ///
  /// - Parameters:
  ///   - milliseconds: how long it took, by a clock that is never set.
  ///   - unavailable: the roots that it left as they were, and why.
  ///   - now: milliseconds since 1970 UTC.
  package func endScan(
    _ id: Int64, _ counts: ScanCounts, outcome: ScanOutcome, milliseconds: Int64,
    unavailable: [ScanRecord.Absence], now: Int64
  ) throws {
    for root in unavailable {
      try execute(
        "INSERT INTO unavailable_roots (scan_id, path, reason, is_loss) VALUES (?, ?, ?, ?)",
        [id, root.path, root.reason, root.isLoss])
    }
    try execute(
      """
      UPDATE scans SET finished = ?, outcome = ?, milliseconds = ?, scanned = ?, added = ?, changed = ?, moved = ?,
        missing = ?, unchanged = ?, unreadable = ?, ignored = ?, pairs = ?, sidecars = ?
      WHERE id = ?
      """,
      [
        now, outcome.rawValue, milliseconds, counts.scanned, counts.added, counts.changed,
        counts.moved,
        counts.missing, counts.unchanged, counts.unreadable, counts.ignored, counts.pairs,
        counts.sidecars, id,
      ])
  }
}

/// What one scan did.
package struct ScanRecord: Sendable, Hashable {
  /// A root that was left as it was, and why.
  package struct Absence: Sendable, Hashable {
    package var path: BytePath
    package var reason: String
    /// Whether it was available, but more of its files were gone than the scan accepts.
    package var isLoss: Bool

    package init(path: BytePath, reason: String, isLoss: Bool = false) {
      (self.path, self.reason, self.isLoss) = (path, reason, isLoss)
    }
  }

  /// A file that could not be read, and why in one sentence.
  package struct Failure: Sendable, Hashable {
    package var path: BytePath
    package var error: String
    /// Whether an earlier scan has found it, too.
    package var isKnown = false
    /// Whether the user has accepted it.
    package var isAcknowledged = false
    /// Whether it is a disk that is not mounted.
    package var isAbsence = false
  }

  package var rowID: Int64
  /// Milliseconds since 1970 UTC.
  package var started: Int64
  package var finished: Int64?
  /// `running` too if it was killed before it could say otherwise and no scan has begun since.
  package var outcome: ScanOutcome
  package var counts: ScanCounts
  /// The roots it was to scan, as text.
  package var roots: [String]
  /// Those of them that were unavailable.
  package var unavailable: [Absence]
  package var failures: [Failure]
  /// How many failed, of which ``failures`` may show only the first.
  package var failureCount: Int

  /// How long it took, by a clock that is never set.
  var milliseconds: Int64?

  /// How long it took; nil while it runs, and for one that was killed.
  package var seconds: Double? { milliseconds.map { Double($0) / 1000 } }
}

extension Catalog {
  /// The last scans, the newest first, with at most `failureLimit` failures each.
  package func scans(last limit: Int, failureLimit: Int) throws -> [ScanRecord] {
    try read { transaction in
      let database = transaction.database
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, started, finished, outcome, roots, \
          (SELECT count(*) FROM failures WHERE scan_id = scans.id), added, changed, moved, missing, \
          unchanged, unreadable, ignored, pairs, sidecars, milliseconds \
          FROM scans ORDER BY id DESC LIMIT ?
          """,
        arguments: [limit])
      return try rows.map { row in
        ScanRecord(
          rowID: row[0], started: row[1], finished: row[2],
          outcome: ScanOutcome(rawValue: row[3]) ?? .failed,
          counts: Self.counts(row),
          roots: (row[4] as String).split(separator: "\n").map(String.init),
          unavailable: try Self.absences(in: row[0], database),
          failures: try Self.failures(of: row[0], limit: failureLimit, in: database),
          failureCount: row[5], milliseconds: row[15])
      }
    }
  }

  private static func absences(
    in scan: Int64, _ database: Database
  ) throws -> [ScanRecord.Absence] {
    try Row.fetchAll(
      database,
      sql: "SELECT path, reason, is_loss FROM unavailable_roots WHERE scan_id = ? ORDER BY rowid",
      arguments: [scan]
    ).compactMap { row in
      BytePath.fromDatabaseValue(row[0]).map { .init(path: $0, reason: row[1], isLoss: row[2]) }
    }
  }

  private static func counts(_ row: Row) -> ScanCounts {
    var counts = ScanCounts()
    counts.added = row[6]
    counts.changed = row[7]
    counts.moved = row[8]
    counts.missing = row[9]
    counts.unchanged = row[10]
    counts.unreadable = row[11]
    counts.ignored = row[12]
    counts.pairs = row[13]
    counts.sidecars = row[14]
    return counts
  }

  private static func failures(
    of scan: Int64, limit: Int, in database: Database
  ) throws -> [ScanRecord.Failure] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT path, error, is_known, is_acknowledged, is_absence FROM failures WHERE scan_id = ? ORDER BY id
        LIMIT ?
        """,
      arguments: [scan, limit]
    ).compactMap { row in
      BytePath.fromDatabaseValue(row[0]).map {
        .init(
          path: $0, error: row[1], isKnown: row[2], isAcknowledged: row[3], isAbsence: row[4])
      }
    }
  }
}
