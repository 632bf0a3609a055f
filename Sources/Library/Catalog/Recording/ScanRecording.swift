import GRDB
package import MediaModel

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
  package func beginScan(roots: [BytePath], now: Int64) throws -> Int64 {
    try execute("UPDATE scans SET outcome = 'interrupted' WHERE outcome = 'running'")
    try execute(
      "INSERT INTO scans (started, outcome, roots) VALUES (?, 'running', ?)",
      [now, roots.map(\.display).joined(separator: "\n")])
    let id = database.lastInsertedRowID
    try execute("DELETE FROM failures WHERE scan_id <= ?", [id - Int64(Self.keptScans)])
    return id
  }

  /// Closes a scan's record.
  ///
  /// - Parameters:
  ///   - milliseconds: how long it took, by a clock that is never set.
  ///   - unavailable: the roots that it left as they were, and why.
  ///   - now: milliseconds since 1970 UTC.
  package func endScan(
    _ id: Int64, _ counts: ScanCounts, outcome: ScanOutcome, milliseconds: Int64,
    unavailable: [(path: BytePath, reason: String)], now: Int64
  ) throws {
    for root in unavailable {
      try execute(
        "INSERT INTO unavailable_roots (scan_id, path, reason) VALUES (?, ?, ?)",
        [id, root.path, root.reason])
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

  /// Keeps what went wrong with one path.
  package func addFailure(scan: Int64, path: BytePath, error: String) throws {
    try execute(
      "INSERT INTO failures (scan_id, path, error) VALUES (?, ?, ?)", [scan, path, error])
  }
}
