import GRDB
package import MediaModel
import Query

/// The folders that a filter names, with all folders below them. A relative path applies to each root.
struct FoldersBelow {
  /// A statement with one column, `id`.
  let sql: String
  let arguments: [any DatabaseValueConvertible]
  /// Whether the catalog has none of them.
  let isEmpty: Bool

  /// Nil if no folder is named.
  init?(_ folders: [BytePath], in database: Database) throws {
    guard !folders.isEmpty else { return nil }
    let roots = try Row.fetchAll(database, sql: "SELECT id, path FROM roots").compactMap { row in
      BytePath.fromDatabaseValue(row[1]).map { (id: row[0] as Int64, path: $0) }
    }
    let statement = try database.cachedStatement(
      sql: "SELECT id FROM folders WHERE root_id = ? AND path = ?")
    var found: Set<Int64> = []
    for folder in folders.flatMap(\.canonicalForms) {
      for root in roots {
        guard let path = Self.path(folder, in: root.path) else { continue }
        found.formUnion(try Int64.fetchAll(statement, arguments: [root.id, path]))
      }
    }
    isEmpty = found.isEmpty
    sql = """
      WITH RECURSIVE tree(id) AS (SELECT value FROM json_each(?) \
      UNION SELECT folders.id FROM tree CROSS JOIN folders ON folders.parent_id = tree.id) \
      SELECT id FROM tree
      """
    arguments = ["[" + found.sorted().map(String.init).joined(separator: ",") + "]"]
  }

  /// The path below a root; nil if the folder is neither in it nor around it.
  private static func path(_ folder: BytePath, in root: BytePath) -> BytePath? {
    let slash = UInt8(ascii: "/")
    guard folder.bytes.first == slash else { return folder }
    if root.isWithin(folder) { return BytePath(bytes: []) }
    guard folder.isWithin(root) else { return nil }
    return BytePath(bytes: Array(folder.bytes.dropFirst(root.bytes.count).drop { $0 == slash }))
  }

  /// Their assets, from the index of folders alone as long as only times and kinds are asked for.
  var source: String {
    """
    FROM (\(sql)) AS below CROSS JOIN assets AS a INDEXED BY assets_by_folder \
    ON a.folder_id = below.id
    """
  }
}

extension Catalog {
  /// Whether the catalog contains a folder that a filter names.
  package func hasFolder(_ folder: BytePath) throws -> Bool {
    try read { try FoldersBelow([folder], in: $0.database)?.isEmpty == false }
  }
}
