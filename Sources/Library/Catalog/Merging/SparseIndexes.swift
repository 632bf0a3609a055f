import Foundation
import GRDB

// The indexes of few assets, such as those with a color label. A bulk merge keeps them while rows come: making one
// afterwards reads all rows. Those that turn out to have many entries are dropped, and sorted when all rows are there.

extension SchemaObject {
  /// Whether it is an index that may have few entries.
  var isSparse: Bool { sparseCondition != nil }

  /// The condition of a sparse index; nil for others.
  fileprivate var sparseCondition: String? {
    guard type == "index", table == "assets", let start = sql.range(of: " WHERE ") else {
      return nil
    }
    let condition = sql[start.upperBound...]
    return condition == "is_listed" ? nil : String(condition)
  }
}

extension Database {
  /// Drops those that are not sparse.
  ///
  /// - Parameter count: the assets of the catalog.
  func dropDenseIndexes(count: Int64) throws {
    for object in try SchemaObject.all(in: self) {
      guard let condition = object.sparseCondition else { continue }
      let entries = try Int64.fetchOne(
        self,
        sql: """
          SELECT count(*) FROM (
            SELECT 1 FROM main.assets INDEXED BY \(object.name) WHERE \(condition) LIMIT ?)
          """, arguments: [count / Self.sparseShare + 1])
      if entries ?? 0 > count / Self.sparseShare {
        try execute(sql: "DROP INDEX main.\(object.name)")
      }
    }
  }

  /// The least number of assets for each entry of a sparse index. An entry that is added to a large index takes about
  /// 3 µs, a row that is read when all are there 0.15 µs.
  private static var sparseShare: Int64 { 32 }
}
