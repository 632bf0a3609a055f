import Crypto
import Foundation
import GRDB
import Migrations
import Testing

@testable import Catalog

/// The schema and its migrations.
struct SchemaTests {
  /// The SHA-256 of each migration that a release contains, by its version. Catalogs of that release were made by just
  /// these statements, so they never change. Add a line at each release that adds a migration.
  private static let released: [Int: String] = [:]

  @Test func releasedMigrationsNeverChange() throws {
    for (version, digest) in Self.released {
      let migration = try #require(Migration.all.first { $0.version == version })
      let actual = SHA256.hash(data: Data(migration.sql.utf8))
      #expect(actual.map { String(format: "%02x", $0) }.joined() == digest, "version \(version)")
    }
    #expect(Migration.all.map(\.version) == Array(1...Migration.latest))
  }

  @Test func aNewCatalogIsSoundAndHasTheLatestSchema() throws {
    let folder = try TemporaryFolder()
    let catalog = try Catalog.open(at: folder.appending("catalog.sqlite"), mode: .readWrite)
    try catalog.database.read { database in
      #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == Migration.latest)
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
      // A table without a primary key, or a reference without an index, is a slip.
      let references = try Row.fetchAll(
        database,
        sql: """
          SELECT m.name, f."from", EXISTS (
              SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
              WHERE c.seqno = 0 AND c.name = f."from")
            OR EXISTS (SELECT 1 FROM pragma_table_info(m.name) t WHERE t.name = f."from" AND t.pk = 1)
          FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
          WHERE m.type = 'table' AND f.on_delete <> 'NO ACTION'
          """)
      #expect(references.count > 5)
      for row in references {
        #expect(row[2] as Bool, "\(row[0] as String).\(row[1] as String) has no index")
      }
    }
  }
}

/// Files that an earlier version of a reader has read.
struct ReaderVersionTests {
  private func outdated(_ catalog: Catalog) throws -> [String: Int] {
    try catalog.read { transaction in
      let rows = try transaction.rows(
        """
        SELECT uniform_type, count(*), count(*) FILTER (WHERE files.reader_version = 0)
        FROM files JOIN assets ON assets.id = files.id JOIN origins ON origins.id = origin_id
        WHERE missing_since IS NULL AND error IS NULL GROUP BY 1
        """
      ) { (type: $0[0] as String, all: $0[1] as Int, marked: $0[2] as Int) }
      #expect(rows.count > 2)
      for row in rows { #expect(row.marked == 0 || row.marked == row.all) }
      return Dictionary(rows.map { ($0.type, $0.marked) }, uniquingKeysWith: +).filter {
        $0.value > 0
      }
    }
  }

  @Test func aBetterReaderReadsItsFilesAgain() throws {
    let library = try SampleLibrary(count: 1000)
    let catalog = library.catalog
    try catalog.write { try $0.markOutdatedFiles(versions: ["": 1]) }
    try catalog.database.write { try $0.execute(sql: "UPDATE files SET reader_version = 1") }
    #expect(try outdated(catalog) == [:])
    try catalog.write { try $0.markOutdatedFiles(versions: ["": 1, "public.heic": 2]) }
    #expect(try Set(outdated(catalog).keys) == ["public.heic"])
    // The next scan has read them.
    try catalog.database.write {
      try $0.execute(sql: "UPDATE files SET reader_version = 2 WHERE reader_version = 0")
    }
    try catalog.write { try $0.markOutdatedFiles(versions: ["": 1, "public.heic": 2]) }
    #expect(try outdated(catalog) == [:])
  }
}
