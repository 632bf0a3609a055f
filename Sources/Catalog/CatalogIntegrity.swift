import GRDB

extension Catalog {
  /// What SQLite finds wrong with the file and with the index of words, at most a dozen lines; empty if
  /// all is well.
  package func integrityProblems() throws -> [String] {
    let problems = try fileProblems()
    return try problems.isEmpty ? searchProblems() : problems
  }

  /// What the words of the search differ in from the texts they were taken of. FTS5 asks for that by a
  /// statement that writes, though it changes nothing: where the catalog cannot be written, or a scan
  /// writes it, nothing is said.
  private func searchProblems() throws -> [String] {
    guard try read({ try $0.tableExists("asset_search") }) else { return [] }
    do {
      try Catalog.open(at: path, mode: .readWrite).database.write {
        try $0.execute(sql: "INSERT INTO asset_search (asset_search) VALUES ('integrity-check')")
      }
      return []
    } catch CatalogError.damaged {
      return [Self.searchProblem]
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return [Self.searchProblem]
    } catch is CatalogError {
      return []
    } catch is DatabaseError {
      return []
    }
  }

  private static let searchProblem = """
    the index of words does not fit the texts: `sqlite3 FILE "INSERT INTO asset_search (asset_search) \
    VALUES ('rebuild')"` makes it anew
    """

  private func fileProblems() throws -> [String] {
    try read { database in
      let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
        .filter { $0 != "ok" }
      let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
      return pages + (orphans > 0 ? ["\(orphans) rows point nowhere"] : [])
    }
  }
}
