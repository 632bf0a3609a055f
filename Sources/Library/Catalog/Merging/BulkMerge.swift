import Foundation
import GRDB
package import MediaModel
import Migrations
import Synchronization

/// Makes a new catalog of others, several times as fast as an existing one takes them in.
///
/// The rows come first. The indexes, each of them sorted, and the triggers come when all rows are there. Two connections
/// work side by side, because SQLite writes a file with one at a time: this one fills the table of assets and small ones, and
/// ``PartsLoad`` fills another file with the rest, some catalogs later. That is copied into the catalog at the end, by whole
/// records.
///
/// Each of the other catalogs is one transaction in each file, so that a merge which was cut off goes on where it was. That
/// does not outlast a crash of the system, because nothing is synced: then it starts from the beginning.
package final class BulkMerge: Sendable {
  private let path: String
  private let now: Int64
  private let catalog: DatabaseQueue
  private let parts: PartsLoad
  /// The first files of catalogs that are in the catalog, and not yet in the other file.
  private let lacking: Mutex<Set<Int64>>
  /// The last file when the entries of the sparse indexes were counted.
  private let indexedFiles = Mutex<Int64>(0)

  /// Opens what an earlier process has left, or starts from the beginning.
  ///
  /// - Parameters:
  ///   - path: the new catalog, under a name that it has until it is complete. The caller syncs and renames it.
  ///   - session: distinguishes this run of the system, and this list of catalogs, from others.
  ///   - now: milliseconds since 1970 UTC.
  /// - Throws: ``CatalogError``.
  package init(at path: BytePath, session: String, now: Int64) throws {
    (self.path, self.now) = (path.display, now)
    let parts = PartsLoad(BytePath(bytes: path.bytes + Array("-parts".utf8)).display)
    self.parts = parts
    let (catalog, missing) = try CatalogError.translating(path.display) {
      if let left = try? Self.opened(path.display, by: session), (try? parts.open()) != nil {
        return (left, Set(try left.read { try $0.firstFiles }).subtracting(try parts.loaded()))
      }
      Self.remove(path.display, parts)
      let new = try DatabaseQueue(path: path.display, configuration: Catalog.bulkConfiguration)
      try new.write { try Self.create($0, session) }
      try parts.create()
      return (new, [])
    }
    self.catalog = catalog
    lacking = Mutex(missing)
  }

  // MARK: Steps

  /// A catalog whose assets were taken, and whose other rows ``PartsLoad`` takes next.
  private struct Taken: Sendable {
    var file: BytePath
    var counts: MergeCounts
    /// Nil: it has none, or they were taken before.
    var rows: BulkStart.Rows?
  }

  /// What the other connection does next.
  private enum Step: Sendable {
    case load(Taken), finish
  }

  /// How many catalogs the other connection may lag. Each keeps the numbers of its folders in memory.
  private static let distance = 16

  /// Takes in the other catalogs, one after the other, and completes the new one, and closes it. What relates files of
  /// different catalogs is queued, to be settled as after a scan.
  ///
  /// - Parameters:
  ///   - isCancelled: whether to stop before the next catalog. A later merge goes on.
  ///   - merged: receives each path with what was taken from it.
  /// - Returns: the first catalog that knows folders which are filled already, and the ones after it: their rows have to be
  ///   compared. Nil, and no file is left, if those are all, or if an asset is in several catalogs.
  /// - Throws: ``CatalogError``, `CancellationError`.
  package func run(
    _ catalogs: [BytePath], isCancelled: () -> Bool,
    merged: @escaping @Sendable (BytePath, MergeCounts) -> Void
  ) async throws -> [BytePath]? {
    do {
      guard let left = try await fill(catalogs, isCancelled, merged), lacking.withLock(\.isEmpty)
      else {
        discard()
        return nil
      }
      try catalog.unsafely(complete)
      try catalog.close()
      parts.remove()
      return left
    } catch let error as DatabaseError {
      guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE else {
        throw CatalogError(error, path: path)
      }
      discard()
      return nil
    }
  }

  /// Makes both files complete, but for what is copied from one into the other.
  ///
  /// - Returns: as ``run(_:isCancelled:merged:)``.
  private func fill(
    _ catalogs: [BytePath], _ isCancelled: () -> Bool,
    _ merged: @escaping @Sendable (BytePath, MergeCounts) -> Void
  ) async throws -> [BytePath]? {
    let (steps, next) = AsyncStream.makeStream(of: Step.self)
    // One element for each catalog that may be taken. It ends when the other connection fails.
    let (places, free) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<Self.distance { free.yield() }
    async let loading: Void = load(steps, free, merged)
    do {
      var left = catalogs[...]
      var place = places.makeAsyncIterator()
      while let file = left.first {
        guard !isCancelled(), await place.next() != nil else { throw CancellationError() }
        guard let taken = try take(file) else { break }
        next.yield(.load(taken))
        left.removeFirst()
      }
      if !isEmpty {
        next.yield(.finish)
        // Those of the other tables, which are empty here, too.
        try catalog.unsafely { try $0.createMissing("index") }
      }
      next.finish()
      try await loading
      return isEmpty ? nil : Array(left)
    } catch {
      // What was taken is loaded, for the merge that goes on. An error there explains the one here.
      next.finish()
      try await loading
      if isEmpty { discard() }
      throw error
    }
  }

  /// Does what the other connection has to do, in a task of its own.
  ///
  /// - Parameter free: receives an element after each catalog.
  @concurrent
  private func load(
    _ steps: AsyncStream<Step>, _ free: AsyncStream<Void>.Continuation,
    _ merged: @Sendable (BytePath, MergeCounts) -> Void
  ) async throws {
    defer { free.finish() }
    for await step in steps {
      switch step {
      case .load(let taken):
        if let rows = taken.rows {
          try translating(taken.file) { try parts.load(taken.file, rows) }
        }
        merged(taken.file, taken.counts)
        free.yield()
      case .finish: try parts.finish()
      }
    }
  }

  /// Takes the assets of a catalog, and the rest that ``PartsLoad`` does not.
  ///
  /// - Returns: nil, and nothing has changed, if it knows folders that are filled already.
  /// - Throws: ``CatalogError``, after which nothing has changed either.
  private func take(_ file: BytePath) throws -> Taken? {
    try translating(file) {
      try catalog.unsafely { database in
        try database.attachCatalog(file)
        defer { try? database.execute(sql: "DETACH DATABASE shard") }
        var taken: Taken?
        try database.inTransaction(.immediate) {
          let merge = try CatalogMerge(database, path: file.display, now: now)
          switch try merge.beginBulk(lacking: lacking.withLock(\.self)) {
          case .overlapping: return .rollback
          case .taken(let rows):
            taken = Taken(file: file, counts: MergeCounts(isUnchanged: true), rows: rows)
            if let rows { _ = lacking.withLock { $0.remove(rows.firstFile) } }
            return .rollback
          case .new(let rows):
            taken = Taken(file: file, counts: try merge.copyRows(rows), rows: rows)
            try dropDenseIndexes(database)
            return .commit
          }
        }
        return taken
      }
    }
  }

  /// Looks at the indexes whenever there are twice as many assets.
  private func dropDenseIndexes(_ database: Database) throws {
    let count = try database.lastFile
    guard count >= 2 * indexedFiles.withLock(\.self) else { return }
    try database.dropDenseIndexes(count: count)
    indexedFiles.withLock { $0 = count }
  }

  /// Calls something that writes here what it reads in another catalog.
  private func translating<Value>(_ file: BytePath, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw CatalogError(error, merging: file.display, into: path)
    }
  }

  private func complete(_ database: Database) throws {
    try parts.copy(into: database)
    try database.inTransaction(.immediate) {
      try database.createMissing("trigger")
      try database.queueRelations()
      try database.execute(
        sql: """
          UPDATE sqlite_sequence SET seq = (SELECT ifnull(max(last_file), 0) FROM merging_files) WHERE name = 'files';
          DROP TABLE merging; DROP TABLE merging_files; DROP TABLE filled_folders
          """)
      return .commit
    }
    // As catalogs are.
    try database.execute(sql: "PRAGMA main.journal_mode = WAL")
  }

  /// Whether no catalog was taken in yet.
  private var isEmpty: Bool {
    let hasAny = try? catalog.unsafely {
      try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM merged_catalogs)")
    }
    return hasAny == false
  }

  /// Removes all files.
  private func discard() {
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
    try database.dropDerived(except: \.isSparse)
    try database.execute(
      sql: """
        CREATE TABLE merging (session TEXT NOT NULL);
        CREATE TABLE merging_files (
          first_file INTEGER PRIMARY KEY, last_file INTEGER NOT NULL, identity BLOB NOT NULL, scan INTEGER NOT NULL);
        CREATE TABLE filled_folders (id INTEGER PRIMARY KEY)
        """)
    try database.execute(sql: "INSERT INTO merging VALUES (?)", arguments: [session])
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
