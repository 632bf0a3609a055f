import GRDB

/// The catalog during one transaction, through which all of it is read and written.
///
/// It lives only inside ``Catalog/read(_:)``, which sees one state of it, and ``Catalog/write(_:)``, of which
/// either everything is kept or nothing.
package struct CatalogTransaction {
  let database: Database

  /// Runs a statement that is prepared once for the connection.
  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The rows a statement gives, each mapped to a value.
  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments = [], _ value: (Row) -> Value
  ) throws -> [Value] {
    let statement = try database.cachedStatement(sql: sql)
    var values: [Value] = []
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try cursor.next() { values.append(value(row)) }
    return values
  }
}
