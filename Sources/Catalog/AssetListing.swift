import GRDB

extension Catalog {
  /// Hands every asset wanted to `body`, one after the other; never more than one is in memory.
  ///
  /// - Throws: ``CatalogError``, or whatever `body` throws, which ends the listing.
  package func forEachAsset(
    matching filter: AssetFilter, in order: AssetOrder = AssetOrder(),
    with parts: AssetParts = .all,
    _ body: (Asset) throws -> Void
  ) throws {
    try read { database in
      let (sql, arguments) = try AssetQuery(
        filter, order: order, reading: .files, in: database
      ).listing(AssetRow.columns)
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      let reader = AssetReader(database, parts: parts)
      while let row = try rows.next() { try body(reader.asset(row)) }
    }
  }

  /// Reads in one snapshot; what SQLite throws becomes a ``CatalogError``, all else passes.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try database.read(body)
    } catch let error as DatabaseError {
      throw CatalogError(error, path: path)
    }
  }

  /// Writes in one transaction; errors as in ``read(_:)``.
  func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try database.write(body)
    } catch let error as DatabaseError {
      throw CatalogError(error, path: path)
    }
  }
}
