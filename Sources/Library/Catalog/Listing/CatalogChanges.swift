import Foundation
import GRDB
import MediaModel
package import Query

/// A state of the catalog, for asking later what has changed since.
///
/// A backup that takes the catalog's place has the same identity, and its changes get the numbers of those that are lost. So
/// the state also has a random number of its last change, and the time of its last scan, which no other scan has. A backup
/// that has gone on for longer is therefore recognised unless all that it lacks are changes without a scan, such as those of
/// albums.
package struct CatalogState: Sendable, Hashable, Codable {
  /// The number of the last change.
  package var revision: Int64
  /// The last row that was given to a file: a later one is of a file that was added since.
  package var lastRow: Int64
  /// The last scan's row; 0 if there was none.
  package var lastScan: Int64
  /// A digest of the catalog's identity and the time at which that scan began.
  package var origin: UInt64
  /// A digest of what the last change has set at random.
  package var lastChange: UInt64

  package init(
    revision: Int64, lastRow: Int64, lastScan: Int64, origin: UInt64, lastChange: UInt64
  ) {
    (self.revision, self.lastRow, self.lastScan) = (revision, lastRow, lastScan)
    (self.origin, self.lastChange) = (origin, lastChange)
  }
}

/// A state is not of the catalog's past: it is one of another catalog, or of one in whose place a backup was put.
package struct UnknownStateError: Error, Sendable, Hashable {}

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
  /// - Throws: ``UnknownStateError``.
  package func changes(since old: CatalogState) throws -> CatalogChanges? {
    try read { transaction in
      let database = transaction.database
      let state = try Self.state(database)
      guard state != old else { return nil }
      guard try Self.follows(state, old, in: database) else { throw UnknownStateError() }
      var changes = CatalogChanges(state: state)
      let revision = old.revision
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

  /// Whether a state is of the catalog's past, so that ``changes(since:)`` is known.
  package func follows(_ old: CatalogState) throws -> Bool {
    try read { try Self.follows(Self.state($0.database), old, in: $0.database) }
  }

  private static func follows(
    _ state: CatalogState, _ old: CatalogState, in database: Database
  ) throws -> Bool {
    guard
      state.revision > old.revision
        || state.revision == old.revision && state.lastChange == old.lastChange
    else { return false }
    return try origin(ofScan: old.lastScan, in: database) == old.origin
  }

  private static func state(_ database: Database) throws -> CatalogState {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT revision, ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'files'), 0),
            ifnull((SELECT max(id) FROM scans), 0), state FROM changes
          """))
    guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    let (scan, change): (Int64, Data) = (row[2], row[3])
    return CatalogState(
      revision: row[0], lastRow: row[1], lastScan: scan,
      origin: try origin(ofScan: scan, in: database) ?? 0, lastChange: FNV1a(change).value)
  }

  /// A digest of the catalog's identity and the time at which a scan began; nil if there was no such scan.
  ///
  /// - Parameter scan: its row; 0 for the time before the first one.
  private static func origin(ofScan scan: Int64, in database: Database) throws -> UInt64? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT (SELECT value FROM secrets WHERE name = 'identity'), (SELECT started FROM scans WHERE id = ?)
          """), arguments: [scan])
    let (identity, started): (Data?, Int64?) = (row?[0], row?[1])
    guard started != nil || scan == 0 else { return nil }
    return FNV1a(Array(identity ?? Data()) + Array(String(started ?? 0).utf8)).value
  }

  /// Those of some identifiers that belong to assets that a filter matches.
  package func identifiers(
    among identifiers: [String], matching filter: AssetFilter
  ) throws -> Set<String> {
    try read { try Self.identifiers(among: identifiers, matching: filter, in: $0.database) }
  }

  private static func identifiers(
    among identifiers: [String], matching filter: AssetFilter, in database: Database
  ) throws -> Set<String> {
    try identifiers.inBatches(of: mostCompared).reduce(into: []) { found, some in
      let places = some.map { _ in "?" }.joined(separator: ", ")
      found.formUnion(
        try Self.identifiers(
          where: "a.identifier IN (\(places))", some.map(StoredIdentifier.init), matching: filter,
          in: database))
    }
  }

  /// The assets that a filter matches, and those whose texts are not in the search index yet, so that it may begin or
  /// cease to match them without any change of theirs.
  package struct Matches: Sendable, Hashable {
    package var matching: Set<String> = []
    package var unsearched: Set<String> = []
  }

  /// Which of some identifiers belong to assets that a filter matches, or may match when the search index is complete.
  ///
  /// - Parameters:
  ///   - changed: are compared with the filter.
  ///   - waiting: are compared only if their texts are in the search index.
  package func matches(
    among changed: [String], andSearched waiting: Set<String>, matching filter: AssetFilter
  ) throws -> Matches {
    try read { transaction in
      let database = transaction.database
      let waits = try Self.unsearched(among: Array(waiting), in: database)
      return Matches(
        matching: try Self.identifiers(
          among: changed + waiting.subtracting(waits), matching: filter, in: database),
        unsearched: waits.union(try Self.unsearched(among: changed, in: database)))
    }
  }

  private static func unsearched(
    among identifiers: [String], in database: Database
  ) throws -> Set<String> {
    try identifiers.inBatches(of: mostCompared).reduce(into: []) { found, some in
      let places = some.map { _ in "?" }.joined(separator: ", ")
      found.formUnion(
        try unsearched(
          "identifier IN (\(places)) AND \(isUnsearched)", some.map(StoredIdentifier.init),
          in: database))
    }
  }

  private static let isUnsearched = """
    (id > (SELECT last_asset_id FROM search_progress) OR id IN (SELECT asset_id FROM search_changes))
    """

  private static func unsearched(
    _ condition: String, _ arguments: [StoredIdentifier] = [], in database: Database
  ) throws -> Set<String> {
    Set(
      try Row.fetchAll(
        database, sql: "SELECT identifier FROM assets WHERE \(condition)",
        arguments: StatementArguments(arguments)
      ).map { ($0[0] as StoredIdentifier).text })
  }

  /// How many identifiers one statement compares.
  private static let mostCompared = 500

  /// The current state, and all assets that a filter matches in it, or may match when the search index is complete.
  package func state(
    matching filter: AssetFilter
  ) throws -> (state: CatalogState, matches: Matches) {
    try read { transaction in
      let database = transaction.database
      return (
        try Self.state(database),
        Matches(
          matching: try Self.identifiers(where: "true", [], matching: filter, in: database),
          unsearched: try Self.unsearched(Self.isUnsearched, in: database))
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
