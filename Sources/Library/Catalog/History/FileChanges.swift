import GRDB
package import MediaModel

// What scans found changed, file by file, so that a report can name it later.

/// A change to a known media file, or to a folder with all below it.
package struct FileChange: Sendable, Hashable {
  package enum Kind: String, Sendable {
    /// Its content has changed.
    case changed
    /// It has another path.
    case moved
    /// It was missing, and is back.
    case returned
  }

  /// The path now.
  package var path: BytePath
  /// The path before, of what moved.
  package var oldPath: BytePath?
  /// The identifier of the asset; nil for a folder.
  package var asset: String?
  /// Whether it is a folder, which moved with all below it.
  package var isFolder: Bool
}

extension CatalogTransaction {
  /// How many scans' changes are kept.
  private static let keptScans: Int64 = 400

  /// Forgets the changes that scans found long ago.
  func forgetOldChanges(before scan: Int64) throws {
    try execute("DELETE FROM file_changes WHERE scan_id <= ?", [scan - Self.keptScans])
  }

  /// Records a change to a media file.
  package func addChange(
    _ kind: FileChange.Kind, file: Int64, from oldPath: BytePath? = nil, scan: Int64
  ) throws {
    try execute(
      "INSERT INTO file_changes (scan_id, kind, file_id, old_path) VALUES (?, ?, ?, ?)",
      [scan, kind.rawValue, file, oldPath])
  }

  /// Records that a folder has moved with all below it.
  package func addMove(ofFolder folder: Int64, from oldPath: BytePath, scan: Int64) throws {
    try execute(
      "INSERT INTO file_changes (scan_id, kind, folder_id, old_path) VALUES (?, 'moved', ?, ?)",
      [scan, folder, oldPath])
  }

  /// What scans found changed, in the order in which they found it. A file that has changed several times is named for
  /// each kind once.
  ///
  /// - Parameters:
  ///   - scans: the first and the last scan.
  ///   - date: assets that were added since then are new, not changed. Milliseconds since 1970 UTC.
  ///   - limit: at most this number of them.
  package func changes(
    in scans: ClosedRange<Int64>, _ kind: FileChange.Kind, addedBefore date: Int64, limit: Int
  ) throws -> [FileChange] {
    try rows(
      """
      SELECT min(file_changes.id), old_path, roots.path, folders.path, files.name, identifier, file_id IS NULL
      FROM file_changes LEFT JOIN files ON files.id = file_id LEFT JOIN assets ON assets.id = file_id
      JOIN folders ON folders.id = coalesce(files.folder_id, file_changes.folder_id)
      JOIN roots ON roots.id = folders.root_id
      WHERE \(Self.changesOfKind) GROUP BY file_id, file_changes.folder_id ORDER BY 1 LIMIT ?
      """, [scans.lowerBound, scans.upperBound, kind.rawValue, date, limit]
    ) { row in
      let isFolder: Bool = row[6]
      let old: DatabaseValue = row[1]
      let path =
        isFolder
        ? AssetRow.path(row, root: 2, folder: 3) : AssetRow.path(row, root: 2, folder: 3, name: 4)
      return FileChange(
        path: path, oldPath: BytePath.fromDatabaseValue(old),
        asset: (row[5] as StoredIdentifier?)?.text, isFolder: isFolder)
    }
  }

  /// How many files and folders ``changes(in:_:addedBefore:limit:)`` names without a limit.
  package func changeCount(
    in scans: ClosedRange<Int64>, _ kind: FileChange.Kind, addedBefore date: Int64
  ) throws -> Int {
    try count(
      """
      SELECT count(*) FROM (SELECT 1 FROM file_changes LEFT JOIN files ON files.id = file_id
        LEFT JOIN assets ON assets.id = file_id
        WHERE \(Self.changesOfKind) GROUP BY file_id, file_changes.folder_id)
      """, [scans.lowerBound, scans.upperBound, kind.rawValue, date])
  }

  private static let changesOfKind = """
    scan_id BETWEEN ? AND ? AND file_changes.kind = ? AND files.missing_since IS NULL
      AND ifnull(assets.added_date, -1) < ?
    """
}
