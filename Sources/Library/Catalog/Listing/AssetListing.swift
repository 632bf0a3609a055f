import GRDB
package import Query

extension Catalog {
  /// Hands every asset wanted to `body`, one after the other; never more than one is in memory.
  ///
  /// - Throws: ``CatalogError``, or whatever `body` throws, which ends the listing.
  package func forEachAsset(
    matching filter: AssetFilter, in order: AssetOrder = AssetOrder(),
    with parts: AssetParts = .all,
    _ body: (Asset) throws -> Void
  ) throws {
    try read { transaction in
      let database = transaction.database
      let (sql, arguments) = try AssetQuery(
        filter, order: order, reading: .files, in: database
      ).listing(AssetRow.columns)
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      let reader = AssetReader(database, parts: parts)
      while let row = try rows.next() { try body(reader.asset(row)) }
    }
  }
}
