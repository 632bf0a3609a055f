import GRDB
import Testing

@testable import Catalog

struct IntegrityTests {
  @Test func aGoodCatalogHasNoProblems() throws {
    #expect(try SampleLibrary(count: 60).catalog.integrityProblems() == [])
  }

  /// A text that was changed behind the index's back.
  @Test func wordsThatDoNotFitTheTextsAreAProblem() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.write {
      try $0.execute(sql: "UPDATE asset_search_content SET c0 = 'other words' WHERE id = 7")
    }
    let reader = try Catalog.open(at: library.catalog.path, mode: .readOnly)
    let problems = try reader.integrityProblems()
    #expect(problems.count == 1)
    #expect(problems.first?.contains("index of words") == true, "\(problems)")
  }

  @Test func rowsThatPointNowhereAreAProblem() throws {
    let library = try SampleLibrary(count: 60)
    try library.catalog.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM files WHERE id = 7")
    }
    let problems = try library.catalog.integrityProblems()
    #expect(problems.contains { $0.contains("point nowhere") }, "\(problems)")
  }
}
