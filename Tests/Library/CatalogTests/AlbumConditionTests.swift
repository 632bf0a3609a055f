import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Conditions on albums, which are the user's or folders, against a plain loop over all assets.
struct AlbumConditionTests {
  /// One album has the name of a folder, one a third of the library, one no assets.
  private static let extra = """
    INSERT INTO albums VALUES (1, 'Third', 0), (2, 'EVENT 00003', 0), (3, 'Große Reise', 0), (4, 'Empty', 0);
    INSERT INTO album_assets SELECT 1, id, 0 FROM assets WHERE id % 3 = 0;
    INSERT INTO album_assets SELECT 2, id, 0 FROM assets WHERE id % 200 = 7;
    INSERT INTO album_assets SELECT 3, id, 0 FROM assets WHERE id % 90 IN (1, 3);
    UPDATE assets SET capture_wall = NULL, capture_offset = NULL WHERE id % 13 = 0;
    """

  private static let conditions: [(expression: String, findsAny: Bool)] = [
    ("album = third", true), ("album = \"event 00003\"", true), ("album = \"GROSSE REISE\"", false),
    ("album = \"große reise\"", true), ("album = empty", false), ("album = nothing", false),
    ("album ~ e", true), ("album like \"*re*e\"", true), ("album != third", true),
    ("not album = \"event 00003\" and videos", true), ("album = third and images", true),
    ("album = third or album = \"große reise\"", true),
    ("album = third and album = \"große reise\"", true),
    ("album = \"große reise\" and missing", true), ("album = third and year = 2017", true),
    ("album = \"event 00003\" or rating > 3", true),
    ("album = \"event 00001\" or album = \"große reise\"", true),
  ]

  private let library: SampleLibrary
  private let everything: [AssetRecord]

  init() throws {
    library = try SampleLibrary(count: 2000, with: Self.extra)
    let titles = try library.catalog.database.read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT asset_id, title FROM album_assets JOIN albums ON albums.id = album_id")
    }
    let albums = Dictionary(grouping: titles) { $0[0] as Int64 }
    everything = try library.everything().filter { !$0.isAbsorbed }.map { asset, _ in
      var asset = asset
      asset.albums = (albums[asset.rowID] ?? []).map { $0[1] }
      return asset
    }
  }

  private func expected(_ condition: Condition) -> Set<String> {
    Set(
      everything.filter { asset in
        condition.isMissing == (asset.status == .missing) && asset.fulfils(condition)
      }.map(\.identifier))
  }

  @Test func `albums of the user and folders are found alike`() throws {
    for (text, findsAny) in Self.conditions {
      let condition = try Condition(expression: text)
      let wanted = expected(condition)
      #expect(wanted.isEmpty != findsAny, "\(text)")
      var filter = AssetFilter()
      filter.expressions = [condition]
      #expect(try library.catalog.count(matching: filter) == wanted.count, "\(text)")
      for key in AssetOrder.Key.allCases {
        #expect(try Set(library.listed(filter, AssetOrder(key))) == wanted, "\(text) by \(key)")
        let order = AssetOrder(key, limit: 37)
        var pages: [String] = []
        var position: AssetPosition?
        for _ in 0..<100 {
          let page = try library.catalog.page(matching: filter, in: order, after: position)
          pages += page.map(\.identifier)
          guard let last = page.last, page.count == 37 else { break }
          position = AssetPosition(after: last, in: key)
        }
        #expect(try pages == library.listed(filter, AssetOrder(key)), "pages of \(text) by \(key)")
      }
    }
  }

  @Test func `each title is counted once, as listed`() throws {
    for text in ["any(images, videos)", "videos", "year = 2017", "album = third"] {
      var filter = AssetFilter()
      filter.expressions = [try Condition(expression: text)]
      let counts = try library.catalog.albums(matching: filter)
      #expect(Set(counts.map { $0.name.lowercased() }).count == counts.count)
      #expect(counts.contains { $0.name == "EVENT 00003" } || text != "any(images, videos)")
      for album in counts {
        let all = try Condition(expression: "album = \"\(album.name)\" and \(text)")
        #expect(album.count == expected(all).count, "\(album.name) of \(text)")
      }
      let wanted = expected(filter.expressions[0])
      let missed = Set(everything.filter { wanted.contains($0.identifier) }.flatMap(\.albums))
        .subtracting(counts.map(\.name))
      #expect(missed.isEmpty)
    }
  }

  /// As SQLite explains its plan: no statement reads all assets.
  @Test func `an album is read by its index`() throws {
    var filter = AssetFilter()
    filter.albums = ["Große Reise"]
    try library.catalog.database.read { database in
      let query = try AssetQuery(
        filter, order: AssetOrder(.captureDate), reading: [], in: database)
      let (sql, arguments) = query.ids()
      let plan = try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments
      ).map { $0["detail"] as String }
      #expect(plan.contains { $0.contains("album_assets") || $0.contains("found") }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN a") }, "\(plan)")
    }
  }
}
