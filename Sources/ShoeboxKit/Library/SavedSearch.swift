import Catalog
import Linux

/// The flags of a listing that the command line keeps in the catalog under a name.
package struct SavedSearch: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// The flags as they were given.
  package let arguments: [String]
  /// Milliseconds since 1970 UTC.
  package let saved: Int64

  init(_ search: Catalog::SavedSearch) {
    (name, arguments, saved) = (search.name, search.arguments, search.saved)
  }
}

extension PhotoLibrary {
  /// All saved searches, by name.
  nonisolated package func savedSearches() throws -> [SavedSearch] {
    try read { try $0.savedSearches().map(SavedSearch.init) }
  }

  /// The search of this name, in any case.
  ///
  /// - Throws: `UnknownWord` with similar names.
  nonisolated package func savedSearch(_ name: String) throws -> SavedSearch {
    try read { SavedSearch(try $0.savedSearch(name)) }
  }

  /// Keeps a search under a name, and replaces the one that has it.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `BadValue` for what cannot be a name.
  nonisolated package func saveSearch(_ name: String, arguments: [String]) throws -> Bool {
    try read { try $0.saveSearch(name, arguments: arguments, now: millisecondsSince1970()) }
  }

  /// Checks the name of a search.
  ///
  /// - Throws: `BadValue` for what cannot be a name.
  package static func checkSearchName(_ text: String) throws {
    _ = try Catalog::SavedSearch.name(typed: text)
  }

  /// Deletes the search of this name.
  ///
  /// - Returns: its name as it was saved, and what it was; nil if that is damaged.
  /// - Throws: `UnknownWord` with similar names.
  nonisolated package func deleteSearch(
    _ name: String
  ) throws -> (name: String, search: SavedSearch?) {
    try read {
      let (name, search) = try $0.deleteSearch(name)
      return (name, search.map(SavedSearch.init))
    }
  }
}
