import GRDB
package import MediaModel

// A scan of one shard of a library walks through all folders, and reads the files of some.

extension CatalogTransaction {
  /// Records that a scan begins, which may read another part of the library folders than those before.
  ///
  /// - Parameter shard: nil for all.
  package func beginPart(_ shard: Shard?) throws {
    try execute(
      "UPDATE scanned_part SET number = 0, count = 0 WHERE number <> ? OR count <> ?",
      [shard?.number ?? 1, shard?.count ?? 1])
  }

  /// Records which part of the library folders a scan has read to the end. Until then, a merge must not conclude anything from
  /// folders that the catalog does not have.
  ///
  /// - Parameter shard: nil for all.
  package func recordPart(_ shard: Shard?) throws {
    try execute(
      "INSERT INTO scanned_part VALUES (1, ?, ?) ON CONFLICT DO NOTHING",
      [shard?.number ?? 1, shard?.count ?? 1])
  }

  /// Forgets the folders below the roots' own that a scan of a shard has only walked through, unless it has read a folder
  /// below them. Else a thousand shards would have a thousand times the folders of the library.
  package func forgetEmptyFolders() throws {
    let empty = try rows(
      """
      WITH RECURSIVE used(id) AS (
        SELECT id FROM folders WHERE digest IS NOT NULL OR EXISTS (SELECT 1 FROM files WHERE folder_id = folders.id)
        UNION SELECT folders.parent_id FROM used CROSS JOIN folders ON folders.id = used.id
        WHERE folders.parent_id IS NOT NULL)
      SELECT id FROM folders WHERE parent_id IS NOT NULL AND id NOT IN (SELECT id FROM used)
      """
    ) { row -> Int64 in row[0] }
    guard !empty.isEmpty else { return }
    let folders = RowSet(empty)
    try execute(
      "DELETE FROM folder_search WHERE rowid IN (\(RowSet.sql))", [folders.argument])
    // Without parents, the deletion is not carried down folder by folder, for which SQLite allows a thousand levels only.
    try execute(
      "UPDATE folders SET parent_id = NULL WHERE id IN (\(RowSet.sql))", [folders.argument])
    try execute("DELETE FROM folders WHERE id IN (\(RowSet.sql))", [folders.argument])
  }
}
