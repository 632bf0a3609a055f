import Foundation
import GRDB
import MediaModel
import Migrations

@testable import Catalog
@testable import Query

/// A catalog of a few thousand made-up assets, from the benchmarks' generator.
struct SampleLibrary {
  let folder: TemporaryFolder
  let catalog: Catalog

  init(count: Int = 3000, with extra: String = "") throws {
    folder = try TemporaryFolder()
    let path = folder.appending("catalog.sqlite")
    catalog = try Catalog.open(at: path, mode: .readWrite)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../benchmarks/generate-catalog.sql")
    let sql = try String(contentsOf: script, encoding: .utf8)
      .replacing(":count", with: String(count))
      .replacing(/PRAGMA journal_mode = \w+;/, with: "")
    try catalog.database.writeWithoutTransaction { try $0.execute(sql: sql + extra) }
    try catalog.write { _ = try $0.writeSearch(limit: .max) }
  }

  /// Every asset of the table, read without the query under test.
  func everything() throws -> [(asset: Asset, isAbsorbed: Bool)] {
    try catalog.database.read { database in
      let sql = """
        SELECT \(AssetRow.columns), a.absorbed_by IS NOT NULL FROM assets AS a
        JOIN files AS f ON f.id = a.file_id
        """
      return try Row.fetchAll(database, sql: sql).map {
        (try AssetReader(database).asset($0), $0[$0.count - 1])
      }
    }
  }

  /// The identifiers that the query under test lists.
  func listed(_ filter: AssetFilter, _ order: AssetOrder = AssetOrder()) throws -> [String] {
    var identifiers: [String] = []
    try catalog.forEachAsset(matching: filter, in: order, with: []) {
      identifiers.append($0.identifier)
    }
    return identifiers
  }
}

extension AssetFilter {
  /// A filter with some of its fields set.
  static func with(_ set: (inout AssetFilter) throws -> Void) rethrows -> AssetFilter {
    var filter = AssetFilter()
    try set(&filter)
    return filter
  }
}
