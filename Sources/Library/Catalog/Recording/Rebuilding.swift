import GRDB
package import MediaModel
import Query

extension CatalogTransaction {
  /// Has this scan read every file in a folder and below it again, and make what it derives from them again.
  /// Identifiers of assets stay, as does what is known of missing files. If the scan is cut short, the next one goes on.
  ///
  /// - Parameters:
  ///   - root: the row of the library folder.
  ///   - path: the folder's path below it.
  package func markForReading(root: Int64, below path: BytePath) throws {
    let folders = RowSet(try folders(ofRoot: root, at: path))
    try execute(
      "UPDATE folders SET digest = NULL WHERE id IN (\(RowSet.sql))", [folders.argument])
    try execute(
      """
      UPDATE files SET reader_version = 0
      WHERE missing_since IS NULL AND reader_version <> 0 AND folder_id IN (\(RowSet.sql))
      """, [folders.argument])
  }

  /// Makes what the catalog derives from its own rows again: the search index, and the lists of assets of each kind.
  /// The scan fills the search index.
  package func rebuildIndexes() throws {
    for table in ["asset_search", "folder_search", "origin_search"] {
      let sql = try rows("SELECT sql FROM sqlite_master WHERE name = ?", [table]) {
        $0[0] as String
      }
      // Without the table there would have been an error before.
      try database.execute(sql: (["DROP TABLE \(table)"] + sql).joined(separator: "; "))
    }
    try fillSharedSearch()
    try execute("UPDATE search_progress SET last_asset_id = 0")
    try execute("DELETE FROM search_changes")
    try execute("DELETE FROM facets")
    try execute(
      """
      INSERT INTO facets
      SELECT bit, ifnull(capture_wall, -9223372036854775808), assets.id, subtypes, is_video
      FROM assets JOIN facet_bits ON assets.facets & bit
      """)
  }

  /// The rows of a folder, and of all folders below it.
  private func folders(ofRoot root: Int64, at path: BytePath) throws -> [Int64] {
    try rows(
      """
      WITH RECURSIVE subtree(id) AS (
        SELECT id FROM folders WHERE root_id = ? AND path = ?
        UNION ALL SELECT folders.id FROM folders JOIN subtree ON folders.parent_id = subtree.id)
      SELECT id FROM subtree
      """, [root, path]
    ) { $0[0] }
  }

  /// Fills the search tables of folders and origins.
  func fillSharedSearch() throws {
    let folders = try rows("SELECT id, path FROM folders") { row -> (Int64, BytePath) in
      (row[0], row[1])
    }
    for (id, path) in folders { try addSearch(ofFolder: id, path) }
    let origins = try rows("SELECT id, \(Origin.columns) FROM origins") { row -> (Int64, Origin) in
      (row[0], Origin(row, at: 1))
    }
    for (id, origin) in origins { try addSearch(ofOrigin: id, origin) }
  }

  /// Makes the words of a folder's path find its assets.
  func addSearch(ofFolder id: Int64, _ path: BytePath) throws {
    try execute(
      "INSERT INTO folder_search (rowid, path) VALUES (?, ?)", [id, path.display.searchable])
  }

  /// Makes the words of a camera's name find its assets.
  func addSearch(ofOrigin id: Int64, _ origin: Origin) throws {
    try execute(
      "INSERT INTO origin_search (rowid, camera) VALUES (?, ?)",
      [id, origin.cameraText.searchable])
  }
}
