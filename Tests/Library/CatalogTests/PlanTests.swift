import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// How SQLite goes about each listing: always along an index, and in its order.
struct PlanTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 50)
  }

  fileprivate func plan(_ filter: AssetFilter, _ order: AssetOrder) throws -> String {
    try Self.plan(filter, order, in: library)
  }

  static func plan(
    _ filter: AssetFilter, _ order: AssetOrder, in library: SampleLibrary
  ) throws -> String {
    try library.catalog.database.read { database in
      let (sql, arguments) = try AssetQuery(
        filter, order: order, reading: .files, in: database
      ).listing(AssetRow.columns)
      return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
        .map { $0["detail"] as String }.joined(separator: "\n")
    }
  }

  /// The assets are come across by an index, and by a whole one only in its order: then the limit ends it.
  fileprivate func expectNoWholeScan(
    _ plan: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = plan.split(separator: "\n")
    #expect(
      lines.contains { $0.contains(/a USING (COVERING )?INDEX assets_/) }, "\(plan)",
      sourceLocation: sourceLocation)
    #expect(!lines.contains("SCAN a"), "\(plan)", sourceLocation: sourceLocation)
    for (index, line) in lines.enumerated() where line.hasPrefix("SCAN a ") {
      let isSorted = lines[index...].prefix { $0 != "SCAN page" }
        .contains { $0 == "USE TEMP B-TREE FOR ORDER BY" }
      // What only some assets are in, as the index of a kind, is counted before.
      let isOfAll = line.contains("INDEX assets_by_")
      #expect(!(isOfAll && isSorted), "\(plan)", sourceLocation: sourceLocation)
    }
  }

  @Test(
    arguments: TypeWord.allCases.map { [$0] } + [[], [.images, .videos], [.hdr, .screenshots]])
  func noListingScansTheTable(types: [TypeWord]) throws {
    for key in AssetOrder.Key.allCases {
      for isReversed in [false, true] {
        let order = AssetOrder(key, isReversed: isReversed, limit: 100)
        let plan = try plan(.with { $0.types = types }, order)
        expectNoWholeScan(plan)
        #expect(plan.contains("SEARCH f USING INTEGER PRIMARY KEY"), "\(plan)")
        if key == .captureDate || types.count != 1 || types == [.images] || types == [.videos] {
          #expect(!plan.contains("TEMP B-TREE"), "\(types) by \(order): \(plan)")
        }
      }
    }
  }

  /// Every flag but those for types, which have a test of their own.
  private static let flags: [AssetFilter] = [
    .with { $0.excludedTypes = [.screenshots, .videos] }, .with { $0.names = ["IMG_*", "*.mov"] },
    .with { $0.cameras = ["apple"] }, .with { $0.lenses = ["nikkor"] },
    .with { $0.hasLocation = true }, .with { $0.hasLocation = false },
    .with { $0.minimumSize = 1 }, .with { $0.maximumSize = 1 }, .with { $0.minimumDuration = 1 },
    .with { $0.maximumDuration = 1 }, .with { $0.isMissing = true },
    .with { $0.areDuplicates = true },
    .with { $0.places = [.near(latitude: 1, longitude: 1, kilometres: 1)] },
  ]

  @Test(arguments: Self.flags)
  func noFlagMakesAListingScanTheTable(filter: AssetFilter) throws {
    for key in AssetOrder.Key.allCases {
      let plan = try plan(filter, AssetOrder(key, limit: 100))
      expectNoWholeScan(plan)
      #expect(plan.contains("SEARCH f USING INTEGER PRIMARY KEY"), "\(plan)")
      if key == .captureDate { #expect(!plan.contains("TEMP B-TREE"), "\(plan)") }
    }
    let others = AssetFilter.with { $0.others = [filter, filter] }
    #expect(try self.plan(others, AssetOrder()) == (try self.plan(filter, AssetOrder())))
  }

  /// A kind is counted along its index alone: the table is joined to nothing.
  @Test(arguments: TypeWord.allCases)
  func aKindIsCountedByItsIndex(word: TypeWord) throws {
    let plan = try library.catalog.database.read { database in
      let query = try AssetQuery(
        .with { $0.types = [word] }, order: AssetOrder(), reading: [], in: database)
      return try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN SELECT count(*) \(query.source)",
        arguments: StatementArguments(query.arguments)
      ).map { $0["detail"] as String }
    }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("a USING INDEX \(word.sql.index)") == true, "\(plan)")
  }

  @Test func aRangeOfDatesIsARangeOfTheIndex() throws {
    let filter = try AssetFilter.with {
      $0.types = [.screenshots]
      $0.since = try WallDate(typed: "2010")
      $0.until = try WallDate(typed: "2011")
    }
    let plan = try plan(filter, AssetOrder())
    #expect(
      plan.contains("SEARCH a USING INDEX assets_screenshots (capture_wall>? AND capture_wall<?)"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test func missingOnesAreFoundByTheirOwnIndex() throws {
    #expect(try plan(.with { $0.isMissing = true }, AssetOrder()).contains("assets_missing"))
  }
}

/// The same for expressions.
extension PlanTests {
  @Test(arguments: [
    ("all(images, not(screenshots))", "assets_by_type"),
    ("screenshots and images", "assets_screen"),
    ("images and screenshots and size > 1MB", "assets_screenshots"), ("year = 2010", "by_capture"),
    ("any(livePhotos, videos) and year = 2010 and camera ~ iPhone", "assets_by_capture"),
    ("hdr and year in 2008..2010", "assets_hdr"), ("videos and duration < 3s", "assets_by_type"),
    ("images or videos", "assets_by_capture"), ("size > 10MB", "assets_by_capture"),
    ("near(47.5, 8.5, 5km)", "assets_by_capture"), ("keyword = beach", "assets_by_capture"),
    ("keyword = beach and raw", "assets_raw"), ("rating >= 4 and livePhotos", "assets_live_photos"),
    ("not images", "assets_by_type"), ("under 2005 or hdr", "assets_by_capture"),
    ("missing and videos", "assets_missing"), ("duplicates and images", "assets_duplicates"),
    ("captureDate in 2010-05..2010-08 and not has(location)", "assets_by_capture"),
    ("panoramas and (iso > 400 or aperture < 2)", "assets_panoramas"),
    ("search(img) or hdr", "assets_by_capture"), ("hdr and not search(img)", "assets_hdr"),
    ("path ~ beach and lens like '*mm*'", "assets_by_capture"),
    ("all(bursts, any(has(title), has(keywords)), month in 6..8)", "assets_bursts"),
  ])
  func noExpressionScansTheTable(expression: String, index: String) throws {
    let filter = try AssetFilter.with { $0.expressions = [try Condition(expression: expression)] }
    let plan = try plan(filter, AssetOrder(limit: 100))
    #expect(plan.contains(/a USING INDEX assets_/) && plan.contains(index), "\(plan)")
    #expect(!plan.contains("TEMP B-TREE FOR ORDER"), "\(plan)")
    for key in AssetOrder.Key.allCases {
      expectNoWholeScan(try self.plan(filter, AssetOrder(key, limit: 100)))
    }
  }

  @Test func aRequiredYearIsARangeOfTheIndex() throws {
    for expression in ["year = 2010", "captureDate in 2010..2011 and iso > 3", "year > 2010"] {
      let filter = try AssetFilter.with { $0.expressions = [try Condition(expression: expression)] }
      #expect(try plan(filter, AssetOrder()).contains("SEARCH a USING INDEX assets_by_capture"))
    }
  }

  @Test func aRequiredSearchThatFindsLittleIsWhereAListingBegins() throws {
    let large = try SampleLibrary(count: 3000)
    let filter = try AssetFilter.with { $0.searches = [try SearchText(typed: "img_0007")] }
    let plan = try Self.plan(filter, AssetOrder(), in: large)
    #expect(plan.contains("SCAN asset_search VIRTUAL TABLE INDEX 0:M"), "\(plan)")
    #expect(plan.contains("SEARCH a USING INTEGER PRIMARY KEY"), "\(plan)")
  }

  @Test func aRequiredFolderIsWhereAListingBegins() throws {
    let large = try SampleLibrary(count: 3000)
    let filter = try AssetFilter.with {
      $0.expressions = [try Condition(expression: "images and under \"2005/Event 00000\"")]
    }
    for order in [AssetOrder(), AssetOrder(limit: 100), AssetOrder(.size, limit: 100)] {
      let plan = try Self.plan(filter, order, in: large)
      #expect(
        plan.contains(/SEARCH a USING (COVERING )?INDEX assets_by_folder \(file_folder_id=\?\)/),
        "\(plan)")
      #expect(!plan.contains("SCAN a"), "\(plan)")
    }
    // What is gone is not in that index.
    let missing = AssetFilter.with {
      $0.folders = [BytePath("/benchmark")]
      $0.isMissing = true
    }
    #expect(try Self.plan(missing, AssetOrder(limit: 100), in: large).contains("assets_missing"))
  }

  /// What a page is sorted by is all that is read of the rows that are sorted, and what is passed over is
  /// not read.
  @Test func aPageIsFoundBeforeItsRowsAreRead() throws {
    let large = try SampleLibrary(count: 3000)
    let folders = AssetFilter.with { $0.folders = [BytePath("/benchmark/library/2005")] }
    let kinds = AssetFilter.with { $0.types = [.screenshots] }
    for (filter, order) in [
      (folders, AssetOrder(limit: 100)), (kinds, AssetOrder(.name, limit: 100, offset: 100)),
      (kinds, AssetOrder(limit: 100, offset: 10)),
      (AssetFilter(), AssetOrder(limit: 9, offset: .max)),
    ] {
      let plan = try Self.plan(filter, order, in: large)
      #expect(plan.contains("SCAN page"), "\(plan)")
      #expect(plan.contains("SEARCH a USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
    }
    for (filter, order) in [
      (folders, AssetOrder()), (folders, AssetOrder(limit: .max, offset: 1)),
      (kinds, AssetOrder(limit: 100)),
    ] {
      #expect(!(try Self.plan(filter, order, in: large).contains("page")))
    }
  }
}
