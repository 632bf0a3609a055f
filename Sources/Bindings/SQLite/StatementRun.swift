import CSQLite
package import GRDB

extension Statement {
  /// Binds values and runs the statement to its end. Rows that it yields are discarded.
  ///
  /// GRDB's own way turns every value into `StatementArguments`, and SQLite copies every text. A scan writes some
  /// 50 values for each file, and that took a fifth of its time. Here SQLite reads all texts from one buffer.
  ///
  /// - Parameter values: one for each parameter.
  /// - Throws: `DatabaseError`.
  package func run(_ values: [DatabaseValue]) throws {
    let statement = unsafe sqliteStatement
    guard unsafe Int(sqlite3_bind_parameter_count(statement)) == values.count else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "\(values.count) values for a statement", sql: sql)
    }
    var texts: [UInt8] = []
    var lengths: [Int32] = []
    for value in values {
      let start = texts.count
      switch value.storage {
      case .string(let text): texts.append(contentsOf: text.utf8)
      case .blob(let data): texts.append(contentsOf: data)
      case .null, .int64, .double: continue
      }
      guard let length = Int32(exactly: texts.count - start) else {
        throw DatabaseError(resultCode: .SQLITE_TOOBIG, sql: sql)
      }
      lengths.append(length)
    }
    // An empty text needs an address, too.
    texts.append(0)
    let status = unsafe texts.withUnsafeBufferPointer { texts in
      defer {
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
      }
      return unsafe Self.run(statement, values, texts, lengths)
    }
    if let status {
      throw DatabaseError(resultCode: status.code, message: status.message, sql: sql)
    }
  }

  /// Binds and runs.
  ///
  /// - Parameters:
  ///   - texts: the bytes of all texts and blobs, which stay in place.
  ///   - lengths: of each text and blob.
  /// - Returns: the error, nil without one.
  private static func run(
    _ statement: OpaquePointer, _ values: [DatabaseValue], _ texts: UnsafeBufferPointer<UInt8>,
    _ lengths: [Int32]
  ) -> (code: ResultCode, message: String?)? {
    var address = texts.baseAddress
    var nextLength = lengths.makeIterator()
    for (index, value) in zip(Int32(1)..., values) {
      let status: Int32
      switch value.storage {
      case .null: continue  // As after `sqlite3_clear_bindings`.
      case .int64(let number): status = unsafe sqlite3_bind_int64(statement, index, number)
      case .double(let number): status = unsafe sqlite3_bind_double(statement, index, number)
      case .string, .blob:
        guard let start = unsafe address, let length = nextLength.next() else {
          return (.SQLITE_MISUSE, nil)
        }
        if case .string = value.storage {
          status = unsafe UnsafeRawPointer(start).withMemoryRebound(
            to: CChar.self, capacity: Int(length)
          ) { unsafe sqlite3_bind_text(statement, index, $0, length, nil) }
        } else {
          status = unsafe sqlite3_bind_blob(statement, index, start, length, nil)
        }
        unsafe address = start + Int(length)
      }
      if status != SQLITE_OK { return unsafe error(status, of: statement) }
    }
    var status = SQLITE_ROW
    while status == SQLITE_ROW { status = unsafe sqlite3_step(statement) }
    return status == SQLITE_DONE ? nil : unsafe error(status, of: statement)
  }

  private static func error(
    _ status: Int32, of statement: OpaquePointer
  ) -> (code: ResultCode, message: String?) {
    let message = unsafe sqlite3_errmsg(sqlite3_db_handle(statement))
    return (ResultCode(rawValue: status), unsafe message.map { unsafe String(cString: $0) })
  }
}
