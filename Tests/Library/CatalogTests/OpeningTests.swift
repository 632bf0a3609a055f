import Foundation
import GRDB
import MediaModel
import Migrations
import Testing

@testable import Catalog
@testable import Query

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func appending(_ name: String) -> String { "\(path)/\(name)" }
}

struct OpeningTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.appending("data/shoebox/catalog.sqlite")
  }

  @Test func writingMakesTheCatalogInAPrivateFolder() throws {
    let catalog = try Catalog.open(at: path, mode: .readWrite)
    let journal = try catalog.database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    #expect(journal == "wal")
    let integrity = try catalog.database.read {
      try String.fetchOne($0, sql: "PRAGMA integrity_check")
    }
    #expect(integrity == "ok")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.appending("data/shoebox"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  /// What a crash leaves of a catalog that could not become a WAL file.
  @Test(arguments: [Catalog.Mode.readOnly, .readWrite])
  func aTransactionThatACrashCutOffIsUndone(mode: Catalog.Mode) throws {
    try Catalog.open(at: path, mode: .readWrite).database.close()
    let crashed = folder.appending("crashed.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      defer { try? database.rollback() }
      try database.execute(
        sql: """
          PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; CREATE TABLE spill (text);
          INSERT INTO spill VALUES ('whole'); BEGIN; UPDATE spill SET text = 'cut off';
          INSERT INTO spill WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500)
            SELECT printf('%0500d', i) FROM n
          """)
      for end in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: crashed + end)
      }
    }
    let catalog = try Catalog.open(at: crashed, mode: mode)
    let texts = try catalog.database.read { database in
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      return try String.fetchAll(database, sql: "SELECT text FROM spill")
    }
    #expect(texts == ["whole"])
  }

  @Test func aPathThatCannotBeACatalogIsSaidClearly() throws {
    for mode in [Catalog.Mode.readOnly, .readWrite] {
      #expect(throws: CatalogError.isAFolder(folder.path)) {
        try Catalog.open(at: folder.path, mode: mode)
      }
    }
    let file = folder.appending("file")
    try Data("x".utf8).write(to: URL(filePath: file))
    for inside in ["\(file)/catalog.sqlite", "/proc/nowhere/catalog.sqlite"] {
      #expect(throws: CatalogError.noFolder(inside)) {
        try Catalog.open(at: inside, mode: .readWrite)
      }
      #expect(throws: CatalogError.absent(inside)) {
        try Catalog.open(at: inside, mode: .readOnly)
      }
    }
  }

  /// Like a folder that is not writable. Nothing is read-only to root, so another file has the name of the one that
  /// SQLite would create.
  @Test(arguments: ["catalog.sqlite", "100% ä?#;.sqlite"])
  func whereSQLiteCanMakeNoFilesTheCatalogIsRead(name: String) throws {
    let path = folder.appending(name)
    let writer = try Catalog.open(at: path, mode: .readWrite)
    try writer.database.write {
      try $0.execute(sql: "INSERT INTO roots VALUES (1, '/photos', 0, 1, 1)")
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    try writer.database.close()
    try? FileManager.default.removeItem(atPath: path + "-shm")
    // SQLite follows no links here.
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: folder.appending("elsewhere"))
    #expect(try Catalog.open(at: path, mode: .readOnly).roots().count == 1)
    // The content of the log would be missing.
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(throws: CatalogError.unwritableFolder(path)) {
      try Catalog.open(at: path, mode: .readOnly)
    }
  }

  /// As for a user who may only read it: SQLite can make no files next to it. The link is as above.
  @Test func aCatalogThatCannotBeWrittenIsCopied() async throws {
    let writer = try Catalog.open(at: path, mode: .readWrite)
    try await writer.database.write {
      try $0.execute(sql: "INSERT INTO roots VALUES (1, '/photos', 0, 1, 1)")
    }
    try writer.database.close()
    try? FileManager.default.removeItem(atPath: path + "-shm")
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: folder.appending("elsewhere"))
    let copy = folder.appending("copy.sqlite")
    try Data().write(to: URL(filePath: copy))
    try await Catalog.open(at: path, mode: .readOnly).copy(to: BytePath(copy))
    let database = try DatabaseQueue(path: copy)
    let facts = try await database.read { database in
      try ["journal_mode", "integrity_check"].map {
        try String.fetchOne(database, sql: "PRAGMA \($0)")
      }
    }
    #expect(facts == ["delete", "ok"])
    try database.close()
    for file in [copy + "-wal", copy + "-shm", copy + "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    #expect(try Catalog.open(at: copy, mode: .readOnly).roots().count == 1)
  }

  /// A server that may not write next to the catalog sees what its owner's scans do. The link is as above.
  @Test func aReaderWithoutSQLitesFilesSeesChanges() throws {
    let index = path + "-shm"
    func write(_ root: Int) throws {
      try? FileManager.default.removeItem(atPath: index)
      let writer = try Catalog.open(at: path, mode: .readWrite)
      try writer.database.write {
        try $0.execute(
          sql: "INSERT INTO roots VALUES (?, ?, 0, 1, ?)", arguments: [root, "/\(root)", root])
      }
      try writer.database.close()
      try? FileManager.default.removeItem(atPath: index)
      try FileManager.default.createSymbolicLink(
        atPath: index, withDestinationPath: folder.appending("elsewhere"))
    }
    try write(1)
    let reader = try Catalog.open(at: path, mode: .readOnly)
    #expect(try reader.roots().count == 1)
    for root in 2...4 {
      try write(root)
      #expect(try reader.roots().count == root)
    }
  }

  /// As when a backup is restored while a server runs.
  @Test func aFileThatReplacesAnOpenCatalogIsReadAndNotWritten() throws {
    func insertRoot(_ path: String, in catalog: Catalog) throws {
      try catalog.write {
        try $0.database.execute(
          sql: "INSERT INTO roots (path, added_date, device, inode) VALUES (?, 0, 1, 1)",
          arguments: [path])
      }
    }
    let other = folder.appending("backup.sqlite")
    let backup = try Catalog.open(at: other, mode: .readWrite)
    for root in ["/a", "/b"] { try insertRoot(root, in: backup) }
    try backup.database.close()
    let writer = try Catalog.open(at: path, mode: .readWrite)
    try insertRoot("/photos", in: writer)
    let reader = try Catalog.open(at: path, mode: .readOnly)
    #expect(try reader.roots().count == 1)
    let files = FileManager.default
    for end in ["-wal", "-shm", ""] { try files.removeItem(atPath: path + end) }
    // There is nothing else to read yet.
    #expect(try reader.roots().count == 1)
    #expect(throws: CatalogError.replaced(path)) { try insertRoot("/c", in: writer) }
    try files.moveItem(atPath: other, toPath: path)
    #expect(try reader.roots().count == 2)
    #expect(throws: CatalogError.replaced(path)) { try insertRoot("/c", in: writer) }
    #expect(throws: CatalogError.replaced(path)) { try writer.roots() }
  }

  @Test func readingWorksWhileAWriterIsAtIt() throws {
    let writer = try Catalog.open(at: path, mode: .readWrite)
    try writer.database.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      try database.execute(
        sql: """
          INSERT INTO roots (path, added_date, device, inode) VALUES ('/photos', 0, 1, 1)
          """)
      let reader = try Catalog.open(at: path, mode: .readOnly)
      let seen = try reader.database.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM roots")
      }
      #expect(seen == 0)
      try database.execute(sql: "COMMIT")
      let now = try reader.database.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM roots")
      }
      #expect(now == 1)
    }
  }

  @Test func aReaderCannotWrite() throws {
    _ = try Catalog.open(at: path, mode: .readWrite)
    let reader = try Catalog.open(at: path, mode: .readOnly)
    #expect(throws: DatabaseError.self) {
      try reader.database.write { try $0.execute(sql: "DELETE FROM roots") }
    }
  }

  @Test func nothingToReadIsSaidSo() throws {
    #expect(throws: CatalogError.absent(path)) { try Catalog.open(at: path, mode: .readOnly) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [Catalog.Mode.readOnly, .readWrite])
  func aCatalogOfANewerVersionIsRefused(mode: Catalog.Mode) throws {
    try Catalog.open(at: path, mode: .readWrite).database.write {
      try $0.execute(sql: "PRAGMA user_version = 999")
    }
    #expect(throws: CatalogError.newerVersion(path)) { try Catalog.open(at: path, mode: mode) }
  }

  /// Versions from before the first release counted their steps in a table, and left the number 0.
  @Test(arguments: [Catalog.Mode.readOnly, .readWrite])
  func aCatalogFromBeforeTheFirstReleaseIsRefused(mode: Catalog.Mode) throws {
    let old = folder.appending("old.sqlite")
    try DatabaseQueue(path: old).write {
      try $0.execute(
        sql: """
          PRAGMA application_id = 0x53686278; CREATE TABLE assets (id);
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
          """)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: old))
    #expect(throws: CatalogError.developmentVersion(old)) { try Catalog.open(at: old, mode: mode) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
  }

  /// The schema of version 1 gets further columns until the first release.
  @Test(arguments: ["SELECT unknown FROM assets", "INSERT INTO scans (unknown) VALUES (1)"])
  func aCatalogWithoutAColumnIsFromBeforeTheFirstRelease(statement: String) throws {
    let catalog = try Catalog.open(at: path, mode: .readWrite)
    #expect(throws: CatalogError.developmentVersion(path)) {
      try CatalogError.translating(path) {
        try catalog.database.write { try $0.execute(sql: statement) }
      }
    }
  }

  @Test(arguments: [Catalog.Mode.readOnly, .readWrite])
  func somebodyElsesDatabaseIsLeftAlone(mode: Catalog.Mode) throws {
    let other = folder.appending("places.sqlite")
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE places (id)") }
    let before = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(throws: CatalogError.notACatalog(other)) { try Catalog.open(at: other, mode: mode) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
  }

  @Test(arguments: [Catalog.Mode.readOnly, .readWrite])
  func aFileThatIsNoDatabaseIsLeftAlone(mode: Catalog.Mode) throws {
    let other = folder.appending("letter.txt")
    let text = Data(String(repeating: "Dear Shoebox, ", count: 400).utf8)
    try text.write(to: URL(fileURLWithPath: other))
    #expect(throws: CatalogError.notACatalog(other)) { try Catalog.open(at: other, mode: mode) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == text)
  }

  @Test(arguments: 0..<10) func severalMayMakeItAtOnce(round: Int) async throws {
    let path = self.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try Catalog.open(at: path, mode: .readWrite) }
      }
      try await group.waitForAll()
    }
    let made = try Catalog.open(at: path, mode: .readOnly)
    #expect(try await made.database.read { try Catalog.schemaState($0) } == .current)
  }

  /// A second process that found no schema waits for the first, and finds all of it.
  @Test func aCatalogThatIsBeingMadeHasNoSchemaOrAllOfIt() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.appending("data/shoebox"), withIntermediateDirectories: true)
    let maker = try DatabaseQueue(path: path)
    try await maker.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    let path = self.path
    let opening = try await maker.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let opening = Task.detached { _ = try Catalog.open(at: path, mode: .readWrite) }
      // Long enough for the other to have looked.
      Thread.sleep(forTimeInterval: 0.3)
      for migration in Migration.all { try database.execute(sql: migration.sql) }
      try database.execute(sql: "COMMIT")
      return opening
    }
    try await opening.value
  }

  @Test func theDefaultPathFollowsTheEnvironment() {
    #expect(
      Catalog.defaultPath(environment: ["XDG_DATA_HOME": "/d", "HOME": "/h"])
        == "/d/shoebox/catalog.sqlite")
    #expect(
      Catalog.defaultPath(environment: ["XDG_DATA_HOME": "relative", "HOME": "/h"])
        == "/h/.local/share/shoebox/catalog.sqlite")
    #expect(
      Catalog.defaultPath(environment: ["SHOEBOX_CATALOG": "c.sqlite", "HOME": "/h"])
        == "c.sqlite")
    #expect(Catalog.defaultPath(environment: [:]) == nil)
  }
}

struct PathColumnTests {
  @Test(arguments: [
    Array("/photos/Zürich 😀.jpg".utf8), [0x2F, 0xFF, 0xFE, 0x41], Array("a\nb'; --".utf8), [],
  ])
  func bytesComeBackAsTheyWent(bytes: [UInt8]) throws {
    let path = BytePath(bytes: bytes)
    let back = try DatabaseQueue().read {
      try BytePath.fetchOne($0, sql: "SELECT ?", arguments: [path])
    }
    #expect(back == path)
  }

  @Test func onlyInvalidTextIsABlob() throws {
    let types = try DatabaseQueue().read {
      try String.fetchAll(
        $0, sql: "SELECT typeof(?) UNION ALL SELECT typeof(?)",
        arguments: [BytePath("ä"), BytePath(bytes: [0xE4])])
    }
    #expect(types == ["text", "blob"])
  }
}
