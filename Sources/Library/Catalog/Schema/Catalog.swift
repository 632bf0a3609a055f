// Catalog: the one SQLite file that describes the library.
//
// It contains everything that a scan found, so that every question is answered without opening a picture: the assets,
// their files and folders, and the history of scans. The module turns conditions into single SQL statements that an
// index answers, and rows into values. No SQL leaves it, and no text that a user typed becomes part of a statement:
// values are always bound.
//
// The schema is in `Migrations/`; docs/catalog.md explains it for users of sqlite3. SQLite runs in WAL mode: one scan
// writes while any number of listings read.

import Foundation
import GRDB
package import MediaModel
import SQLite

/// An open catalog.
///
/// The folders of this module extend it with their queries. The connection is closed with the last copy of this value.
package struct Catalog: Sendable {
  /// What an opened catalog may be used for.
  package enum Mode: Sendable {
    /// Creates the catalog and its folder if need be.
    case readWrite
    /// For questions: works while a scan writes, and costs little to open.
    case readOnly
  }

  /// The file's path as it was given.
  package let path: String
  /// The file itself: absolute, without symbolic links, one for all names that lead to it.
  package var location: BytePath {
    BytePath(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
  }
  /// For writing: a pool, so that reads go on during a write, each with the state before it.
  ///
  /// - Throws: ``CatalogError/replaced(_:)``.
  var database: any DatabaseWriter {
    get throws { try connection.database }
  }
  private let connection: CatalogConnection

  init(path: String, _ connection: CatalogConnection) {
    (self.path, self.connection) = (path, connection)
  }

  private let shared = SharedRows()

  /// Whether the reads of the current task end when it is cancelled.
  @TaskLocal private static var endsWhenCancelled = false

  /// Runs a query of the catalog whose reads end soon after the current task is cancelled. Its writes are completed.
  ///
  /// - Throws: `CancellationError`, or what `body` throws.
  package static func endingWhenCancelled<Value>(_ body: () throws -> Value) throws -> Value {
    try Task.checkCancellation()
    return try $endsWhenCancelled.withValue(true) { try body() }
  }

  /// Reads in one snapshot.
  ///
  /// - Throws: ``CatalogError`` for what SQLite throws, `CancellationError` within ``endingWhenCancelled(_:)``, else what
  ///   `body` does.
  package func read<Value>(_ body: (CatalogTransaction) throws -> Value) throws -> Value {
    let endsWhenCancelled = Self.endsWhenCancelled
    if endsWhenCancelled { try Task.checkCancellation() }
    return try naming {
      try connection.read { database in
        let transaction = CatalogTransaction(database: database)
        guard endsWhenCancelled else { return try body(transaction) }
        return try database.endingWhenCancelled { try body(transaction) }
      }
    }
  }

  /// Writes in one transaction, and waits for it; errors as in ``read(_:)``.
  ///
  /// If it changes anything, the catalog's revision grows by one; assets that it writes have the new number.
  package func write<Value>(_ body: (CatalogTransaction) throws -> Value) throws -> Value {
    do {
      return try naming { try changing(body) }
    } catch {
      shared.forget()
      throw error
    }
  }

  private func changing<Value>(_ body: (CatalogTransaction) throws -> Value) throws -> Value {
    let pool = try database
    return try pool.write { database in
      let before = database.totalChangesCount
      let value = try body(CatalogTransaction(database: database, shared: shared))
      if database.totalChangesCount != before {
        try database.keepRevisionsOfUnlisted(pool)
        try database.cachedStatement(sql: "UPDATE changes SET revision = revision + 1").execute()
      }
      return value
    }
  }

  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_INTERRUPT { throw CancellationError() }
      throw CatalogError(error, path: path)
    } catch is DecodingError {
      throw CatalogError.damaged(path)
    }
  }
}
