import GRDB
import Query

extension SearchText {
  /// The columns of an asset's own texts.
  static let columns = ["name", "title", "caption", "keywords"]

  /// A statement for the ids of assets and their texts as the search index contains them.
  ///
  /// Most texts are ASCII, with as many bytes as characters, and need no folding: calling Swift for each
  /// would double the time.
  ///
  /// - Parameters:
  ///   - schema: the database that has the assets.
  ///   - condition: which assets, by their `id`.
  static func texts(in schema: String = "main", where condition: String = "true") -> String {
    let texts = columns.map {
      "iif(length(\($0)) <> length(CAST(\($0) AS BLOB)), searchable(\($0)), \($0))"
    }
    return """
      WITH texts AS MATERIALIZED (SELECT id AS asset_id, name, title, caption,
        (SELECT group_concat(word, char(10)) FROM (
          SELECT keyword AS word FROM \(schema).keywords WHERE asset_id = assets.id
          UNION ALL SELECT people.name FROM \(schema).people WHERE asset_id = assets.id
          UNION ALL SELECT path FROM \(schema).keyword_paths WHERE asset_id = assets.id AND is_whole)) AS keywords
        FROM \(schema).assets WHERE \(condition))
      SELECT asset_id, \(texts.joined(separator: ", ")) FROM texts
      """
  }

  /// The condition that an asset has a word, in its own texts, in the path of its folder or in its camera. It takes
  /// the word's pattern three times.
  static let condition = """
    (a.id IN (SELECT rowid FROM asset_search WHERE asset_search MATCH ?) \
    OR a.folder_id IN (SELECT rowid FROM folder_search WHERE folder_search MATCH ?) \
    OR a.origin_id IN (SELECT rowid FROM origin_search WHERE origin_search MATCH ?))
    """

  /// The same for words that occur in no folder and no camera.
  static let ownCondition = "a.id IN (SELECT rowid FROM asset_search WHERE asset_search MATCH ?)"

  /// The condition that an asset has all words of the search.
  func sql(in database: Database) throws -> ConditionSQL {
    var (own, shared): ([String], [String]) = ([], [])
    for pattern in patterns {
      if try Self.isShared(pattern, in: database) {
        shared.append(pattern)
      } else {
        own.append(pattern)
      }
    }
    var parts = shared.map { ConditionSQL(Self.condition, [$0, $0, $0]) }
    if !own.isEmpty {
      parts.append(ConditionSQL(Self.ownCondition, [own.joined(separator: " AND ")]))
    }
    return ConditionSQL(
      "(" + parts.map(\.sql).joined(separator: " AND ") + ")", parts.flatMap(\.arguments))
  }

  /// Whether a word occurs in a folder's path or a camera.
  static func isShared(_ pattern: String, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM folder_search WHERE folder_search MATCH ?1)
            OR EXISTS (SELECT 1 FROM origin_search WHERE origin_search MATCH ?1)
          """), arguments: [pattern]) ?? false
  }
}

extension Condition {
  /// The FTS5 pattern for a table that has all texts of an asset; nil if the condition contains anything but searches.
  var wordPattern: String? {
    let (parts, word): ([Condition], String)
    switch self {
    case .search(let text): return text.patterns.joined(separator: " AND ")
    case .all(let all): (parts, word) = (all, " AND ")
    case .any(let any): (parts, word) = (any, " OR ")
    default: return nil
    }
    let patterns = parts.compactMap(\.wordPattern)
    guard patterns.count == parts.count, patterns.count <= Self.mostPatterns,
      depth <= Self.deepestPattern
    else { return nil }
    return patterns.map { "(\($0))" }.joined(separator: word)
  }

  /// FTS5's parser accepts a few hundred nested patterns.
  private static let mostPatterns = 50
  /// Its stack has a hundred entries, of which a bracket after `AND` takes three.
  private static let deepestPattern = 16
}

/// Searches the first texts of a listing in memory.
///
/// A frequent word may have a million entries in the search index, and reading them all to show a hundred
/// hits is slow. A page of hits is then among the listing's first few hundred texts, which FTS5 tokenizes in
/// memory within milliseconds.
final class SearchSample {
  /// The largest number of texts to sample, in about 20 ms.
  static let most = 2000
  /// The texts that are added at once.
  private static let step = 250

  /// All words of the searches.
  private let pattern: String
  private let memory: DatabaseQueue
  private let texts: RowCursor
  private var count = 0

  /// - Parameters:
  ///   - pattern: see ``Query/Condition/wordPattern``.
  ///   - rows: a statement with one column, `id`, in the order of the listing.
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
        SELECT s.rowid, s.name, s.title, s.caption, s.keywords,
          (SELECT path FROM folder_search WHERE rowid = a.folder_id),
          (SELECT camera FROM origin_search WHERE rowid = a.origin_id)
        FROM (\(rows)) AS first CROSS JOIN assets AS a ON a.id = first.id
        CROSS JOIN asset_search AS s ON s.rowid = first.id
        """, arguments: StatementArguments(arguments))
  }

  /// The ids of the hits within the first texts, unordered, if they are `wanted`, or fewer because the listing has no
  /// more texts; nil if the hits are too rare to be found in this way.
  func page(of wanted: Int) throws -> [Int64]? {
    try memory.write { memory in
      let insertion = try memory.cachedStatement(
        sql: "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)")
      var isWhole = false
      while !isWhole {
        for _ in 0..<Self.step {
          guard let row = try texts.next() else {
            isWhole = true
            break
          }
          count += 1
          try insertion.execute(
            arguments: StatementArguments((0..<7).map { row[$0] as DatabaseValue }))
        }
        let found = try Int64.fetchAll(
          memory.cachedStatement(sql: "SELECT id FROM sample WHERE sample MATCH ?"),
          arguments: [pattern])
        if found.count >= wanted || isWhole { return found }
        // The number of texts that hold a page at this rate.
        let needed = found.isEmpty ? Int.max : wanted * count / found.count
        if needed > Self.most || count >= Self.most { return nil }
      }
      return nil
    }
  }

  /// Divides texts into words just as the catalog's own tables do, see the schema.
  private static let table = """
    CREATE VIRTUAL TABLE sample USING fts5(
      id UNINDEXED, name, title, caption, keywords, folder, camera,
      tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
    )
    """
}
