import GRDB
import Query

extension SearchText {
  /// The columns that words are found in.
  static let columns = ["name", "folder", "title", "caption", "keywords", "camera"]

  /// A statement for the row ids of assets and their texts as the search index contains them.
  ///
  /// Most texts are ASCII, with as many bytes as characters, and need no folding: calling Swift for each
  /// would double the time.
  ///
  /// - Parameter condition: which assets, by their `asset_id`.
  static func texts(where condition: String = "true") -> String {
    let texts = columns.map {
      "iif(length(\($0)) <> length(CAST(\($0) AS BLOB)), searchable(\($0)), \($0))"
    }
    return """
      WITH texts AS MATERIALIZED (SELECT * FROM search_texts WHERE \(condition))
      SELECT asset_id, \(texts.joined(separator: ", ")) FROM texts
      """
  }

  /// A statement with one column, `id`, the row of a matching asset. Its argument is the pattern.
  static let sql = "SELECT rowid AS id FROM asset_search WHERE asset_search MATCH ?"

  /// - Throws: ``CatalogError/withoutSearch`` for a catalog of an earlier version.
  static func require(in database: Database) throws {
    guard try database.tableExists("asset_search") else { throw CatalogError.withoutSearch }
  }
}

extension Condition {
  /// The pattern for the full-text index; nil if the condition contains anything but searches.
  var wordPattern: String? {
    let (parts, word): ([Condition], String)
    switch self {
    case .search(let text): return text.pattern
    case .all(let all): (parts, word) = (all, " AND ")
    case .any(let any): (parts, word) = (any, " OR ")
    default: return nil
    }
    let patterns = parts.compactMap(\.wordPattern)
    guard patterns.count == parts.count, patterns.count <= Self.mostPatterns else { return nil }
    return patterns.map { "(\($0))" }.joined(separator: word)
  }

  /// FTS5's parser accepts a few hundred nested patterns.
  private static let mostPatterns = 50
}

/// Searches the first texts of a listing in memory.
///
/// A frequent word may have a million entries in the search index, and reading them all to show a hundred
/// hits is slow. A page of hits is then among the listing's first few hundred texts, which FTS5 tokenizes in
/// memory within milliseconds.
final class SearchSample {
  /// The smallest number of texts to sample, in about 1 ms.
  static let least = 100
  /// The largest number of texts to sample, in about 20 ms.
  static let most = 2000

  private let pattern: String
  private let memory: DatabaseQueue
  private let texts: RowCursor
  /// The number of texts that were sampled.
  private(set) var count = 0
  /// Whether these are all texts of the listing.
  private(set) var isWhole = false

  /// - Parameter rows: a statement with one column, `id`, in the order of the listing.
  init(
    of pattern: String, among rows: String, _ arguments: [any DatabaseValueConvertible],
    in database: Database
  ) throws {
    self.pattern = pattern
    memory = try DatabaseQueue()
    try memory.inDatabase { try $0.execute(sql: Self.table) }
    texts = try Row.fetchCursor(
      database,
      sql: """
        SELECT s.rowid, s.name, s.folder, s.title, s.caption, s.keywords, s.camera \
        FROM (\(rows)) AS first CROSS JOIN asset_search AS s ON s.rowid = first.id
        """, arguments: StatementArguments(arguments))
  }

  /// The rows of the hits within the first texts, unordered.
  func found(first wanted: Int) throws -> [Int64] {
    try memory.write { memory in
      let insertion = try memory.cachedStatement(
        sql: "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)")
      while count < wanted, !isWhole {
        guard let row = try texts.next() else {
          isWhole = true
          break
        }
        count += 1
        try insertion.execute(
          arguments: StatementArguments((0..<7).map { row[$0] as DatabaseValue }))
      }
      return try Int64.fetchAll(
        memory, sql: "SELECT id FROM sample WHERE sample MATCH ?", arguments: [pattern])
    }
  }

  /// Divides texts into words just as the catalog's own table does, see `v2-search.sql`.
  private static let table = """
    CREATE VIRTUAL TABLE sample USING fts5(
      id UNINDEXED, name, folder, title, caption, keywords, camera,
      tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
    )
    """
}
