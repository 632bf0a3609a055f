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
    let placed =
      "UPDATE assets SET folder_id = (SELECT folder_id FROM files WHERE files.id = assets.id)"
    try catalog.database.writeWithoutTransaction {
      try $0.execute(sql: "\(sql)\(extra); \(placed)")
    }
    try catalog.write { _ = try $0.writeSearch(limit: .max) }
  }

  /// A statement that gives assets other values of `origins`.
  ///
  /// - Parameters:
  ///   - values: SQL by column; `o` is the row of `origins` before.
  ///   - condition: which assets, `a`.
  static func originChange(_ values: [String: String], where condition: String) -> String {
    let columns = Origin.columns.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let list = columns.joined(separator: ", ")
    return """
      CREATE TEMP TABLE changed AS
        SELECT a.id, \(columns.map { "\(values[$0] ?? "o.\($0)") AS \($0)" }.joined(separator: ", "))
        FROM assets AS a JOIN origins AS o ON o.id = a.origin_id WHERE \(condition);
      INSERT INTO origins (\(list)) SELECT \(list) FROM changed EXCEPT SELECT \(list) FROM origins;
      UPDATE assets SET origin_id = (SELECT o.id FROM changed AS c JOIN origins AS o ON
          \(columns.map { "o.\($0) IS c.\($0)" }.joined(separator: " AND ")) WHERE c.id = assets.id)
        WHERE id IN (SELECT id FROM changed);
      INSERT INTO origin_search (rowid, camera)
        SELECT id, searchable(ifnull(make, '') || char(10) || ifnull(model, '') || char(10) || ifnull(lens, ''))
        FROM origins WHERE id NOT IN (SELECT rowid FROM origin_search);
      DROP TABLE changed;
      """
  }

  /// Every asset of the table, read without the query under test.
  func everything() throws -> [(asset: AssetRecord, isAbsorbed: Bool)] {
    try catalog.database.read { database in
      let sql = """
        SELECT \(AssetRow.columns(with: .details)), a.absorbed_by IS NOT NULL FROM assets AS a
        JOIN files AS f ON f.id = a.id LEFT JOIN asset_details AS e ON e.asset_id = a.id
        """
      return try Row.fetchAll(database, sql: sql).map {
        (try AssetReader().asset($0, in: database), $0[$0.count - 1])
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
