import GRDB

// Families, identifiers and copies that have to be settled again, because of a change. They are queued in the
// transaction of the change, so that a scan that is cut short leaves it to the next.

extension CatalogTransaction {
  /// Queues the families of files, and the identifiers and copies of their assets.
  func markUnsettled(files: RowSet) throws {
    try markFamiliesUnsettled(ofFiles: files)
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE id IN (\(RowSet.sql)) AND content_identifier IS NOT NULL
      """, [files.argument])
    try markCopiesUnsettled(ofFiles: files)
  }

  /// Queues the families of files.
  func markFamiliesUnsettled(ofFiles files: RowSet) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_families SELECT folder_id, family FROM files
      WHERE id IN (\(RowSet.sql))
      """, [files.argument])
  }

  /// Queues a family.
  package func markUnsettled(family: Int64, folder: Int64) throws {
    try execute("INSERT OR IGNORE INTO unsettled_families VALUES (?, ?)", [folder, family])
  }

  /// Queues an identifier.
  func markUnsettled(identifier: String) throws {
    try execute(
      "INSERT OR IGNORE INTO unsettled_identifiers VALUES (?)", [StoredIdentifier(identifier)])
  }

  /// Queues an asset's identifier, for example after its time has changed.
  package func markIdentifierUnsettled(ofAsset asset: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE id = ? AND content_identifier IS NOT NULL
      """, [asset])
  }

  /// Some of the identifiers that have to be settled; empty when all are.
  package func unsettledIdentifiers(limit: Int) throws -> [String] {
    try rows("SELECT content_identifier FROM unsettled_identifiers LIMIT ?", [limit]) {
      row -> String? in (row[0] as StoredIdentifier?)?.text
    }.compactMap(\.self)
  }

  /// Some of the folders with families that have to be settled; empty when all are.
  package func unsettledFolders(limit: Int) throws -> [Int64] {
    try rows("SELECT DISTINCT folder_id FROM unsettled_families LIMIT ?", [limit]) { $0[0] }
  }

  package func markSettled(identifier: String) throws {
    try execute(
      "DELETE FROM unsettled_identifiers WHERE content_identifier = ?",
      [StoredIdentifier(identifier)])
  }

  package func markSettled(folder: Int64) throws {
    try execute("DELETE FROM unsettled_families WHERE folder_id = ?", [folder])
  }

  /// Queues every family of a folder.
  package func markUnsettled(folder: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_families SELECT folder_id, family FROM files
      WHERE folder_id = ?
      """, [folder])
  }
}
