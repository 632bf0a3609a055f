import GRDB

/// The catalog during one transaction: what a scan reads and writes through.
///
/// It lives only inside ``Catalog/write(_:)``; either everything done in there is kept, or nothing.
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

extension Catalog {
  /// Runs `body` outside of any transaction on the writing connection: for looks that change nothing.
  package func look<Value>(
    _ body: (CatalogTransaction) throws -> Value
  ) throws(CatalogError) -> Value {
    try CatalogError.translating(path) {
      try database.inDatabase { try body(CatalogTransaction(database: $0)) }
    }
  }

  /// Runs `body` in one transaction on the writing connection, and waits for it.
  package func write<Value>(
    _ body: (CatalogTransaction) throws -> Value
  ) throws(CatalogError) -> Value {
    try CatalogError.translating(path) {
      try database.write { try body(CatalogTransaction(database: $0)) }
    }
  }
}
