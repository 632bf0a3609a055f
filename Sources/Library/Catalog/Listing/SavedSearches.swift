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

  /// - Throws: ``CatalogError/damagedSearch(_:_:)``: a search without its arguments would find everything.
  fileprivate init(_ row: Row, in catalog: String) throws(CatalogError) {
    name = row.searchName
    guard let saved = Int64.fromDatabaseValue(row[2]), let text = String.fromDatabaseValue(row[1]),
      let arguments = try? JSONDecoder().decode([String].self, from: Data(text.utf8)),
      !arguments.isEmpty
    else { throw .damagedSearch(catalog, name) }
    (self.arguments, self.saved) = (arguments, saved)
  }
}

extension Catalog {
  /// Every saved search, by name.
  ///
  /// - Throws: ``CatalogError/damagedSearch(_:_:)`` for the first one that cannot be read.
  package func savedSearches() throws -> [SavedSearch] {
    try searchRows().map { try SavedSearch($0, in: path) }
  }

  /// The search of this name, in any case.
  ///
  /// - Throws: ``UnknownWord`` that names the nearest ones; ``CatalogError/damagedSearch(_:_:)``.
  package func savedSearch(_ name: String) throws -> SavedSearch {
    try SavedSearch(searchRow(name), in: path)
  }

  /// The rows of all saved searches, also of damaged ones: those can be replaced and deleted.
  private func searchRows() throws -> [Row] {
    try read { transaction in
      try Row.fetchAll(
        transaction.database,
        sql: "SELECT name, arguments, saved_date FROM saved_searches ORDER BY name")
    }
  }

  /// The row of the search of this name, in any case.
  ///
  /// - Throws: ``UnknownWord`` that names the nearest ones.
  private func searchRow(_ name: String) throws -> Row {
    let all = try searchRows()
    let found = all.first { $0.searchName.lowercased() == name.lowercased() }
    guard let found else {
      throw UnknownWord(name, kind: "saved search", among: all.map(\.searchName))
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
    let old = try searchRows().map(\.searchName).first { $0.lowercased() == name.lowercased() }
    try write { transaction in
      let database = transaction.database
      try database.execute(
        sql: "DELETE FROM saved_searches WHERE name = ?", arguments: [old ?? name])
      try database.execute(
        sql: "INSERT INTO saved_searches (name, arguments, saved_date) VALUES (?, ?, ?)",
        arguments: [name, text, now])
    }
    return old != nil
  }

  /// Deletes the search of this name.
  ///
  /// - Returns: its name as it was saved, and what it was; nil if that cannot be read.
  /// - Throws: ``UnknownWord``.
  package func deleteSearch(_ name: String) throws -> (name: String, search: SavedSearch?) {
    let row = try searchRow(name)
    try write { transaction in
      let database = transaction.database
      try database.execute(
        sql: "DELETE FROM saved_searches WHERE name = ?", arguments: [row.searchName])
    }
    return (row.searchName, try? SavedSearch(row, in: path))
  }
}

extension Row {
  /// The name in a row of saved searches.
  fileprivate var searchName: String { self[0] }
}
