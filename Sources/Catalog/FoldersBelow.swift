import GRDB
import MediaModel

/// The folders in and below those a filter names; a path that is not absolute lies in any root.
struct FoldersBelow {
  /// A statement whose only column is `id`.
  let sql: String
  let arguments: [any DatabaseValueConvertible]

  /// Nil if no folder is named.
  init?(_ folders: [BytePath], in database: Database) throws {
    guard !folders.isEmpty else { return nil }
    let roots = try Row.fetchAll(database, sql: "SELECT id, path FROM roots").compactMap { row in
      BytePath.fromDatabaseValue(row[1]).map { (id: row[0] as Int64, path: $0) }
    }
    var seeds: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    for folder in folders.flatMap(\.canonicalForms) {
      let isAbsolute = folder.bytes.first == UInt8(ascii: "/")
      for root in roots {
        if !isAbsolute {
          seeds.append("SELECT id FROM folders WHERE root_id = ? AND path = ?")
          arguments += [root.id, folder]
          continue
        }
        let below = root.path.isWithin(folder) ? [] : folder.bytes.dropFirst(root.path.bytes.count)
        guard root.path.isWithin(folder) || folder.isWithin(root.path) else { continue }
        seeds.append("SELECT id FROM folders WHERE root_id = ? AND path = ?")
        arguments += [root.id, BytePath(bytes: Array(below.drop { $0 == UInt8(ascii: "/") }))]
      }
    }
    if seeds.isEmpty { seeds = ["SELECT id FROM folders WHERE 0"] }
    sql = """
      WITH RECURSIVE tree(id) AS (\(seeds.joined(separator: " UNION ")) \
      UNION SELECT folders.id FROM tree CROSS JOIN folders ON folders.parent_id = tree.id) \
      SELECT id FROM tree
      """
    self.arguments = arguments
  }
}

extension FoldersBelow {
  /// Their assets, from the index of folders alone as long as only times and kinds are asked for.
  var source: String {
    """
    FROM (\(sql)) AS below CROSS JOIN assets AS a INDEXED BY assets_by_folder \
    ON a.file_folder_id = below.id
    """
  }

  /// Whether a catalog has the index of folders; one of an earlier version that cannot be written has not.
  static func hasIndex(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'assets_by_folder')")
      ?? false
  }

  /// Collecting and sorting so many rows of the index takes some 13 ms.
  private static let smallCount = 100_000

  /// Whether a listing had better collect these folders' assets and sort them than walk a library in
  /// order: what lies together was taken together, so that may be behind all others.
  ///
  /// - Parameter order: nil for none; the walk is along its index.
  func isStart(of order: AssetOrder?, in database: Database) throws -> Bool {
    guard try Self.hasIndex(in: database) else { return false }
    guard let order else { return true }
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM (SELECT 1 \(source) \
        WHERE a.absorbed_by IS NULL AND a.status <> 'missing' LIMIT ?)
        """, arguments: StatementArguments(arguments + [Self.smallCount + 1]))
    if (count ?? 0) <= Self.smallCount { return true }
    // Without a page all of them would be held to be sorted.
    guard let page = order.page else { return false }
    return try !fill(page, of: order, in: database)
  }

  /// Whether a page is full of their assets before many others have been passed over.
  private func fill(_ page: Int, of order: AssetOrder, in database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM (SELECT 1 FROM (SELECT a.file_id AS id \
        FROM assets AS a INDEXED BY \(order.key.index) \
        WHERE a.absorbed_by IS NULL AND a.status <> 'missing' ORDER BY \(order.terms) LIMIT ?) \
        AS first CROSS JOIN files AS f ON f.id = first.id WHERE f.folder_id IN (\(sql)) LIMIT ?)
        """, arguments: StatementArguments([page * 20] + arguments + [page]))
    return count == page
  }
}
