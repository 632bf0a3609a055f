import Foundation
import GRDB
package import MediaModel
import Migrations
import Query

/// Writes the part of a catalog that belongs to a shard as a catalog of its own, in which scans of the shard go on. The
/// numbers of rows stay.
package struct CatalogSplit {
  private let source: BytePath
  private let shard: Shard
  private let now: Int64

  /// - Parameters:
  ///   - source: the catalog's file, which is only read.
  ///   - now: milliseconds since 1970 UTC.
  package init(_ source: BytePath, shard: Shard, now: Int64) {
    (self.source, self.shard, self.now) = (source, shard, now)
  }

  /// Writes the shard's catalog. Its live photos and copies have to be settled afterwards, because some have a half in
  /// another shard.
  ///
  /// - Parameter file: does not exist. Nothing is synced.
  /// - Throws: ``CatalogError``.
  package func write(to file: BytePath) throws {
    try CatalogError.translating(file.display) {
      let queue = try DatabaseQueue(
        path: file.display, configuration: Catalog.bulkConfiguration)
      try queue.writeWithoutTransaction { database in
        for migration in Migration.all { try database.execute(sql: migration.sql) }
        try database.dropDerived()
        try database.attachCatalog(source)
        try database.inTransaction(.immediate) {
          try copyFolders(in: database)
          try findFiles(in: database)
          try copyRows(in: database)
          try copyQueues(in: database)
          try queueCopies(in: database)
          try database.createMissing("index")
          try database.createMissing("trigger")
          return .commit
        }
        try database.execute(sql: "DETACH DATABASE shard; PRAGMA main.journal_mode = WAL")
      }
      try queue.close()
    }
    try Catalog.open(at: file.display, mode: .readWrite).write { try $0.removeForeignFiles() }
  }

  // MARK: Rows

  /// Copies the library folders, and the folders of the shard with those above them.
  private func copyFolders(in database: Database) throws {
    let all = try Row.fetchCursor(database, sql: "SELECT id, path FROM shard.folders")
    var own: [Int64] = []
    while let row = try all.next() {
      if shard.owns(folder: row[1] as BytePath) { own.append(row[0]) }
    }
    try database.execute(
      sql: """
        CREATE TEMP TABLE own_folders (id INTEGER PRIMARY KEY);
        INSERT INTO own_folders \(RowSet.sql)
        """, arguments: [RowSet(own).argument])
    try database.insert("roots", [:], from: "shard.roots AS theirs", where: "1")
  }

  /// Finds the files of the shard, and those of others to which they belong or that belong to them.
  private func findFiles(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE own_files (id INTEGER PRIMARY KEY, is_foreign INTEGER NOT NULL);
        INSERT INTO own_files
        SELECT files.id, 0 FROM own_folders CROSS JOIN shard.files ON folder_id = own_folders.id ORDER BY 1;
        INSERT OR IGNORE INTO own_files
        SELECT absorbed_by, 1 FROM own_files JOIN shard.assets USING (id) WHERE absorbed_by IS NOT NULL;
        INSERT OR IGNORE INTO own_files
        SELECT assets.id, 1 FROM own_files CROSS JOIN shard.assets ON absorbed_by = own_files.id;
        """)
    // A folder that scans of the shard do not read has no digest.
    let counts = ["media_count", "unreadable_count", "sidecar_count", "ignored_count"]
    var values = Dictionary(
      uniqueKeysWithValues: counts.map { ($0, "iif(own.id IS NULL, 0, theirs.\($0))") })
    for column in ["digest", "title"] {
      values[column] = "iif(own.id IS NULL, NULL, theirs.\(column))"
    }
    try database.insert(
      "folders", values,
      from: "shard.folders AS theirs LEFT JOIN own_folders AS own ON own.id = theirs.id",
      where: """
        theirs.id IN (
          WITH RECURSIVE needed(id) AS (
            SELECT own_folders.id FROM own_folders JOIN shard.folders AS known ON known.id = own_folders.id
            WHERE known.digest IS NOT NULL
            UNION SELECT folder_id FROM own_files JOIN shard.files USING (id)
            UNION SELECT parent_id FROM needed JOIN shard.folders USING (id) WHERE parent_id IS NOT NULL)
          SELECT id FROM needed UNION SELECT id FROM shard.folders WHERE parent_id IS NULL)
        ORDER BY theirs.id
        """)
  }

  private func copyRows(in database: Database) throws {
    for table in [
      "origins", "capture_sources", "readers", "albums", "saved_searches", "scans", "changes",
    ] {
      try database.execute(sql: "DELETE FROM main.\(table)")
      try database.insert(table, [:], from: "shard.\(table) AS theirs", where: "1")
    }
    // Exports recognise their results by it.
    try database.execute(
      sql: """
        UPDATE main.secrets SET value = (SELECT value FROM shard.secrets WHERE name = 'export')
        WHERE name = 'export';
        INSERT INTO main.scanned_part VALUES (1, ?, ?)
        """, arguments: [shard.number, shard.count])
    // What this catalog has of albums when it is merged back was there before, and may have been removed meanwhile.
    try database.execute(
      sql: """
        INSERT INTO main.merged_catalogs (identity, state, number, count, latest_addition, last_scan)
        SELECT value, (SELECT state FROM shard.changes), 0, 0, ?, (SELECT ifnull(max(id), 0) FROM shard.scans)
        FROM shard.secrets WHERE name = 'identity'
        """, arguments: [min(try database.latestAddition, now)])
    var tables = PartsLoad.tables.mapValues { $0[0] }
    tables["assets"] = "id"
    tables["album_assets"] = "asset_id"
    tables["file_checks"] = "file_id"
    tables["known_failures"] = "file_id"
    for (table, owner) in tables {
      try database.insert(
        table, [:],
        from: "own_files AS own CROSS JOIN shard.\(table) AS theirs ON theirs.\(owner) = own.id",
        where: "1 ORDER BY own.id")
    }
    try copyFailures(in: database)
    // Sidecars of the shard describe assets of the shard.
    try database.execute(
      sql: "DELETE FROM asset_sidecars WHERE file_id NOT IN (SELECT file_id FROM sidecars)")
    try CatalogTransaction(database: database).fillSharedSearch()
  }

  /// Copies what is known of folders, and of files that are not in the catalog.
  private func copyFailures(in database: Database) throws {
    let roots = try BytePath.fetchAll(database, sql: "SELECT path FROM roots")
    let failures = try Row.fetchAll(
      database, sql: "SELECT id, path FROM shard.known_failures WHERE path IS NOT NULL")
    let own = failures.filter { row in
      let path: BytePath = row[1]
      guard let root = roots.first(where: { path.isWithin($0) }) else { return true }
      let below = BytePath(bytes: Array(path.bytes.dropFirst(root.bytes.count).drop { $0 == 0x2F }))
      return shard.owns(folder: below) || shard.owns(folder: below.parent)
    }
    try database.execute(
      sql: "CREATE TEMP TABLE own_failures AS \(RowSet.sql)",
      arguments: [RowSet(own.map { $0[0] as Int64 }).argument])
    try database.insert(
      "known_failures", [:], from: "shard.known_failures AS theirs",
      where: "id IN (SELECT value FROM own_failures)")
  }

  /// Copies what an interrupted scan has left to settle.
  private func copyQueues(in database: Database) throws {
    for table in ["unsettled_families", "unsettled_zones"] {
      try database.insert(
        table, [:], from: "shard.\(table) AS theirs",
        where:
          "folder_id IN (SELECT id FROM own_folders) AND folder_id IN (SELECT id FROM main.folders)"
      )
    }
    for table in ["unsettled_identifiers", "unsettled_contents"] {
      try database.insert(table, [:], from: "shard.\(table) AS theirs", where: "1")
    }
  }

  /// Queues the contents that files of the shard share with others.
  private func queueCopies(in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.unsettled_contents
        SELECT fingerprint FROM (SELECT DISTINCT fingerprint FROM main.files WHERE fingerprint IS NOT NULL) AS own
        WHERE EXISTS (
          SELECT 1 FROM shard.files AS other
          WHERE other.fingerprint = own.fingerprint AND other.id NOT IN (SELECT id FROM own_files WHERE NOT is_foreign));
        CREATE TABLE foreign_files AS SELECT id FROM own_files WHERE is_foreign
        """)
  }
}

extension CatalogTransaction {
  /// Removes the files of other shards, and separates what belongs to them.
  fileprivate func removeForeignFiles() throws {
    let foreign = RowSet(try rows("SELECT id FROM foreign_files") { $0[0] as Int64 })
    try markUnsettled(files: foreign)
    try detach(files: foreign)
    try execute("DELETE FROM files WHERE id IN (\(RowSet.sql))", [foreign.argument])
    try database.execute(sql: "DELETE FROM removed_assets; DROP TABLE foreign_files")
    try forgetEmptyFolders()
  }
}
