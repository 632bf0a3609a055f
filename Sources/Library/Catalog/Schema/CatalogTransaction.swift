import GRDB
import SQLite

/// The catalog during one transaction, through which all of it is read and written.
///
/// It lives only inside ``Catalog/read(_:)``, which sees one state of it, and ``Catalog/write(_:)``, of which
/// either everything is kept or nothing.
package struct CatalogTransaction {
  let database: Database
  /// Rows that many assets refer to. What a failed transaction has added is forgotten with it.
  let shared: SharedRows

  init(database: Database, shared: SharedRows = SharedRows()) {
    self.database = database
    self.shared = shared
  }

  /// Runs a statement that is prepared once for the connection.
  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    let statement = try database.cachedStatement(sql: sql)
    // `execute(arguments:)` binds by recursion, a call for each argument, which takes longer than copying small values.
    try statement.setArguments(arguments)
    try statement.execute()
  }

  /// Runs a statement that is prepared once for the connection, as a scan does for every file.
  func write(_ sql: String, _ values: [DatabaseValue]) throws {
    try database.cachedStatement(sql: sql).run(values)
  }

  /// The rows a statement gives, each mapped to a value.
  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments = [], _ value: (Row) throws -> Value
  ) throws -> [Value] {
    let statement = try database.cachedStatement(sql: sql)
    var values: [Value] = []
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try cursor.next() { values.append(try value(row)) }
    return values
  }

  /// Whether a statement gives a row.
  func exists(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    return try cursor.next() != nil
  }

  /// The first column of the only row of a statement that counts.
  func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) ?? 0
  }
}

/// A set of row numbers as the argument of a statement, which reads them by ``sql``.
struct RowSet {
  /// A query for the numbers, to be used in `IN (…)`.
  static let sql = "SELECT value FROM json_each(?)"

  /// A JSON array.
  let argument: String

  init(_ numbers: some Sequence<Int64>) {
    argument = "[" + numbers.map(String.init).joined(separator: ",") + "]"
  }
}
