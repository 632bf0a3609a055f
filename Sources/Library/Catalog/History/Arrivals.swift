import GRDB
package import MediaModel

// What came into the library and what left it, as a report names it.

/// A file that came or left.
package struct NamedFile: Sendable, Hashable {
  package var path: BytePath
  /// The identifier of its asset.
  package var asset: String?
}

/// Scans that followed one another.
package struct ScanRange: Sendable, Hashable {
  package var ids: ClosedRange<Int64>
  /// When the first one began, milliseconds since 1970 UTC.
  package var started: Int64
  /// When the first scan after them began; `Int64.max` if there was none.
  package var next: Int64
}

extension CatalogTransaction {
  /// The scans that began at an instant or later and have ended; nil if there was none.
  ///
  /// A scan that seems to have begun later than two that followed it ran while the clock was ahead. A single one that
  /// followed is not enough: its clock may have been slow, as at the start of a machine that has none of its own.
  ///
  /// - Parameter instant: milliseconds since 1970 UTC.
  package func scans(since instant: Int64) throws -> ScanRange? {
    try scanRange(
      """
      started >= ?1 AND outcome <> 'running' AND 2 > (
        SELECT count(*) FROM scans AS later WHERE later.id > scans.id AND later.started < ?1)
      """, [instant])
  }

  /// The scans after one, up to another one; nil if there was none.
  package func scans(after first: Int64, through last: Int64) throws -> ScanRange? {
    guard var range = try scanRange("id > ? AND id <= ?", [first, last]) else { return nil }
    range.next =
      try rows("SELECT started FROM scans WHERE id > ? ORDER BY id LIMIT 1", [range.ids.upperBound])
    {
      row -> Int64 in row[0]
    }.first ?? .max
    return range
  }

  private func scanRange(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> ScanRange? {
    try rows("SELECT min(id), max(id), min(started) FROM scans WHERE \(condition)", arguments) {
      row -> ScanRange? in
      guard let first: Int64 = row[0], let last: Int64 = row[1], let started: Int64 = row[2] else {
        return nil
      }
      return ScanRange(ids: first...last, started: started, next: .max)
    }.first ?? nil
  }

  /// When the last scan that has ended began, milliseconds since 1970 UTC; nil before the first.
  package func startOfLastScan() throws -> Int64? {
    try rows("SELECT started FROM scans WHERE outcome <> 'running' ORDER BY id DESC LIMIT 1") {
      row -> Int64 in row[0]
    }.first
  }

  /// The listed assets that scans added, in this order. Unreadable ones are failures, and scans do not count them as new.
  package func arrivals(in scans: ScanRange, limit: Int) throws -> [NamedFile] {
    try files(
      """
      FROM assets JOIN files ON files.id = assets.id JOIN folders ON folders.id = files.folder_id
      JOIN roots ON roots.id = folders.root_id
      WHERE is_listed AND NOT is_unreadable AND assets.added_date >= ? AND assets.added_date < ?
      ORDER BY assets.added_date, assets.id LIMIT ?
      """, [scans.started, scans.next, limit])
  }

  package func arrivalCount(in scans: ScanRange) throws -> Int {
    try count(
      """
      SELECT count(*) FROM assets
      WHERE is_listed AND NOT is_unreadable AND added_date >= ? AND added_date < ?
      """,
      [scans.started, scans.next])
  }

  /// The media files that scans found gone, and that are still gone, the longest missing first; those of one scan by
  /// their paths.
  package func departures(in scans: ClosedRange<Int64>, limit: Int) throws -> [NamedFile] {
    try files(
      """
      FROM files JOIN assets ON assets.id = files.id JOIN folders ON folders.id = files.folder_id
      JOIN roots ON roots.id = folders.root_id
      WHERE missing_since BETWEEN ? AND ? AND kind = 'media'
      ORDER BY missing_since, roots.path, folders.path, files.name LIMIT ?
      """, [scans.lowerBound, scans.upperBound, limit])
  }

  package func departureCount(in scans: ClosedRange<Int64>) throws -> Int {
    try count(
      "SELECT count(*) FROM files WHERE missing_since BETWEEN ? AND ? AND kind = 'media'",
      [scans.lowerBound, scans.upperBound])
  }

  private func files(_ source: String, _ arguments: StatementArguments) throws -> [NamedFile] {
    try rows("SELECT roots.path, folders.path, files.name, identifier \(source)", arguments) {
      row in
      NamedFile(
        path: AssetRow.path(row, root: 0, folder: 1, name: 2),
        asset: (row[3] as StoredIdentifier?)?.text)
    }
  }
}
