import GRDB
import Query

extension CatalogTransaction {
  /// Writes the words of assets whose texts have changed, so that the search finds them.
  ///
  /// Words are written in batches and not asset by asset: the index then merges one large piece instead
  /// of hundreds of small ones.
  ///
  /// - Parameter limit: of how many assets at most.
  /// - Returns: of how many it was; less than `limit` if no more have changed.
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
