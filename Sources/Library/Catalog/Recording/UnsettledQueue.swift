import GRDB

// Folders, identifiers and copies that have to be settled again, because of a change. They are queued in the
// transaction of the change, so that a scan that is cut short leaves it to the next.

extension CatalogTransaction {
  /// Queues a file's folder, its asset's identifier and its copies for settlement.
  func markUnsettled(file id: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_folders SELECT folder_id FROM files WHERE id = ?
      """, [id])
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE file_id = ? AND content_identifier IS NOT NULL
      """, [id])
    try markCopiesUnsettled(ofFile: id)
  }

  /// Queues an identifier for settlement.
  func markUnsettled(identifier: String) throws {
    try execute("INSERT OR IGNORE INTO unsettled_identifiers VALUES (?)", [identifier])
  }

  /// Queues an asset's identifier for settlement, for example after its time has changed.
  package func markIdentifierUnsettled(ofAsset asset: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE id = ? AND content_identifier IS NOT NULL
      """, [asset])
  }

  /// Queues a folder for settlement.
  package func markUnsettled(folder id: Int64) throws {
    try execute("INSERT OR IGNORE INTO unsettled_folders VALUES (?)", [id])
  }

  /// Some of the identifiers that have to be settled; empty when all are.
  package func unsettledIdentifiers(limit: Int) throws -> [String] {
    try rows("SELECT content_identifier FROM unsettled_identifiers LIMIT ?", [limit]) { $0[0] }
  }

  /// Some of the folders that have to be settled; empty when all are.
  package func unsettledFolders(limit: Int) throws -> [Int64] {
    try rows("SELECT folder_id FROM unsettled_folders LIMIT ?", [limit]) { $0[0] }
  }

  package func markSettled(identifier: String) throws {
    try execute("DELETE FROM unsettled_identifiers WHERE content_identifier = ?", [identifier])
  }

  package func markSettled(folder: Int64) throws {
    try execute("DELETE FROM unsettled_folders WHERE folder_id = ?", [folder])
  }
}
