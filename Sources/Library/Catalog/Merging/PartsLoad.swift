import Foundation
import GRDB
import MediaModel
import Query
import Synchronization

/// Fills a file with the rows of a bulk merge that belong to files or assets but are no assets, and with the search index
/// of the assets' texts.
final class PartsLoad: Sendable {
  let path: String
  private let opened = Mutex<DatabaseQueue?>(nil)

  init(_ path: String) {
    self.path = path
  }

  private static let search = "asset_search"

  /// The tables, with the columns that name a file or an asset.
  static let tables = CatalogMerge.parts.merging(["facets": ["asset_id"], "files": ["id"]]) {
    own, _ in own
  }

  private static let facets = "facet, capture_wall, asset_id, subtypes, is_video"

  // MARK: The file

  /// Opens what an earlier process has left.
  func open() throws {
    let queue = try DatabaseQueue(path: path, configuration: Catalog.bulkConfiguration)
    guard try queue.read({ try $0.tableExists("assets") }) else {
      throw CatalogError.damaged(path)
    }
    opened.withLock { $0 = queue }
  }

  func create() throws {
    let queue = try DatabaseQueue(path: path, configuration: Catalog.bulkConfiguration)
    let objects = try SchemaObject.ofCatalogs()
    try queue.write { database in
      for object in objects where Self.tables[object.name] != nil {
        try database.execute(sql: object.sql)
      }
      // What the search index and the facets are made of: both would be changed in many places by every catalog.
      try database.execute(
        sql: """
          CREATE TABLE assets (id INTEGER PRIMARY KEY, name TEXT, title TEXT, caption TEXT);
          CREATE TABLE unsorted_facets (\(Self.facets));
          CREATE TABLE loaded (first_file INTEGER PRIMARY KEY)
          """)
    }
    opened.withLock { $0 = queue }
  }

  func close() throws {
    try opened.withLock { queue in
      try queue?.close()
      queue = nil
    }
  }

  /// Deletes the file.
  func remove() {
    for name in [path, path + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
  }

  private func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let queue = opened.withLock({ $0 }) else { throw CatalogError.absent(path) }
    return try queue.unsafely(body)
  }

  // MARK: Rows

  /// The first file of each catalog whose rows it has.
  func loaded() throws -> [Int64] {
    try access { try Int64.fetchAll($0, sql: "SELECT first_file FROM loaded") }
  }

  /// Copies the rows of a catalog, in one transaction.
  ///
  /// - Throws: ``CatalogError/busy(_:)`` if a process has written it since its assets were taken; `DatabaseError`.
  func load(_ file: BytePath, _ rows: BulkStart.Rows) throws {
    try access { database in
      try database.attach(file)
      defer { try? database.execute(sql: "DETACH DATABASE shard") }
      try database.inTransaction(.immediate) {
        let lastChange = try Data.fetchOne(database, sql: "SELECT state FROM shard.changes")
        guard lastChange == rows.state.lastChange else { throw CatalogError.busy(file.display) }
        try copyFiles(rows, in: database)
        for (table, owners) in CatalogMerge.parts {
          try database.insert(
            table,
            Dictionary(uniqueKeysWithValues: owners.map { ($0, "theirs.\($0) + \(rows.offset)") }),
            from: "shard.\(table) AS theirs", where: "1")
        }
        try database.insert(
          "unsorted_facets", ["asset_id": "theirs.asset_id + \(rows.offset)"],
          from: "shard.facets AS theirs", where: "1")
        try database.execute(
          sql:
            "INSERT INTO assets SELECT id + \(rows.offset), name, title, caption FROM shard.assets")
        // As the other connection does: the next catalog has the same first file if this one has none.
        try database.execute(
          sql: """
            INSERT INTO loaded SELECT ?
            WHERE EXISTS (SELECT 1 FROM shard.files) OR EXISTS (SELECT 1 FROM shard.assets)
            """, arguments: [rows.firstFile])
        return .commit
      }
    }
  }

  private func copyFiles(_ rows: BulkStart.Rows, in database: Database) throws {
    try database.execute(
      sql:
        "CREATE TEMP TABLE IF NOT EXISTS merged_folders (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)"
    )
    let insertion = try database.makeStatement(sql: "INSERT INTO merged_folders VALUES (?, ?)")
    for (old, new) in rows.folders { try insertion.execute(arguments: [old, new]) }
    try database.insert(
      "files", CatalogMerge.fileValues(rows.scan, id: "theirs.id + \(rows.offset)"),
      from: "shard.files AS theirs JOIN merged_folders AS folder ON folder.old = theirs.folder_id",
      where: "1 ORDER BY theirs.id")
    try database.execute(sql: "DELETE FROM merged_folders")
  }

  /// Makes the search index, and the indexes of the tables.
  func finish() throws {
    try access { database in
      try addSearch(database)
      try database.execute(
        sql: """
          DELETE FROM facets;
          INSERT INTO facets (\(Self.facets)) SELECT \(Self.facets) FROM unsorted_facets
          ORDER BY facet, capture_wall, asset_id
          """)
      try database.createMissing("index", of: Set(Self.tables.keys))
    }
  }

  /// Assets whose texts are added at once. SQLite keeps them in a temporary table.
  private static let searchBatch = 1 << 17

  private func addSearch(_ database: Database) throws {
    let columns = SearchText.columns.joined(separator: ", ")
    try database.inTransaction(.immediate) {
      // There may be one after an interruption.
      try database.execute(sql: "DROP TABLE IF EXISTS \(Self.search)")
      for object in try SchemaObject.ofCatalogs() where object.name == Self.search {
        try database.execute(sql: object.sql)
      }
      var first: Int64 = 0
      while let last = try Int64.fetchOne(
        database,
        sql:
          "SELECT max(id) FROM (SELECT id FROM assets WHERE id > ? ORDER BY id LIMIT \(Self.searchBatch))",
        arguments: [first])
      {
        try database.execute(
          sql: """
            INSERT INTO \(Self.search) (rowid, \(columns))
            \(SearchText.texts(where: "id > ? AND id <= ?")) ORDER BY asset_id
            """, arguments: [first, last])
        first = last
      }
      return .commit
    }
  }

  /// Copies everything into a catalog whose tables are empty, have the same indexes, and no triggers: then SQLite copies
  /// whole records without decoding them. The search index is copied as the tables that it consists of ("FTS5", 11.2).
  func copy(into database: Database) throws {
    try close()
    try database.execute(sql: "ATTACH DATABASE ? AS parts", arguments: [path])
    defer { try? database.execute(sql: "DETACH DATABASE parts") }
    let search = try String.fetchAll(
      database, sql: "SELECT name FROM parts.sqlite_master WHERE type = 'table' AND name GLOB ?",
      arguments: ["\(Self.search)_*"])
    try database.inTransaction(.immediate) {
      for table in Array(Self.tables.keys) + search {
        // After an interruption, and what FTS5 writes into an empty index.
        try database.execute(sql: "DELETE FROM main.\(table)")
        try database.execute(sql: "INSERT INTO main.\(table) SELECT * FROM parts.\(table)")
      }
      try database.execute(
        sql: "UPDATE search_progress SET last_asset_id = ifnull((SELECT max(id) FROM assets), 0)")
      return .commit
    }
  }
}
