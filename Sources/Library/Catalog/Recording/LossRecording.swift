import GRDB

// Files that a scan found gone, in a root that has lost more than the user accepts without a question.

extension CatalogTransaction {
  /// The media files that a scan found gone in a root and not elsewhere, and all that were believed to be there.
  package func losses(ofRoot root: Int64, scan: Int64) throws -> (lost: Int, known: Int) {
    let media = """
      SELECT count(*) FROM files JOIN folders ON folders.id = folder_id WHERE root_id = ?1 AND kind = 'media'
      """
    let lost = try count(media + " AND missing_since = ?2", [root, scan])
    guard lost > 0 else { return (0, 0) }
    return (lost, lost + (try count(media + " AND missing_since IS NULL", [root])))
  }

  /// Takes back that a scan found files of a root gone: they are as they were before. The next scan compares all of the
  /// root's folders file by file.
  package func restore(missingSince scan: Int64, root: Int64) throws {
    let ids = try rows(
      """
      SELECT files.id FROM files JOIN folders ON folders.id = folder_id WHERE missing_since = ? AND root_id = ?
      """, [scan, root]
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
