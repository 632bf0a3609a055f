import GRDB

// The number of the change that last wrote an asset, by which observers learn of it.

extension CatalogTransaction {
  /// Gives an asset the number of this change, because something has changed that is not in its row, such as its keywords or
  /// the files that belong to it. If it is part of another asset, the listed one gets the number.
  package func markChanged(asset: Int64) throws {
    // An edited picture's clip is two steps away from its asset.
    try execute(
      """
      UPDATE assets SET revision = (SELECT revision + 1 FROM changes)
      WHERE is_listed AND revision <= (SELECT revision FROM changes) AND id IN (
        SELECT ?1 UNION ALL SELECT absorbed_by FROM assets WHERE id = ?1
        UNION ALL SELECT owner.absorbed_by FROM assets AS part JOIN assets AS owner ON owner.id = part.absorbed_by
        WHERE part.id = ?1)
      """, [asset])
  }
}

extension Database {
  /// The rows that are compared at once, to limit the memory that their numbers take.
  private static let rowsAtOnce = 10_000

  /// Gives assets that this transaction has written the numbers back that they had, if they were not listed before and are
  /// not listed now. So the number of an asset that is not listed is that of the change in which it ceased to be listed, and
  /// observers learn of that once.
  ///
  /// Triggers cannot do that, because one statement takes an asset out of the listing and another one returns it.
  ///
  /// - Parameter committed: reads the state before this transaction.
  func keepRevisionsOfUnlisted(_ committed: any DatabaseReader) throws {
    let written = try Int64.fetchAll(
      cachedStatement(
        sql: """
          SELECT id FROM assets WHERE revision = (SELECT revision + 1 FROM changes) AND NOT is_listed
          """))
    for batch in written.inBatches(of: Self.rowsAtOnce) {
      let known = try committed.read { database in
        try Row.fetchAll(
          database,
          sql: """
            SELECT id, identifier, revision FROM assets WHERE id IN (\(RowSet.sql)) AND NOT is_listed
            """, arguments: [RowSet(batch).argument]
        ).map { (id: $0[0] as Int64, identifier: $0[1] as DatabaseValue, revision: $0[2] as Int64) }
      }
      // A merge may give a row the identifier of another asset.
      let restoration = try cachedStatement(
        sql: "UPDATE assets SET revision = ? WHERE id = ? AND identifier = ?")
      for row in known {
        try restoration.execute(arguments: [row.revision, row.id, row.identifier])
      }
    }
  }
}
