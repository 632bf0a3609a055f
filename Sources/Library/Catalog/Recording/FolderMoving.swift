import GRDB
import MediaModel
import Query

// A folder that was renamed or moved keeps its row, and so all below it keep theirs.

extension CatalogTransaction {
  /// The folders whose files were, after the last scan, exactly those of a digest.
  package func folders(digest: Int64) throws -> [FolderRecord] {
    try rows(
      Self.folderColumns + " WHERE digest = ? AND media_count + unreadable_count > 0", [digest],
      folder)
  }

  /// Whether nothing is recorded in a folder.
  package func isEmpty(folder id: Int64) throws -> Bool {
    try !exists(
      """
      SELECT 1 FROM files WHERE folder_id = ?1
      UNION ALL SELECT 1 FROM folders WHERE parent_id = ?1 LIMIT 1
      """, [id])
  }

  /// Gives a known folder, with all below it, the place of one that was just added.
  ///
  /// - Parameters:
  ///   - moved: must not contain the place.
  ///   - place: in which nothing is recorded; its row is deleted.
  ///   - affectsLabels: whether the folder's name may change the labels of its files. They are read again then.
  /// - Returns: the folder at its new place, and the rows of the folders below it.
  package func move(
    _ moved: FolderRecord, to place: FolderRecord, affectsLabels: Bool
  ) throws -> (folder: FolderRecord?, below: [Int64]) {
    let parent =
      try rows("SELECT parent_id FROM folders WHERE id = ?", [place.id]) {
        $0[0] as Int64?
      }.first ?? nil
    try execute("DELETE FROM folder_search WHERE rowid = ?", [place.id])
    try execute("DELETE FROM folders WHERE id = ?", [place.id])
    try execute("UPDATE folders SET parent_id = ? WHERE id = ?", [parent, moved.id])
    let tree = try rows(
      """
      WITH RECURSIVE tree(id) AS (
        VALUES (?) UNION SELECT folders.id FROM folders JOIN tree ON folders.parent_id = tree.id)
      SELECT id, path FROM folders WHERE id IN (SELECT id FROM tree)
      """, [moved.id]
    ) { (id: $0[0] as Int64, path: $0[1] as BytePath) }
    for (id, old) in tree {
      let path = BytePath(bytes: place.path.bytes + old.bytes.dropFirst(moved.path.bytes.count))
      try execute(
        "UPDATE folders SET root_id = ?, path = ?, name = ? WHERE id = ?",
        [place.rootID, path, BytePath(bytes: path.lastComponent), id])
      try execute(
        "UPDATE folder_search SET path = ? WHERE rowid = ?", [path.display.searchable, id])
    }
    if affectsLabels {
      try execute("UPDATE folders SET digest = NULL WHERE id = ?", [moved.id])
      try execute(
        "UPDATE files SET reader_version = 0 WHERE folder_id = ? AND missing_since IS NULL",
        [moved.id])
    }
    let folders = tree.map(\.id)
    try markMoved(folders: folders)
    return (try folder(moved.id), folders.filter { $0 != moved.id })
  }

  /// The same as ``markMoved(folders:)`` for all folders of a root.
  func markMoved(root: Int64) throws {
    try markMoved(folders: rows("SELECT id FROM folders WHERE root_id = ?", [root]) { $0[0] })
  }

  /// The folders whose assets one statement changes, to limit the memory that its journal takes.
  private static let foldersAtOnce = 100

  /// Gives the assets of folders whose paths have changed a new revision, and has settled again what depends on
  /// paths: bursts by name, and which copies of a still and its clip belong together.
  private func markMoved(folders all: [Int64]) throws {
    let assets = "folder_id IN (\(RowSet.sql))"
    for batch in all.inBatches(of: Self.foldersAtOnce) {
      try execute(
        """
        UPDATE assets SET revision = (SELECT revision + 1 FROM changes) WHERE \(assets) AND is_listed
        """, [RowSet(batch).argument])
    }
    let folders = RowSet(all)
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_families SELECT files.folder_id, family
      FROM assets JOIN files ON files.id = assets.id
      WHERE assets.\(assets) AND typeof(burst_identifier) = 'text'
      """, [folders.argument])
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE \(assets) AND content_identifier IS NOT NULL
      """, [folders.argument])
  }
}
