import GRDB
import Query

extension CatalogTransaction {
  /// Writes new and changed texts of assets to the full-text index.
  ///
  /// Texts are written in batches, because the index then merges one large segment instead of hundreds of small ones.
  ///
  /// - Parameter limit: the largest number of assets to write, of each of both kinds.
  /// - Returns: the number of assets written; less than `limit` if no others have changed.
  @discardableResult
  package func writeSearch(limit: Int) throws -> Int {
    try max(writeNewTexts(limit), writeChangedTexts(limit))
  }

  /// How many assets have texts that ``writeSearch(limit:)`` has not written.
  package func unsearchedCount() throws -> Int {
    try count(
      """
      SELECT (SELECT count(*) FROM assets WHERE id > (SELECT last_asset_id FROM search_progress))
        + (SELECT count(*) FROM search_changes)
      """)
  }

  /// Assets are written in the order of their ids, which are never reused.
  private func writeNewTexts(_ limit: Int) throws -> Int {
    let batches = try rows(
      """
      SELECT count(*), min(id), max(id) FROM (
        SELECT id FROM assets WHERE id > (SELECT last_asset_id FROM search_progress) ORDER BY id LIMIT ?)
      """, [limit]
    ) { row -> (count: Int, first: Int64?, last: Int64?) in (row[0], row[1], row[2]) }
    guard let batch = batches.first, let first = batch.first, let last = batch.last else {
      return 0
    }
    try execute(
      """
      INSERT INTO asset_search (rowid, \(SearchText.columns.joined(separator: ", ")))
      \(SearchText.texts(where: "id BETWEEN ? AND ?")) ORDER BY asset_id
      """, [first, last])
    try execute("UPDATE search_progress SET last_asset_id = ?", [last])
    return batch.count
  }

  private func writeChangedTexts(_ limit: Int) throws -> Int {
    let batches = try rows(
      """
      SELECT count(*), max(asset_id)
      FROM (SELECT asset_id FROM search_changes ORDER BY asset_id LIMIT ?)
      """, [limit]
    ) { row -> (count: Int, last: Int64?) in (row[0], row[1]) }
    guard let batch = batches.first, let last = batch.last else { return 0 }
    let changed = "(SELECT asset_id FROM search_changes WHERE asset_id <= ?)"
    try execute("DELETE FROM asset_search WHERE rowid IN \(changed)", [last])
    try execute(
      """
      INSERT INTO asset_search (rowid, \(SearchText.columns.joined(separator: ", ")))
      \(SearchText.texts(where: "id IN \(changed)")) ORDER BY asset_id
      """, [last])
    try execute("DELETE FROM search_changes WHERE asset_id <= ?", [last])
    return batch.count
  }
}
