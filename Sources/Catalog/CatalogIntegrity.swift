import GRDB

extension Catalog {
  /// What SQLite finds wrong with the file, at most a dozen lines; empty if all is well.
  package func integrityProblems() throws -> [String] {
    try read { database in
      let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
        .filter { $0 != "ok" }
      let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
      return pages + (orphans > 0 ? ["\(orphans) rows point nowhere"] : [])
    }
  }
}
