import GRDB
package import MediaModel

// What cannot be read now. A failure is reported as new once; the user may acknowledge it; and a file whose failure may
// pass is read again at growing intervals.

/// What a scan found out about a file or folder that cannot be read.
package struct FailureRecording: Sendable {
  /// Which attempt to read it failed.
  package enum Attempt: Sendable {
    /// The first one, or the first one after its content has changed.
    ///
    /// - isTransient: whether another attempt may succeed although nothing changes.
    case first(isTransient: Bool)
    /// Another one.
    case another(isTransient: Bool)
    /// None: it is as it was, and the time for another one has not come.
    case none
  }

  package var path: BytePath
  /// Why it could not be read, one sentence.
  package var error: String
  /// The row of a media file; nil for a folder and for what the catalog does not contain.
  package var fileID: Int64?
  package var attempt: Attempt
  /// Whether it is a disk that is not mounted.
  package var isAbsence: Bool

  package init(
    _ path: BytePath, _ error: String, fileID: Int64? = nil,
    attempt: Attempt = .another(isTransient: true), isAbsence: Bool = false
  ) {
    (self.path, self.error, self.fileID) = (path, error, fileID)
    (self.attempt, self.isAbsence) = (attempt, isAbsence)
  }
}

/// When a file is read again that could not be read, for a reason that may pass.
///
/// The first time the next scan tries again, then the first scan after 1, 2, 4, 8, 16 days, then every 32 days. A scan
/// that begins two hours early counts as in time, because a timer does not start it at the very second.
package enum RetrySchedule {
  private static let hour: Int64 = 3_600_000
  private static let longestWait: Int64 = 32

  /// - Parameter attempts: the attempts that have failed, at least 1.
  /// - Returns: milliseconds.
  package static func wait(after attempts: Int) -> Int64 {
    guard attempts > 1 else { return 0 }
    let days = attempts < 8 ? min(1 << Int64(attempts - 2), longestWait) : longestWait
    return days * 24 * hour - 2 * hour
  }
}

/// A file or folder that cannot be read now.
package struct KnownFailure: Sendable, Hashable {
  package var rowID: Int64
  package var path: BytePath
  /// Why, one sentence.
  package var error: String
  /// The identifier of the asset, if it is one.
  package var asset: String?
  /// When a scan found it first, and when it was tried last; milliseconds since 1970 UTC.
  package var firstDate: Int64
  package var lastDate: Int64
  package var firstScan: Int64
  package var attempts: Int
  /// From when on a scan reads it again; nil if only once it has changed.
  package var nextAttempt: Int64?
  package var isAbsence: Bool
  /// When the user accepted it.
  package var acknowledgedDate: Int64?
}

extension CatalogTransaction {
  /// Records what could not be read: for the scan, and for as long as it cannot be read.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  package func addFailure(_ failure: FailureRecording, scan: Int64, now: Int64) throws {
    let key: (column: String, value: any DatabaseValueConvertible) =
      failure.fileID.map { ("file_id", $0) } ?? ("path", failure.path)
    let known = try rows(
      "SELECT id, first_scan, attempts, acknowledged_date FROM known_failures WHERE \(key.column) = ?",
      StatementArguments([key.value])
    ) { row -> (id: Int64, firstScan: Int64, attempts: Int, isAcknowledged: Bool) in
      (row[0], row[1], row[2], row[3] as Int64? != nil)
    }.first
    var isKnown = false
    switch (failure.attempt, known) {
    case (.another(let isTransient), let known?):
      isKnown = known.firstScan < scan
      try execute(
        """
        UPDATE known_failures SET error = ?, last_scan = ?, last_date = ?, attempts = ?, next_attempt = ?, is_absence = ?
        WHERE id = ?
        """,
        [
          failure.error, scan, now, known.attempts + 1,
          nextAttempt(isTransient && failure.fileID != nil, after: known.attempts + 1, now: now),
          failure.isAbsence, known.id,
        ])
    case (.none, let known?):
      isKnown = known.firstScan < scan
      try execute("UPDATE known_failures SET last_scan = ? WHERE id = ?", [scan, known.id])
    case (.first(let isTransient), _), (.another(let isTransient), nil):
      try addKnown(failure, key.column, key.value, isTransient, scan: scan, now: now)
    case (.none, nil):
      try addKnown(failure, key.column, key.value, false, scan: scan, now: now)
    }
    let isAcknowledged = isKnown && known?.isAcknowledged == true
    try execute(
      """
      INSERT INTO failures (scan_id, path, error, is_known, is_acknowledged, is_absence) VALUES (?, ?, ?, ?, ?, ?)
      """, [scan, failure.path, failure.error, isKnown, isAcknowledged, failure.isAbsence])
  }

  private func addKnown(
    _ failure: FailureRecording, _ column: String, _ key: any DatabaseValueConvertible,
    _ isTransient: Bool, scan: Int64, now: Int64
  ) throws {
    try execute(
      """
      INSERT OR REPLACE INTO known_failures (\(column), error, first_scan, first_date, last_scan, last_date, attempts,
        next_attempt, is_absence) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
      """,
      [
        key, failure.error, scan, now, scan, now,
        nextAttempt(isTransient && failure.fileID != nil, after: 1, now: now), failure.isAbsence,
      ])
  }

  private func nextAttempt(_ isTransient: Bool, after attempts: Int, now: Int64) -> Int64? {
    isTransient ? now + RetrySchedule.wait(after: attempts) : nil
  }

  /// Makes this scan read the files again whose time has come, and those that were read while the clock was ahead.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  package func markDueFailures(now: Int64) throws {
    let due = try rows(
      """
      SELECT file_id FROM known_failures JOIN files ON files.id = file_id
      WHERE (next_attempt <= ?1 OR next_attempt IS NOT NULL AND last_date > ?1)
        AND reader_version <> 0 AND missing_since IS NULL
      """, [now]
    ) { row -> Int64 in row[0] }
    guard !due.isEmpty else { return }
    let files = RowSet(due)
    try execute("UPDATE files SET reader_version = 0 WHERE id IN (\(RowSet.sql))", [files.argument])
    try execute(
      """
      UPDATE folders SET digest = NULL WHERE id IN (SELECT folder_id FROM files WHERE id IN (\(RowSet.sql)))
      """, [files.argument])
  }

  /// Forgets the failures of files that are gone, but for acknowledged ones: they apply again if the same content is
  /// back, as after a scan without a disk. Until then ``knownFailures()`` leaves them out.
  package func forgetMissingFailures() throws {
    try execute(
      """
      DELETE FROM known_failures WHERE file_id IN (
        SELECT file_id FROM known_failures JOIN files ON files.id = file_id
        WHERE missing_since IS NOT NULL AND acknowledged_date IS NULL)
      """)
  }

  /// Follows a root to its new path; what cannot be read in it stays known.
  ///
  /// - Parameter new: nil if the root is forgotten.
  func moveFailures(from old: BytePath, to new: BytePath?) throws {
    let known = try rows("SELECT id, path FROM known_failures WHERE path IS NOT NULL") {
      row -> (id: Int64, path: BytePath) in (row[0], row[1])
    }
    for failure in known where failure.path.isWithin(old) {
      if let new {
        let path = BytePath(bytes: new.bytes + failure.path.bytes.dropFirst(old.bytes.count))
        try execute(
          "UPDATE OR REPLACE known_failures SET path = ? WHERE id = ?", [path, failure.id])
      } else {
        try execute("DELETE FROM known_failures WHERE id = ?", [failure.id])
      }
    }
  }

  /// Forgets the folders and disks that a finished scan could read again.
  ///
  /// - Parameter isCovered: whether the scan has looked at a path.
  package func forgetEndedFailures(
    scan: Int64, isCovered: (BytePath) -> Bool
  ) throws {
    let candidates = try rows(
      "SELECT id, path FROM known_failures WHERE path IS NOT NULL AND last_scan < ?", [scan]
    ) { row -> (id: Int64, path: BytePath) in (row[0], row[1]) }
    let ended = candidates.filter { isCovered($0.path) }.map(\.id)
    try execute(
      "DELETE FROM known_failures WHERE id IN (\(RowSet.sql))", [RowSet(ended).argument])
  }

  /// The folders, disks and files without rows that cannot be read.
  package func failedPaths() throws -> [BytePath] {
    try rows("SELECT path FROM known_failures WHERE path IS NOT NULL") { $0[0] }
  }

  /// Forgets that folders, disks and files without rows cannot be read.
  package func forgetFailures(of paths: Set<BytePath>) throws {
    for path in paths { try execute("DELETE FROM known_failures WHERE path = ?", [path]) }
  }

  /// What cannot be read now, the newest first. Files that are gone are not part of it.
  package func knownFailures() throws -> [KnownFailure] {
    try rows(
      """
      SELECT known_failures.id, known_failures.path, known_failures.error, first_date, last_date, first_scan, attempts,
        next_attempt, is_absence, acknowledged_date, identifier, roots.path, folders.path, files.name
      FROM known_failures
      LEFT JOIN files ON files.id = file_id LEFT JOIN assets ON assets.id = file_id
      LEFT JOIN folders ON folders.id = files.folder_id LEFT JOIN roots ON roots.id = folders.root_id
      WHERE files.missing_since IS NULL
      ORDER BY first_date DESC, known_failures.id DESC
      """
    ) { row in
      let own: BytePath? = (row[1] as DatabaseValue).isNull ? nil : row[1]
      return KnownFailure(
        rowID: row[0], path: own ?? AssetRow.path(row, root: 11, folder: 12, name: 13),
        error: row[2], asset: (row[10] as StoredIdentifier?)?.text, firstDate: row[3],
        lastDate: row[4], firstScan: row[5], attempts: row[6], nextAttempt: row[7],
        isAbsence: row[8], acknowledgedDate: row[9])
    }
  }

  /// Accepts failures, or takes that back.
  ///
  /// - Parameter date: milliseconds since 1970 UTC; nil to take it back.
  package func acknowledgeFailures(_ ids: [Int64], date: Int64?) throws {
    try execute(
      "UPDATE known_failures SET acknowledged_date = ? WHERE id IN (\(RowSet.sql))",
      [date, RowSet(ids).argument])
  }

  /// Makes the next scan read files again, whatever their turn: the time of the last attempt has passed.
  package func retryFailures(_ ids: [Int64]) throws {
    try execute(
      "UPDATE known_failures SET next_attempt = last_date WHERE file_id IS NOT NULL AND id IN (\(RowSet.sql))",
      [RowSet(ids).argument])
  }
}
