import GRDB
import Query

extension SearchText {
  /// The columns that words are found in.
  static let columns = ["name", "folder", "title", "caption", "keywords", "camera"]

  /// A statement of the numbers of assets and of their texts as the index has them.
  ///
  /// Most texts are ASCII, as long in bytes as in signs, and stay as they are: a call of Swift for each
  /// would take about as long as all the rest.
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

  /// A statement whose only column is the number of an asset found, `id`; its value is the pattern.
  static let sql = "SELECT rowid AS id FROM asset_search WHERE asset_search MATCH ?"

  /// - Throws: ``CatalogError/withoutSearch`` for a catalog of an earlier version.
  static func require(in database: Database) throws {
    guard try database.tableExists("asset_search") else { throw CatalogError.withoutSearch }
  }
}

extension Condition {
  /// What finds it in the index of words, if it asks nothing else.
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

  /// FTS5's own parser takes a few hundred inside one another.
  private static let mostPatterns = 50
}
