/// Words to be found in what assets are called and said to be: names, folders, titles, descriptions,
/// keywords, cameras.
///
/// Every word must be the beginning of a word: `beach` also finds `Beaches`. Words in double quotes must
/// follow one another. Case and accents do not count, see `String.searchable`. What is typed never becomes
/// part of the index's own query language: each word is handed to it as a quoted text.
package struct SearchText: Sendable, Hashable {
  /// Bytes; SQLite's parser would take much more, people never do.
  private static let longest = 1024

  /// As it was typed.
  package let typed: String
  /// FTS5 queries, all of which must match: quoted texts, with `*` after prefixes.
  package let patterns: [String]

  /// Reads what a user typed; a quote that is never closed holds to the end.
  package init(typed: String) throws(BadValue) {
    guard typed.utf8.count <= Self.longest else {
      throw BadValue(typed, "is too long to be searched for")
    }
    guard !typed.unicodeScalars.contains("\0") else {
      throw BadValue(typed, "contains a NUL")
    }
    self.typed = typed
    patterns = Self.pieces(of: typed).filter(\.hasLetters).map(\.pattern)
    guard !patterns.isEmpty else {
      throw BadValue(typed, "has no word to search for: write letters or digits")
    }
  }

  /// One word, or several consecutive words.
  private struct Piece {
    var text: String
    var isPhrase: Bool

    var pattern: String { "\"\(text.searchable)\"" + (isPhrase ? "" : "*") }

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

  /// Splits by Unicode scalars, because the index treats a quote with a combining accent as a quote.
  private static func pieces(of text: String) -> [Piece] {
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { index, part in
      // A phrase begins after every other quote.
      index.isMultiple(of: 2)
        ? part.split(whereSeparator: \.properties.isWhitespace).map {
          Piece(text: String($0), isPhrase: false)
        }
        : [Piece(text: String(part), isPhrase: true)]
    }
  }
}
