import GRDB

/// Words to be found in what assets are called and said to be: names, folders, titles, descriptions,
/// keywords, cameras.
///
/// Every word must begin some word there, `beach` also finds `Beaches`; what stands in double quotes must
/// be there as it is, word behind word. Case and accents do not count, see `String.searchable`. What is
/// typed never becomes part of the index's own query language: each word is handed to it as a quoted text.
package struct SearchText: Sendable, Hashable {
  /// Bytes; SQLite's parser would take much more, people never do.
  private static let longest = 1024

  /// As it was typed.
  package let typed: String
  /// The same as FTS5 reads it: texts in quotes, of which all must be found, `*` behind beginnings.
  let pattern: String

  /// Reads what a user typed; a quote that is never closed holds to the end.
  package init(typed: String) throws(BadValue) {
    guard typed.utf8.count <= Self.longest else {
      throw BadValue(typed, "is too long to be searched for")
    }
    guard !typed.unicodeScalars.contains("\0") else {
      throw BadValue(typed, "holds a NUL, which no text has")
    }
    self.typed = typed
    pattern = Self.pieces(of: typed).filter(\.hasLetters).map(\.pattern).joined(separator: " AND ")
    guard !pattern.isEmpty else {
      throw BadValue(typed, "has no word to search for: write letters or digits")
    }
  }

  /// One word, or several that stand behind one another.
  private struct Piece {
    var text: String
    var isPhrase: Bool

    /// In either of the two ways that the index may have it: one that an earlier version has written has all
    /// letters as they are, until the next scan.
    var pattern: String {
      func quoted(_ text: String) -> String { "\"\(text)\"" + (isPhrase ? "" : "*") }
      let plain = text.searchable
      return plain.utf8.elementsEqual(text.utf8)
        ? quoted(plain) : "(\(quoted(plain)) OR \(quoted(text)))"
    }

    /// The index keeps letters and digits only; a piece without any would find nothing.
    var hasLetters: Bool {
      text.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
          .decimalNumber, .letterNumber, .otherNumber, .privateUse:
          true
        default: false
        }
      }
    }
  }

  /// Cut by scalars: a quote with an accent on it is a quote to the index.
  private static func pieces(of text: String) -> [Piece] {
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { index, part in
      // Behind every other quote a phrase begins.
      index.isMultiple(of: 2)
        ? part.split(whereSeparator: \.properties.isWhitespace).map {
          Piece(text: String($0), isPhrase: false)
        }
        : [Piece(text: String(part), isPhrase: true)]
    }
  }
}

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
