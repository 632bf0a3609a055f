import GRDB
package import MediaModel

// What came into the library and what left it, as a report names it.

/// A file that came or left.
package struct NamedFile: Sendable, Hashable {
  package var path: BytePath
  /// The identifier of its asset.
  package var asset: String?
}

extension CatalogTransaction {
  /// The first and the last scan that began at an instant or later; nil if there was none.
  ///
  /// - Parameter instant: milliseconds since 1970 UTC.
  package func scans(since instant: Int64) throws -> (first: Int64, last: Int64, started: Int64)? {
    try rows(
      "SELECT min(id), max(id), min(started) FROM scans WHERE started >= ? AND outcome <> 'running'",
      [instant]
    ) { row -> (first: Int64, last: Int64, started: Int64)? in
      guard let first: Int64 = row[0], let last: Int64 = row[1], let started: Int64 = row[2] else {
        return nil
      }
      return (first, last, started)
    }.first ?? nil
  }

  /// When the last scan that has ended began, milliseconds since 1970 UTC; nil before the first.
  package func startOfLastScan() throws -> Int64? {
    try rows("SELECT started FROM scans WHERE outcome <> 'running' ORDER BY id DESC LIMIT 1") {
      row -> Int64 in row[0]
    }.first
  }

  /// The listed assets that were added at an instant or later, in this order.
  package func arrivals(since instant: Int64, limit: Int) throws -> [NamedFile] {
    try files(
      """
      FROM assets JOIN files ON files.id = assets.id JOIN folders ON folders.id = files.folder_id
      JOIN roots ON roots.id = folders.root_id
      WHERE is_listed AND assets.added_date >= ? ORDER BY assets.added_date, assets.id LIMIT ?
      """, [instant, limit])
  }

  package func arrivalCount(since instant: Int64) throws -> Int {
    try count("SELECT count(*) FROM assets WHERE is_listed AND added_date >= ?", [instant])
  }

  /// The media files that scans found gone, and that are still gone.
  package func departures(in scans: ClosedRange<Int64>, limit: Int) throws -> [NamedFile] {
    try files(
      """
      FROM files JOIN assets ON assets.id = files.id JOIN folders ON folders.id = files.folder_id
      JOIN roots ON roots.id = folders.root_id
      WHERE missing_since BETWEEN ? AND ? AND kind = 'media' ORDER BY missing_since, files.id LIMIT ?
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
