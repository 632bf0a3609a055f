import GRDB
package import MediaModel

/// What one scan did.
package struct ScanRecord: Sendable, Hashable {
  package enum Outcome: String, Sendable {
    /// Still at it, or killed before it could say otherwise.
    case running
    case finished, interrupted, failed
  }

  /// A file that could not be read, and why in one sentence.
  package struct Failure: Sendable, Hashable {
    package var path: BytePath
    package var error: String
  }

  /// The numbers of the scan report, by the report's own words and in its order.
  package struct Count: Sendable, Hashable {
    package var name: String
    package var value: Int
  }

  package var rowID: Int64
  /// Milliseconds since 1970 UTC.
  package var started: Int64
  package var finished: Int64?
  package var outcome: Outcome
  package var counts: [Count]
  /// The roots it was to scan, as text.
  package var roots: [String]
  package var failures: [Failure]
  /// How many failed, of which ``failures`` may show only the first.
  package var failureCount: Int

  /// How long it took.
  package var seconds: Double? {
    finished.map { Double($0 - started) / 1000 }
  }
}

extension Catalog {
  private static let countNames = [
    "scanned", "added", "changed", "moved", "missing", "unchanged", "unreadable", "ignored",
    "pairs",
  ]

  /// The last scans, the newest first, with at most `failureLimit` failures each.
  package func scans(last limit: Int, failureLimit: Int) throws -> [ScanRecord] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, started, finished, outcome, roots,
            (SELECT count(*) FROM failures WHERE scan_id = scans.id), \
          \(Self.countNames.joined(separator: ", "))
          FROM scans ORDER BY id DESC LIMIT ?
          """,
        arguments: [limit])
      return try rows.map { row in
        ScanRecord(
          rowID: row[0], started: row[1], finished: row[2],
          outcome: ScanRecord.Outcome(rawValue: row[3]) ?? .failed,
          counts: Self.countNames.enumerated().map { .init(name: $1, value: row[6 + $0]) },
          roots: (row[4] as String).split(separator: "\n").map(String.init),
          failures: try Self.failures(of: row[0], limit: failureLimit, in: database),
          failureCount: row[5])
      }
    }
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
