import GRDB
import Testing

@testable import Catalog
@testable import Query

struct IntegrityTests {
  @Test func aGoodCatalogHasNoProblems() throws {
    let library = try SampleLibrary(count: 60)
    #expect(try library.catalog.integrityProblems() == [])
    // Without its folder another, empty catalog would have been looked at.
    #expect(try library.catalog.count(matching: AssetFilter()) > 0)
  }

  /// A text that was changed without the index.
  @Test func wordsThatDoNotFitTheTextsAreAProblem() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.write {
      try $0.execute(sql: "UPDATE asset_search_content SET c0 = 'other words' WHERE id = 7")
    }
    let reader = try Catalog.open(at: library.catalog.path, mode: .readOnly)
    let problems = try reader.integrityProblems()
    #expect(problems.first?.contains("search index") == true, "\(problems)")
  }

  /// What the triggers did not see: FTS5's own check compares its words with its own copy of the texts.
  @Test(arguments: [
    "UPDATE assets SET title = 'zzzunique' WHERE id = 1",
    "DELETE FROM asset_search WHERE rowid = 1",
    "INSERT INTO asset_search (rowid, name) VALUES (900000, 'nobody')",
  ])
  func textsThatTheSearchDoesNotHaveAreAProblem(change: String) throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.write {
      try $0.execute(sql: change + "; DELETE FROM search_changes")
    }
    let problems = try library.catalog.integrityProblems()
    #expect(problems.count == 1)
    #expect(problems.first?.contains("differ from the search index: 1;") == true, "\(problems)")
    // The remedy that it names is one.
    #expect(problems.first?.contains("`shoebox scan --rebuild`") == true)
    try library.catalog.write { transaction in
      try transaction.rebuildIndexes()
      try transaction.writeSearch(limit: .max)
    }
    #expect(try library.catalog.integrityProblems() == [])
  }

  /// A table that is not an index represents any reason why SQLite cannot check one.
  @Test func anIndexThatCannotBeCheckedIsNotTakenForGood() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.write {
      try $0.execute(
        sql: """
          CREATE TABLE texts AS
            SELECT rowid AS id, name, title, caption, keywords FROM asset_search;
          DROP TABLE asset_search;
          CREATE TABLE asset_search
            (id INTEGER PRIMARY KEY, name, title, caption, keywords);
          INSERT INTO asset_search SELECT * FROM texts;
          DROP TABLE texts
          """)
    }
    let problems = try library.catalog.integrityProblems()
    #expect(problems.count == 1)
    #expect(problems.first?.contains("could not be checked") == true, "\(problems)")
  }

  @Test func whatIsStillToBeWrittenIsNoProblem() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.write {
      try $0.execute(sql: "UPDATE assets SET title = 'zzzunique' WHERE id = 1")
    }
    #expect(try library.catalog.integrityProblems() == [])
  }

  @Test func rowsThatPointNowhereAreAProblem() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM files WHERE id = 7")
    }
    let problems = try library.catalog.integrityProblems()
    #expect(problems.contains { $0.contains("rows that do not exist") }, "\(problems)")
  }
}
