import GRDB

// Families, identifiers, copies and days that have to be settled again, because of a change. They are queued in the
// transaction of the change, so that a scan that is cut short leaves it to the next.

/// The files of a folder whose names may relate them.
package struct FamilyReference: Sendable, Hashable {
  /// The folder's row.
  package let folder: Int64
  /// As ``FileRecording/family``.
  package let family: Int64
}

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

  /// Queues the families of assets' files.
  package func markUnsettled(families assets: [Int64]) throws {
    try markFamiliesUnsettled(ofFiles: RowSet(assets))
  }

  /// Queues a family.
  func markUnsettled(family: Int64, folder: Int64) throws {
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

  /// Some of the families that have to be settled, by folder; empty when all are.
  package func unsettledFamilies(limit: Int) throws -> [FamilyReference] {
    try rows("SELECT folder_id, family FROM unsettled_families LIMIT ?", [limit]) {
      FamilyReference(folder: $0[0], family: $0[1])
    }
  }

  /// How many identifiers, families and days have to be settled.
  package func unsettledCount() throws -> Int {
    try count(
      """
      SELECT (SELECT count(*) FROM unsettled_identifiers) + (SELECT count(*) FROM unsettled_families)
        + (SELECT count(*) FROM unsettled_zones)
      """)
  }

  package func markSettled(identifier: String) throws {
    try execute(
      "DELETE FROM unsettled_identifiers WHERE content_identifier = ?",
      [StoredIdentifier(identifier)])
  }

  package func markSettled(_ family: FamilyReference) throws {
    try execute(
      "DELETE FROM unsettled_families WHERE folder_id = ? AND family = ?",
      [family.folder, family.family])
  }
}
