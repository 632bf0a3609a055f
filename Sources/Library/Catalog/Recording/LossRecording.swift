import GRDB

// Files that a scan found gone, in a root that has lost more than the user accepts without a question.

extension CatalogTransaction {
  /// The scans whose losses belong together: this one, and those before it that were cut short.
  ///
  /// - Parameter scan: this one.
  package func unfinishedScans(through scan: Int64) throws -> ClosedRange<Int64> {
    let last = try count(
      "SELECT ifnull(max(id), 0) FROM scans WHERE id < ? AND outcome = 'finished'", [scan])
    return min(Int64(last) + 1, scan)...scan
  }

  /// The largest row that a file has had.
  package func lastFile() throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'files'") ?? 0
  }

  /// Whether an earlier one of the scans from `?2` to `?4` has added an asset. The date of adding is by the clock of that scan,
  /// and the scan ended before the next one began. If the next one seems to be earlier, the clock was ahead until then.
  private static let isOfUnfinishedScan = """
    EXISTS (SELECT 1 FROM scans AS own WHERE own.id >= ?2 AND own.id < ?4 AND added_date >= own.started
      AND NOT EXISTS (SELECT 1 FROM scans AS next
        WHERE next.id = (SELECT min(id) FROM scans WHERE id > own.id) AND next.started > own.started
          AND added_date >= next.started))
    """

  /// The media files that scans found gone in a root and not elsewhere, and all that were believed to be there before.
  ///
  /// - Parameters:
  ///   - scans: the current scan, and those before it that were cut short.
  ///   - lastFile: what ``lastFile()`` was when the current scan began.
  package func losses(
    ofRoot root: Int64, scans: ClosedRange<Int64>, lastFile: Int64
  ) throws -> (lost: Int, known: Int) {
    let media = """
      SELECT count(*) FROM files JOIN folders ON folders.id = folder_id WHERE root_id = ?1 AND kind = 'media'
      """
    let lost = try count(
      media + " AND missing_since BETWEEN ?2 AND ?3", [root, scans.lowerBound, scans.upperBound])
    guard lost > 0 else { return (0, 0) }
    let present = try count(media + " AND missing_since IS NULL", [root])
    let new = try count(
      """
      SELECT count(*) FROM assets JOIN folders ON folders.id = folder_id
      WHERE root_id = ?1 AND NOT is_missing AND (assets.id > ?3 OR \(Self.isOfUnfinishedScan))
      """, [root, scans.lowerBound, lastFile, scans.upperBound])
    return (lost, lost + max(0, present - new))
  }

  /// Takes back that scans found files of a root gone: they are as they were before. The next scan compares all of the
  /// root's folders file by file.
  package func restore(missingSince scans: ClosedRange<Int64>, root: Int64) throws {
    let ids = try rows(
      """
      SELECT files.id FROM files JOIN folders ON folders.id = folder_id
      WHERE missing_since BETWEEN ? AND ? AND root_id = ?
      """, [scans.lowerBound, scans.upperBound, root]
    ) { row -> Int64 in row[0] }
    let files = RowSet(ids)
    try execute(
      "UPDATE files SET missing_since = NULL WHERE id IN (\(RowSet.sql))", [files.argument])
    try execute(
      """
      UPDATE assets SET is_missing = (SELECT kind <> 'media' FROM files WHERE files.id = assets.id)
      WHERE id IN (\(RowSet.sql))
      """, [files.argument])
    try execute(
      """
      UPDATE folders SET digest = NULL,
        media_count = (SELECT count(*) FROM files WHERE folder_id = folders.id AND kind = 'media' AND error IS NULL
          AND missing_since IS NULL),
        unreadable_count = (SELECT count(*) FROM files WHERE folder_id = folders.id AND kind = 'media'
          AND error IS NOT NULL AND missing_since IS NULL)
      WHERE root_id = ?
      """, [root])
    try markUnsettled(files: files)
  }
}
