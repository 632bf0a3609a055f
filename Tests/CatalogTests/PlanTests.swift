import GRDB
import Testing

@testable import Catalog

/// How SQLite goes about each listing: always along an index, and in its order.
struct PlanTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 50)
  }

  private func plan(_ filter: AssetFilter, _ order: AssetOrder) throws -> String {
    try library.catalog.database.read { database in
      let (sql, arguments) = try AssetQuery(filter, order: order.key, in: database)
        .listing(AssetRow.columns, order)
      return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
        .map { $0["detail"] as String }.joined(separator: "\n")
    }
  }

  @Test(
    arguments: TypeWord.allCases.map { [$0] } + [[], [.images, .videos], [.hdr, .screenshots]])
  func noListingScansTheTable(types: [TypeWord]) throws {
    for key in AssetOrder.Key.allCases {
      for isReversed in [false, true] {
        let order = AssetOrder(key, isReversed: isReversed, limit: 100)
        let plan = try plan(.with { $0.types = types }, order)
        #expect(plan.contains("a USING INDEX assets_"), "\(plan)")
        for table in ["f", "d", "r"] {
          #expect(plan.contains("SEARCH \(table) USING INTEGER PRIMARY KEY"), "\(plan)")
        }
        if key == .captureDate || types.count != 1 || types == [.images] || types == [.videos] {
          #expect(!plan.contains("TEMP B-TREE"), "\(types) by \(order): \(plan)")
        }
      }
    }
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
