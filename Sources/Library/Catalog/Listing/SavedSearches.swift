import Foundation
import GRDB
import MediaModel
package import Query

/// A filter that is kept in the catalog under a name.
package struct SavedSearch: Sendable, Hashable {
  package var name: String
  /// The flags as they were given.
  package var arguments: [String]
  /// Milliseconds since 1970 UTC.
  package var saved: Int64

  /// Scalars.
  private static let longestName = 64

  /// A name as it may be given to a search: letters, digits, spaces and `-_.`, a letter or digit first.
  ///
  /// - Throws: ``BadValue`` for what cannot be one.
  package static func name(typed text: String) throws(BadValue) -> String {
    let scalars = text.unicodeScalars
    func isLetter(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    guard let first = scalars.first, isLetter(first), scalars.count <= longestName,
      scalars.allSatisfy({ isLetter($0) || " -_.".unicodeScalars.contains($0) }),
      scalars.last != " "
    else {
      throw BadValue(
        text, "is not a valid search name: use up to \(longestName) letters, digits, spaces and -_."
      )
    }
    return text
  }

  init(_ row: Row) {
    let text: String = row[1]
    let decoded = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    self.init(name: row[0], arguments: decoded ?? [], saved: row[2])
  }

  init(name: String, arguments: [String], saved: Int64) {
    (self.name, self.arguments, self.saved) = (name, arguments, saved)
  }
}

extension Catalog {
  /// Every saved search, by name.
  package func savedSearches() throws -> [SavedSearch] {
    try read { transaction in
      let database = transaction.database
      return try Row.fetchAll(
        database, sql: "SELECT name, arguments, saved_date FROM saved_searches ORDER BY name"
      ).map(SavedSearch.init)
    }
  }

  /// The search of this name, in any case.
  ///
  /// - Throws: ``UnknownWord`` that names the nearest ones.
  package func savedSearch(_ name: String) throws -> SavedSearch {
    let all = try savedSearches()
    let found = all.first { $0.name.lowercased() == name.lowercased() }
    guard let found else {
      throw UnknownWord(name, kind: "saved search", among: all.map(\.name))
    }
    return found
  }

  /// Keeps a search under a name, in the place of one that has it.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  /// - Returns: whether there was one.
  package func saveSearch(_ name: String, arguments: [String], now: Int64) throws -> Bool {
    let name = try SavedSearch.name(typed: name)
    let text = String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
    let old = try savedSearches().first { $0.name.lowercased() == name.lowercased() }
    try write { transaction in
      let database = transaction.database
      try database.execute(
        sql: "DELETE FROM saved_searches WHERE name = ?", arguments: [old?.name ?? name])
      try database.execute(
        sql: "INSERT INTO saved_searches (name, arguments, saved_date) VALUES (?, ?, ?)",
        arguments: [name, text, now])
    }
    return old != nil
  }

  /// Deletes the search of this name and returns it.
  ///
  /// - Throws: ``UnknownWord``.
  package func deleteSearch(_ name: String) throws -> SavedSearch {
    let search = try savedSearch(name)
    try write { transaction in
      let database = transaction.database
      try database.execute(
        sql: "DELETE FROM saved_searches WHERE name = ?", arguments: [search.name])
    }
    return search
  }
}
