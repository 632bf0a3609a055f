import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// What the full-text search finds, and that it follows what is written.
struct SearchTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(
      count: 60,
      with: """
        UPDATE assets SET title = 'Café Zürich, Abend' WHERE id = 1;
        UPDATE assets SET caption = 'Fête de l''Été 2019' WHERE id = 3;
        INSERT INTO keywords VALUES (5, 'golden gate'), (5, 'ŁÓDŹ');
        UPDATE assets SET name = '旅行 写真.JPG' WHERE id = 7;
        UPDATE assets SET title = 'Cafe\u{301} decomposed' WHERE id = 11;
        """
          + SampleLibrary.originChange(["make": "'Leica'", "model": "'M-10/R'"], where: "a.id = 9"))
  }

  private func found(_ text: String) throws -> [Int64] {
    var rows: [Int64] = []
    let filter = try AssetFilter.with { $0.searches = [try SearchText(typed: text)] }
    try library.catalog.forEachAsset(matching: filter, with: []) { rows.append($0.rowID) }
    #expect(try library.catalog.count(matching: filter) == rows.count)
    return rows.sorted()
  }

  @Test(
    arguments: [
      ("zurich", [1]), ("ZÜRICH", [1]), ("cafe", [1, 11]), ("café", [1, 11]), ("caf ab", [1]),
      ("abend cafe", [1]), ("\"cafe zurich\"", [1]), ("\"zurich cafe\"", []), ("urich", []),
      ("\"caf\"", []), ("fete ete", [3]), ("l'ete", [3]), ("gate gold", [5]),
      ("\"golden gate\"", [5]), ("\"golden gate", [5]), ("łódź", [5]), ("旅行", [7]), ("写", [7]),
      ("leica m-10", [9]), ("M-10/R", [9]), ("m 10 r \"leica\"", [9]), ("zurich gate", []),
    ] as [(String, [Int64])])
  func wordsAreFoundByTheirBeginnings(text: String, expected: [Int64]) throws {
    #expect(try found(text) == expected)
  }

  @Test(arguments: [
    "leica OR", "leica AND NOT x", "leica NEAR(x", "leica*", "name:leica", "leica -m", "^leica",
    "leica + m", "leica {name title}", "leica ' ; DROP TABLE assets; --", "leica )))", "leica \\",
    "leica \u{1}", "leica \"\"\"\"", "leica \"* \"",
  ])
  func whatMeansSomethingToFTS5IsOnlyText(text: String) throws {
    #expect(throws: Never.self) { try found(text) }
    #expect(try library.listed(AssetFilter()).count > 50)
  }

  @Test func marksAloneAreNoReasonToFindNothing() throws {
    #expect(try found("leica & * - \"!\"") == [9])
  }

  @Test(arguments: ["", " ", "\"\"", "--", "*", "\u{0}", "a\u{0}b", "😀", "'"])
  func whatHasNoWordIsRefused(text: String) {
    #expect(throws: BadValue.self) { try SearchText(typed: text) }
  }

  @Test func aMegabyteIsRefused() {
    #expect(throws: BadValue.self) {
      try SearchText(typed: String(repeating: "a ", count: 1 << 19))
    }
  }

  @Test func severalTextsAreAlternatives() throws {
    let filter = try AssetFilter.with {
      $0.searches = [try SearchText(typed: "leica"), try SearchText(typed: "fete")]
    }
    #expect(try library.catalog.count(matching: filter) == 2)
  }

  /// Every change to what is searched, by SQL alone, as the triggers have to notice it.
  @Test(
    arguments: [
      ("UPDATE assets SET title = NULL WHERE id = 1", "zurich", []),
      ("UPDATE assets SET caption = 'Zürich' WHERE id = 13", "zurich", [1, 13]),
      ("UPDATE assets SET name = 'zurich.jpg' WHERE id = 15", "zurich", [1, 15]),
      (
        SampleLibrary.originChange(["lens": "'Zürich 50mm'"], where: "a.id = 15"), "zurich",
        [1, 15]
      ),
      ("DELETE FROM assets WHERE id = 1", "zurich", []),
      ("DELETE FROM files WHERE id = 1", "zurich", []),
      ("INSERT INTO keywords VALUES (17, 'Zurich')", "zurich", [1, 17]),
      ("DELETE FROM keywords WHERE asset_id = 5", "golden", []),
      ("UPDATE assets SET folder_id = 900 WHERE id = 19", "zurich", [1, 19]),
      (
        """
        INSERT INTO files (id, folder_id, family, name, size, modified, changed, inode, kind)
          VALUES (901, 900, 1, 'n.jpg', 1, 1, 1, 1, 'media');
        INSERT INTO assets (id, identifier, revision, added_date, folder_id, origin_id, size, is_video, name)
          VALUES (901, x'00', 1, 0, 900, 1, 1, 0, 'n.jpg')
        """, "zurich", [1, 901]
      ),
      ("UPDATE assets SET is_missing = 1 WHERE id = 1", "zurich", []),
      ("UPDATE assets SET absorbed_by = 3 WHERE id = 1", "zurich", []),
    ] as [(String, String, [Int64])])
  func aChangeIsFound(change: String, text: String, expected: [Int64]) throws {
    try library.catalog.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO folders (id, root_id, parent_id, path, name) VALUES (900, 1, 1, 'Zürich', 'Zürich');
          INSERT INTO folder_search (rowid, path) VALUES (900, searchable('Zürich'));
          \(change)
          """)
    }
    try library.catalog.write { transaction in
      while try transaction.writeSearch(limit: 2) == 2 {}
    }
    #expect(try found(text) == expected)
    #expect(try library.catalog.database.read { try Int.fetchOne($0, sql: Self.strays) } == 0)
  }

  private static let strays = """
    SELECT (SELECT count(*) FROM search_changes)
      + (SELECT count(*) FROM assets WHERE id NOT IN (SELECT rowid FROM asset_search))
      + (SELECT count(*) FROM asset_search WHERE rowid NOT IN (SELECT id FROM assets))
    """

  @Test func aForgottenRootLeavesNoWords() throws {
    _ = try library.catalog.forgetRoot(BytePath("/benchmark/library"))
    #expect(try found("img") == [])
    let rows = try library.catalog.database.read {
      try Int.fetchOne(
        $0,
        sql: "SELECT (SELECT count(*) FROM asset_search) + (SELECT count(*) FROM folder_search)")
    }
    #expect(rows == 0)
  }

  @Test func whatIsFoundOftenIsFoundToo() throws {
    let many = try SampleLibrary(count: 5000)
    for text in ["img", "event", "apple"] {
      let filter = try AssetFilter.with { $0.searches = [try SearchText(typed: text)] }
      let expected = try many.everything().filter { asset, isAbsorbed in
        !isAbsorbed && asset.status != .missing
          && [asset.path.display, asset.camera.make ?? ""].contains {
            $0.lowercased().contains(text)
          }
      }
      let listed = try many.listed(filter)
      #expect(listed.count == expected.count)
      #expect(Set(listed) == Set(expected.map(\.asset.identifier)))
    }
  }

  /// A page of what is found often is found among the first assets; it is that of the whole.
  @Test(arguments: ["img", "event", "i", "apple", "holiday", "\"iphone 15\"", "2005", "00"])
  func aPageIsThatOfTheWhole(text: String) throws {
    let many = try SampleLibrary(count: 3000)
    for types in [[], [TypeWord.livePhotos], [.images]] {
      let filter = try AssetFilter.with {
        $0.searches = [try SearchText(typed: text)]
        $0.types = types
      }
      for key in AssetOrder.Key.allCases {
        for isReversed in [false, true] {
          let whole = try many.listed(filter, AssetOrder(key, isReversed: isReversed))
          let page = AssetOrder(key, isReversed: isReversed, limit: 30, offset: 20)
          #expect(
            try many.listed(filter, page) == Array(whole.dropFirst(20).prefix(30)),
            "\(text), \(types), \(page)")
        }
      }
    }
  }

  /// Texts that changed since their words were written are searched as they were, by every way alike.
  @Test func aPageIsFoundInTheSameTextsAsTheWhole() throws {
    let many = try SampleLibrary(count: 1000)
    try many.catalog.database.write { try $0.execute(sql: "UPDATE assets SET name = 'x.jpg'") }
    let filter = try AssetFilter.with { $0.searches = [try SearchText(typed: "img")] }
    let whole = try many.listed(filter)
    #expect(!whole.isEmpty)
    #expect(try many.listed(filter, AssetOrder(limit: 50)) == Array(whole.prefix(50)))
  }
}
