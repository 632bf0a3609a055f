import Foundation
import GRDB
package import MediaModel
import Migrations

/// Makes a new catalog of others, several times as fast as an existing one takes them in.
///
/// The rows come first. The indexes, each of them sorted, and the triggers come when all rows are there. Two connections
/// work side by side, because SQLite writes a file with one at a time: this one fills the table of assets and small ones, and
/// ``PartsLoad`` fills another file with the rest. That is copied into the catalog at the end, by whole records.
///
/// Each of the other catalogs is one transaction, so that a merge which was cut off goes on where it was. That does not
/// outlast a crash of the system, because nothing is synced: then it starts from the beginning.
package final class BulkMerge: Sendable {
  private let path: String
  private let catalog: DatabaseQueue
  private let parts: PartsLoad

  /// Opens what an earlier process has left, or starts from the beginning.
  ///
  /// - Parameters:
  ///   - path: the new catalog, under a name that it has until it is complete. The caller syncs and renames it.
  ///   - session: distinguishes this run of the system, and this list of catalogs, from others.
  /// - Throws: ``CatalogError``.
  package init(at path: BytePath, session: String) throws {
    self.path = path.display
    let parts = PartsLoad(BytePath(bytes: path.bytes + Array("-parts".utf8)).display)
    self.parts = parts
    catalog = try CatalogError.translating(path.display) {
      if let left = try? Self.opened(path.display, by: session), (try? parts.open()) != nil {
        try parts.remove(after: try left.read { try $0.lastFile })
        try left.write { try Self.listFilledFolders($0, parts.filledFolders()) }
        return left
      }
      Self.remove(path.display, parts)
      let new = try DatabaseQueue(path: path.display, configuration: Catalog.bulkConfiguration)
      try new.write { try Self.create($0, session) }
      try parts.create()
      return new
    }
  }

  // MARK: Steps

  /// Takes in another catalog.
  ///
  /// - Returns: nil, and nothing has changed, if it knows folders that are filled already, so that rows have to be compared.
  /// - Throws: ``CatalogError``, after which nothing has changed either.
  package func merge(_ file: BytePath) async throws -> MergeCounts? {
    do {
      return try await copy(file)
    } catch let error as DatabaseError {
      // What is written here was read there: its rows contradict each other.
      let isTheirs = [.SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH]
        .contains(error.resultCode)
      throw isTheirs ? CatalogError.damaged(file.display) : CatalogError(error, path: path)
    }
  }

  private func copy(_ file: BytePath) async throws -> MergeCounts? {
    let rows: BulkStart.Rows
    switch try begin(file) {
    case .rows(let start): rows = start
    case .unchanged:
      try end("ROLLBACK")
      return MergeCounts(isUnchanged: true)
    case .overlapping:
      try end("ROLLBACK")
      return nil
    }
    do {
      async let loading: Void = parts.load(file, rows)
      let counts = try catalog.unsafely { try CatalogMerge($0, path: file.display).copyRows(rows) }
      try await loading
      // First: what has no asset is removed when the merge goes on.
      try parts.commit()
      try end("COMMIT")
      return counts
    } catch {
      parts.rollBack()
      try? end("ROLLBACK")
      throw error
    }
  }

  private func begin(_ file: BytePath) throws -> BulkStart {
    try catalog.unsafely { database in
      try database.attachCatalog(file)
      do {
        try database.execute(sql: "BEGIN IMMEDIATE")
        return try CatalogMerge(database, path: file.display).beginBulk()
      } catch {
        if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
        try? database.execute(sql: "DETACH DATABASE shard")
        throw error
      }
    }
  }

  private func end(_ statement: String) throws {
    try catalog.unsafely { database in
      defer { try? database.execute(sql: "DETACH DATABASE shard") }
      try database.execute(sql: statement)
    }
  }

  /// Completes the catalog, and closes it. What relates files of different catalogs is queued, to be settled as after a
  /// scan.
  ///
  /// - Returns: whether it is complete. If not, an asset is in several of the other catalogs, and they have to be merged
  ///   into a catalog that exists.
  /// - Throws: ``CatalogError``.
  package func finish() async throws -> Bool {
    do {
      async let finishing: Void = parts.finish()
      // Those of the other tables, which are empty here, too.
      try catalog.unsafely { try $0.createMissing("index") }
      try await finishing
      try catalog.unsafely(complete)
      try catalog.close()
      parts.remove()
      return true
    } catch let error as DatabaseError {
      if error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE { return false }
      throw CatalogError(error, path: path)
    }
  }

  private func complete(_ database: Database) throws {
    try parts.copy(into: database)
    try database.inTransaction(.immediate) {
      try database.createMissing("trigger")
      try database.queueRelations()
      try database.execute(
        sql: """
          UPDATE sqlite_sequence SET seq = (SELECT max(last_file) FROM merging_files) WHERE name = 'files';
          DROP TABLE merging; DROP TABLE merging_files
          """)
      return .commit
    }
    // As catalogs are.
    try database.execute(sql: "PRAGMA main.journal_mode = WAL")
  }

  /// Whether no catalog was taken in yet.
  package var isEmpty: Bool {
    let hasAny = try? catalog.unsafely {
      try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM merged_catalogs)")
    }
    return hasAny == false
  }

  /// Removes all files.
  package func discard() {
    try? catalog.close()
    try? parts.close()
    Self.remove(path, parts)
  }

  private static func remove(_ path: String, _ parts: PartsLoad) {
    for name in [path, path + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
    parts.remove()
  }

  // MARK: The file

  /// Opens what an earlier process has left.
  ///
  /// - Throws: an error if that is of no use.
  private static func opened(_ path: String, by session: String) throws -> DatabaseQueue {
    guard FileManager.default.fileExists(atPath: path) else { throw CatalogError.absent(path) }
    let left = try DatabaseQueue(path: path, configuration: Catalog.bulkConfiguration)
    try left.write { database in
      let found = try String.fetchOne(database, sql: "SELECT session FROM merging")
      guard found == session else { throw CatalogError.unfinished(path) }
    }
    return left
  }

  private static func create(_ database: Database, _ session: String) throws {
    for migration in Migration.all { try database.execute(sql: migration.sql) }
    try database.dropDerived()
    try database.execute(
      sql: """
        CREATE TABLE merging (session TEXT NOT NULL);
        CREATE TABLE merging_files (first_file INTEGER PRIMARY KEY, last_file INTEGER NOT NULL)
        """)
    try database.execute(sql: "INSERT INTO merging VALUES (?)", arguments: [session])
    try listFilledFolders(database, [])
  }

  /// Lists the folders with files in a temporary table.
  private static func listFilledFolders(_ database: Database, _ folders: [Int64]) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE filled_folders (id INTEGER PRIMARY KEY);
        INSERT INTO filled_folders \(RowSet.sql)
        """, arguments: [RowSet(folders).argument])
  }
}

extension Database {
  /// Queues what files of different catalogs have in common: the identifier of a live photo, or the content. The files of
  /// each catalog have numbers without gaps for others between them.
  fileprivate func queueRelations() throws {
    func part(_ id: String) -> String {
      "(SELECT max(first_file) FROM merging_files WHERE first_file <= \(id))"
    }
    let isApart = "HAVING count(*) > 1 AND \(part("min(id)")) <> \(part("max(id)"))"
    try execute(
      sql: """
        INSERT OR IGNORE INTO unsettled_identifiers
        SELECT content_identifier FROM assets WHERE content_identifier IS NOT NULL
        GROUP BY content_identifier \(isApart);
        INSERT OR IGNORE INTO unsettled_contents
        SELECT fingerprint FROM files WHERE fingerprint IS NOT NULL GROUP BY fingerprint \(isApart)
        """)
  }
}

extension DatabaseQueue {
  /// Works on the connection without a transaction, or within one that several calls share. Waits; must not be called
  /// by two tasks.
  func unsafely<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try unsafeReentrantWrite(body)
  }
}
