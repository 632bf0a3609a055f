import GRDB
import Query

// Files that have moved from the folders of one catalog into those of another. Which of both is merged first does not matter.

extension CatalogTransaction {
  /// Finds the files that merges have added among those that they have found gone. They keep identifiers, albums and checks.
  ///
  /// - Parameters:
  ///   - departed: the assets that have become missing.
  ///   - last: the largest row that a file had before.
  package func reunite(_ departed: [Int64], filesAfter last: Int64) throws {
    var left = Set(departed)
    var found: Set<Int64> = []
    // As within one catalog, see ``CatalogMerge/matchFiles()``.
    for columns in [
      "fingerprint, size, inode, modified", "fingerprint, size, name", "fingerprint, size",
    ] {
      let pairs = try rows(
        """
        WITH gone AS MATERIALIZED (
            SELECT id, \(columns) FROM files
            WHERE id IN (SELECT value FROM json_each(?1)) AND missing_since IS NOT NULL AND fingerprint IS NOT NULL),
          new AS MATERIALIZED (
            SELECT id, \(columns) FROM files
            WHERE id > ?2 AND fingerprint IN (SELECT fingerprint FROM gone) AND kind = 'media'
              AND missing_since IS NULL AND id NOT IN (SELECT value FROM json_each(?3)))
        SELECT min(gone.id), min(new.id) FROM gone JOIN new USING (\(columns))
        GROUP BY \(columns) HAVING count(*) = 1
        """, [RowSet(left).argument, last, RowSet(found).argument]
      ) { row -> (gone: Int64, new: Int64) in (row[0], row[1]) }
      for pair in pairs {
        try replace(pair.gone, by: pair.new)
        left.remove(pair.gone)
        found.insert(pair.new)
      }
    }
  }

  /// Gives a new asset what users and other programs know of one that is missing, and forgets that one.
  private func replace(_ gone: Int64, by new: Int64) throws {
    let identities = try rows(
      """
      SELECT old.identifier, old.added_date, new.identifier FROM assets AS old CROSS JOIN assets AS new
      WHERE old.id = ? AND new.id = ?
      """, [gone, new]
    ) { row -> (old: DatabaseValue, added: Int64, new: DatabaseValue) in (row[0], row[1], row[2]) }
    guard let identity = identities.first else { return }
    try takeAlbums(new, of: gone)
    try execute("UPDATE OR IGNORE file_checks SET file_id = ? WHERE file_id = ?", [new, gone])
    try detach(files: RowSet([gone]))
    try execute("DELETE FROM files WHERE id = ?", [gone])
    let next = "(SELECT revision + 1 FROM changes)"
    // The trigger has recorded that it was removed.
    try execute(
      "DELETE FROM removed_assets WHERE revision = \(next) AND identifier = ?", [identity.old])
    try execute(
      "UPDATE assets SET identifier = ?, added_date = ?, revision = \(next) WHERE id = ?",
      [identity.old, identity.added, new])
    try execute(
      "INSERT OR IGNORE INTO removed_assets VALUES (\(next), ?)", [identity.new])
  }
}
