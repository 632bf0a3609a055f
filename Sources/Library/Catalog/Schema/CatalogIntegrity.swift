import GRDB
import Query

extension Catalog {
  /// SQLite's report on damage to the file and to the full-text index, at most a dozen lines; empty for an intact
  /// catalog.
  package func integrityProblems() throws -> [String] {
    let problems = try fileProblems()
    return try problems.isEmpty ? searchProblems() + staleTexts() : problems
  }

  /// Assets with texts that differ from those in the full-text index, and that are not queued for writing.
  private func staleTexts() throws -> [String] {
    try read { transaction in
      let columns = SearchText.columns.joined(separator: ", ")
      let count = try Int.fetchOne(
        transaction.database,
        sql: """
          SELECT count(*) FROM (
            SELECT asset_id FROM (
              SELECT * FROM (\(SearchText.texts(where: "id <= (SELECT last_asset_id FROM search_progress)")))
              EXCEPT SELECT rowid, \(columns) FROM asset_search)
            UNION SELECT rowid FROM asset_search WHERE rowid NOT IN (SELECT id FROM assets))
          WHERE asset_id NOT IN (SELECT asset_id FROM search_changes)
          """)
      guard let count, count > 0 else { return [] }
      return [
        """
        assets whose texts differ from the search index: \(count); `shoebox scan --rebuild` makes the index again
        """
      ]
    }
  }

  /// Differences between the search index and the texts it was made from. FTS5 checks that by a statement that
  /// writes, though it changes nothing: where the catalog cannot be written, or a scan writes it, nothing is
  /// reported.
  private func searchProblems() throws -> [String] {
    do {
      try CatalogError.translating(path) {
        try Catalog.open(at: path, mode: .readWrite).database.write { database in
          for table in ["asset_search", "folder_search", "origin_search"] {
            try database.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
          }
        }
      }
      return []
    } catch {
      return switch error {
      case .damaged: [Self.searchProblem]
      case .busy, .cannotOpen, .readOnly, .unwritableFolder: []
      default: ["the search index could not be checked: \(error)"]
      }
    }
  }

  private static let searchProblem = """
    the search index does not match the texts: `shoebox scan --rebuild` makes it again
    """

  private func fileProblems() throws -> [String] {
    try read { transaction in
      let database = transaction.database
      let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
        .filter { $0 != "ok" }
      // Since SQLite 3.44 it checks the full-text indexes, too.
      let isSearch = { (problem: String) in
        problem.contains("malformed inverted index for FTS5 table")
      }
      let search = pages.contains(where: isSearch) ? [Self.searchProblem] : []
      let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
      return pages.filter { !isSearch($0) } + search
        + (orphans > 0 ? ["\(orphans) rows refer to rows that do not exist"] : [])
    }
  }
}
