import GRDB
import MediaModel
import Query
import Testing

@testable import Catalog

/// Filters that are kept in the catalog.
struct SavedSearchTests {
  private let folder: TemporaryFolder
  private let catalog: Catalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try Catalog.open(at: folder.appending("catalog.sqlite"), mode: .readWrite)
    for name in ["sound", "broken"] {
      _ = try catalog.saveSearch(name, arguments: ["--type", "images"], now: 1)
    }
  }

  @Test(arguments: ["[\"--type\"", "", "{}", "[1]", "[]", "null"])
  func `a damaged search finds nothing instead of everything`(text: String) throws {
    try catalog.database.write {
      try $0.execute(
        sql: "UPDATE saved_searches SET arguments = ? WHERE name = 'broken'", arguments: [text])
    }
    let damage = CatalogError.damagedSearch(catalog.path, "broken")
    #expect(damage.description.contains("shoebox searches delete 'broken'"))
    #expect(throws: damage) { try catalog.savedSearch("BROKEN") }
    #expect(throws: damage) { try catalog.savedSearches() }
    #expect(try catalog.savedSearch("Sound").arguments == ["--type", "images"])
    // Both remedies work.
    #expect(try catalog.saveSearch("Broken", arguments: ["--type", "videos"], now: 2))
    #expect(try catalog.savedSearches().map(\.name) == ["Broken", "sound"])
    try catalog.database.write {
      try $0.execute(
        sql: "UPDATE saved_searches SET arguments = ? WHERE name = 'Broken'", arguments: [text])
    }
    let deleted = try catalog.deleteSearch("broken")
    #expect(deleted.name == "Broken" && deleted.search == nil)
    #expect(try catalog.savedSearches().map(\.name) == ["sound"])
  }

  @Test func `a deleted search is returned`() throws {
    #expect(try catalog.deleteSearch("SOUND").search?.arguments == ["--type", "images"])
    #expect(throws: UnknownWord.self) { try catalog.deleteSearch("sound") }
  }
}
