import GRDB
package import MediaModel

// The runs of `shoebox nightly`.

/// One run.
package struct NightRecord: Sendable, Hashable {
  package var rowID: Int64
  /// Milliseconds since 1970 UTC.
  package var started: Int64
  /// Nil while it runs, and if its process was killed.
  package var finished: Int64?
  package var scanID: Int64?
  /// The exit status.
  package var status: Int32?
  /// What each step did: a JSON array.
  package var steps: String?
}

extension CatalogTransaction {
  /// How many runs are kept.
  private static let keptNights: Int64 = 400

  /// Opens the record of a run.
  package func beginNight(now: Int64) throws -> Int64 {
    try execute("INSERT INTO nights (started) VALUES (?)", [now])
    let id = database.lastInsertedRowID
    try execute("DELETE FROM nights WHERE id <= ?", [id - Self.keptNights])
    return id
  }

  /// Records the scan of a run.
  package func recordScan(_ scan: Int64, ofNight id: Int64) throws {
    try execute("UPDATE nights SET scan_id = ? WHERE id = ?", [scan, id])
  }

  /// How many runs have scanned since an instant, milliseconds since 1970 UTC: those that have begun before it too, if
  /// their scan began after it.
  package func nightCount(since instant: Int64) throws -> Int {
    try count(
      """
      SELECT count(*) FROM nights JOIN scans ON scans.id = scan_id WHERE ifnull(scans.finished, scans.started) >= ?
      """, [instant])
  }

  /// Closes the record of a run.
  package func endNight(_ id: Int64, status: Int32, steps: String, now: Int64) throws {
    try execute(
      "UPDATE nights SET finished = ?, status = ?, steps = ? WHERE id = ?",
      [now, status, steps, id])
  }

  /// The last runs, the newest first.
  package func nights(last limit: Int) throws -> [NightRecord] {
    try rows(
      "SELECT id, started, finished, scan_id, status, steps FROM nights ORDER BY id DESC LIMIT ?",
      [limit]
    ) { row in
      NightRecord(
        rowID: row[0], started: row[1], finished: row[2], scanID: row[3], status: row[4],
        steps: row[5])
    }
  }

  /// When the period of a run's report began, milliseconds since 1970 UTC.
  ///
  /// It begins after the scan of the run before it, so that the report has what was scanned by hand in between. Runs that
  /// have not ended have reported nothing.
  package func startOfReport(on night: NightRecord) throws -> Int64 {
    let previous = try rows(
      """
      SELECT finished, scan_id FROM nights WHERE id < ? AND finished IS NOT NULL AND scan_id IS NOT NULL
      ORDER BY id DESC LIMIT 1
      """, [night.rowID]
    ) { row -> (finished: Int64, scan: Int64) in (row[0], row[1]) }.first
    guard let previous else { return night.started }
    let next = try scans(after: previous.scan, through: .max)?.started ?? .max
    return min(previous.finished, next, night.started)
  }

  /// In how many nights in a row, up to the last one, a root was left as it was because its disk was absent. Nights
  /// that scanned other roots do not count.
  package func nightsAbsent(root path: BytePath) throws -> Int {
    try count(
      """
      WITH scanned(id, is_absent) AS MATERIALIZED (
        SELECT nights.id, EXISTS (SELECT 1 FROM unavailable_roots
          WHERE unavailable_roots.scan_id = nights.scan_id AND path = ?1 AND NOT is_loss)
        FROM nights JOIN scans ON scans.id = nights.scan_id
        WHERE instr(char(10) || roots || char(10), char(10) || ?2 || char(10)))
      SELECT count(*) FROM scanned
      WHERE id > ifnull((SELECT max(id) FROM scanned WHERE NOT is_absent), 0)
      """, [path, path.display])
  }
}
