import Foundation
import GRDB
import MediaModel
package import Query

/// A state of the catalog, for asking later what has changed since.
package struct CatalogState: Sendable, Hashable, Codable {
  /// The number of the last change.
  package var revision: Int64
  /// The last row that was given to a file: a later one is of a file that was added since.
  package var lastRow: Int64

  package init(revision: Int64, lastRow: Int64) {
    (self.revision, self.lastRow) = (revision, lastRow)
  }
}

/// The difference of two states: identifiers of assets, each in one list.
package struct CatalogChanges: Sendable, Hashable {
  package var state: CatalogState
  package var inserted: [String] = []
  package var updated: [String] = []
  /// Assets that are not listed any more: forgotten, missing, or part of another asset.
  package var removed: [String] = []
}

extension Catalog {
  /// The current state.
  package func state() throws -> CatalogState {
    try read { try Self.state($0.database) }
  }

  /// What has changed since a state; nil if nothing has.
  ///
  /// If the catalog is older than the state, because a backup was put in its place, all assets may have changed.
  package func changes(since old: CatalogState) throws -> CatalogChanges? {
    try read { transaction in
      let database = transaction.database
      let state = try Self.state(database)
      guard state.revision != old.revision else { return nil }
      var changes = CatalogChanges(state: state)
      let revision = state.revision < old.revision ? -1 : old.revision
      let rows = try Row.fetchCursor(
        database,
        sql:
          "SELECT id, identifier, is_listed FROM assets WHERE revision > ? ORDER BY revision, id",
        arguments: [revision])
      while let row = try rows.next() {
        let identifier = (row[1] as StoredIdentifier).text
        let isNew = (row[0] as Int64) > old.lastRow
        switch (isNew, row[2] as Bool) {
        case (true, true): changes.inserted.append(identifier)
        case (false, true): changes.updated.append(identifier)
        case (false, false): changes.removed.append(identifier)
        // It was added and removed since.
        case (true, false): break
        }
      }
      changes.removed += try Row.fetchAll(
        database, sql: "SELECT identifier FROM removed_assets WHERE revision > ?",
        arguments: [revision]
      ).map { ($0[0] as StoredIdentifier).text }
      return changes
    }
  }

  private static func state(_ database: Database) throws -> CatalogState {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT (SELECT revision FROM changes),
            ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'files'), 0)
          """))
    guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return CatalogState(revision: row[0], lastRow: row[1])
  }

  /// Those of some identifiers that belong to assets that a filter matches.
  package func identifiers(
    among identifiers: [String], matching filter: AssetFilter
  ) throws -> Set<String> {
    try read { transaction in
      var found: Set<String> = []
      var rest = identifiers[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.mostCompared).map(StoredIdentifier.init)
        rest = rest.dropFirst(Self.mostCompared)
        let places = some.map { _ in "?" }.joined(separator: ", ")
        found.formUnion(
          try Self.identifiers(
            where: "a.identifier IN (\(places))", some, matching: filter, in: transaction.database))
      }
      return found
    }
  }

  /// How many identifiers one statement compares.
  private static let mostCompared = 500

  /// The current state, and the identifiers of all assets that a filter matches in it.
  package func state(
    matching filter: AssetFilter
  ) throws -> (state: CatalogState, identifiers: Set<String>) {
    try read { transaction in
      let database = transaction.database
      return (
        try Self.state(database),
        try Self.identifiers(where: "true", [], matching: filter, in: database)
      )
    }
  }

  private static func identifiers(
    where condition: String, _ arguments: [any DatabaseValueConvertible],
    matching filter: AssetFilter, in database: Database
  ) throws -> Set<String> {
    let required = filter.requirements
    let conditions = try AssetConditions(required, isListed: false, in: database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT a.identifier FROM assets AS a\(required.tables.joins)
        WHERE \(condition) AND \(conditions.sql)
        """, arguments: StatementArguments(arguments + conditions.arguments))
    var found: Set<String> = []
    while let row = try rows.next() { found.insert((row[0] as StoredIdentifier).text) }
    return found
  }
}
