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
  /// The FTS5 query: quoted texts, all of which must match, with `*` after prefixes.
  package let pattern: String

  /// Reads what a user typed; a quote that is never closed holds to the end.
  package init(typed: String) throws(BadValue) {
    guard typed.utf8.count <= Self.longest else {
      throw BadValue(typed, "is too long to be searched for")
    }
    guard !typed.unicodeScalars.contains("\0") else {
      throw BadValue(typed, "contains a NUL")
    }
    self.typed = typed
    pattern = Self.pieces(of: typed).filter(\.hasLetters).map(\.pattern).joined(separator: " AND ")
    guard !pattern.isEmpty else {
      throw BadValue(typed, "has no word to search for: write letters or digits")
    }
  }

  /// One word, or several consecutive words.
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
