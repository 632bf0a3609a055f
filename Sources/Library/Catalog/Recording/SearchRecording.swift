import GRDB
import Query

extension CatalogTransaction {
  /// Writes changed texts of assets to the full-text index.
  ///
  /// Texts are written in batches, because the index then merges one large segment instead of hundreds of small ones.
  ///
  /// - Parameter limit: the largest number of assets to write.
  /// - Returns: the number of assets written; less than `limit` if no others have changed.
  @discardableResult
  package func writeSearch(limit: Int) throws -> Int {
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
      \(SearchText.texts(where: "asset_id IN \(changed)")) ORDER BY asset_id
      """, [last])
    try execute("DELETE FROM search_changes WHERE asset_id <= ?", [last])
    return batch.count
  }
}
