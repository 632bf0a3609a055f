import GRDB
package import MediaModel
import Query

/// What one scan did.
package struct ScanRecord: Sendable, Hashable {
  /// A root that was left as it was, and why.
  package struct Absence: Sendable, Hashable {
    package var path: BytePath
    package var reason: String
  }

  /// A file that could not be read, and why in one sentence.
  package struct Failure: Sendable, Hashable {
    package var path: BytePath
    package var error: String
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

  /// How long it took, by a clock that is never set; nil for scans of earlier versions.
  var milliseconds: Int64?

  /// How long it took; nil while it runs, and for one that was killed. For scans of earlier versions it is
  /// the difference of two dates, and 0 if the clock was set back meanwhile.
  package var seconds: Double? {
    if let milliseconds { return Double(milliseconds) / 1000 }
    return finished.map { Double(max(0, $0 - started)) / 1000 }
  }
}

extension Catalog {
  /// The last scans, the newest first, with at most `failureLimit` failures each.
  package func scans(last limit: Int, failureLimit: Int) throws -> [ScanRecord] {
    try read { transaction in
      let database = transaction.database
      // A catalog of an earlier version that cannot be written now has neither.
      let isCurrent = try Self.schemaState(database) == .current
      let length = isCurrent ? "milliseconds" : "NULL"
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, started, finished, outcome, roots, \
          (SELECT count(*) FROM failures WHERE scan_id = scans.id), added, changed, moved, missing, \
          unchanged, unreadable, ignored, pairs, sidecars, \(length) \
          FROM scans ORDER BY id DESC LIMIT ?
          """,
        arguments: [limit])
      return try rows.map { row in
        ScanRecord(
          rowID: row[0], started: row[1], finished: row[2],
          outcome: ScanOutcome(rawValue: row[3]) ?? .failed,
          counts: Self.counts(row),
          roots: (row[4] as String).split(separator: "\n").map(String.init),
          unavailable: isCurrent ? try Self.absences(in: row[0], database) : [],
          failures: try Self.failures(of: row[0], limit: failureLimit, in: database),
          failureCount: row[5], milliseconds: row[15])
      }
    }
  }

  private static func absences(
    in scan: Int64, _ database: Database
  ) throws -> [ScanRecord.Absence] {
    try Row.fetchAll(
      database, sql: "SELECT path, reason FROM unavailable_roots WHERE scan_id = ? ORDER BY rowid",
      arguments: [scan]
    ).compactMap { row in
      BytePath.fromDatabaseValue(row[0]).map { .init(path: $0, reason: row[1]) }
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
      database, sql: "SELECT path, error FROM failures WHERE scan_id = ? ORDER BY id LIMIT ?",
      arguments: [scan, limit]
    ).compactMap { row in
      BytePath.fromDatabaseValue(row[0]).map { .init(path: $0, error: row[1]) }
    }
  }
}
