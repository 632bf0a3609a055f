import Foundation
import GRDB
package import MediaModel
import Query

/// What a merge has taken from another catalog.
package struct MergeCounts: Sendable, Hashable {
  /// Media files that were new.
  package var added = 0
  /// Media files that were known, with other facts.
  package var changed = 0
  /// Media files that the other catalog has.
  package var total = 0
  /// Whether the other catalog is as it was when it was merged last, so that nothing was read.
  package var isUnchanged = false
  /// The assets that have become missing by it. They may have moved into the folders of another one.
  package var departed: [Int64] = []
  /// The files in whose places are others now. They may have moved into the folders of another catalog.
  package var replaced: [ReplacedFile] = []
  /// Paths that cannot be read by what this catalog knows, but were read by the other one.
  package var readAgain: [BytePath] = []
}

/// A file in whose place a merge has found another one, as it was.
package struct ReplacedFile: Sendable, Hashable {
  /// Its row.
  var id: Int64
  var fingerprint: Data
  /// Bytes.
  var size: Int64
  var inode: Int64
}

/// Takes all that another catalog has of its folders into this one, in one transaction.
///
/// The other catalog is attached, and rows are copied by statements, table by table. Its row numbers are translated by
/// temporary tables. A root is the one with its path; a folder the one with its path below the root; a file the one whose
/// asset has its identifier, or else the one with its name in the folder. What the rules of whole libraries decide, such
/// as copies and live photos whose halves are in different catalogs, is queued, and settled as after a scan.
struct CatalogMerge {
  let database: Database
  /// The path of the other catalog.
  let path: String
  /// Milliseconds since 1970 UTC.
  let now: Int64
  /// The number of the next change, which assets get that are written.
  let revision: Int64

  init(_ database: Database, path: String, now: Int64) throws {
    (self.database, self.path, self.now) = (database, path, now)
    revision = try Int64.fetchOne(database, sql: "SELECT revision + 1 FROM changes") ?? 0
  }

  /// Merges the catalog that is attached as `shard`.
  func run() throws -> MergeCounts {
    let state = try state()
    guard state.isNew else { return MergeCounts(isUnchanged: true) }
    try copyRoots()
    let coverage = try MergedCoverage(database)
    try copyFolders()
    try findOwnFolders(of: state.isKnown ? state.shard : nil, coverage)
    let scan = try addScan()
    let offset = try matchFiles(state)
    var counts = MergeCounts(total: try count())
    try copyOrigins()
    if offset == nil {
      counts.departed = try departures() + removeUnmatched(scan, coverage)
      counts.replaced = try replacedFiles()
    }
    counts.added = try insertFiles(scan, offset: offset)
    // Afterwards, because a known file may have become part of a new asset.
    if offset == nil { counts.changed = try updateFiles(scan) }
    try copyParts(offset: offset)
    try copyQueues()
    try setTitles()
    try queueRelations(isFresh: offset != nil)
    try copyFailures(scan)
    counts.readAgain = try pathsReadAgain(by: state.shard, coverage)
    try copyChecks()
    try copyReaders()
    try copyAlbums(after: state.latestTaken)
    try copySearches(after: state.latestTaken)
    try finish(state, counts, scan)
    return counts
  }

  /// The media files of the other catalog.
  func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM shard.files WHERE kind = 'media'") ?? 0
  }

  /// A catalog, and what distinguishes its state from its others.
  struct State {
    /// What distinguishes it from others.
    var identity: Data
    /// Renewed at random by each change. The number of the last change is not enough: copies of one catalog that went on
    /// separately may have had equally many.
    var lastChange: Data
    /// The part of its library folders that it has; nil if it is unknown.
    var shard: Shard?
    /// Whether it, or an older catalog of its shard, was merged before.
    var isKnown: Bool
    /// Whether it has a part of the library, as this catalog knows: all other folders are those of third catalogs.
    var isKnownPart: Bool { isKnown && shard.map { $0.count > 1 } ?? false }
    /// Whether it was not merged in this state.
    var isNew: Bool
    /// Whether one of both catalogs was made of the other one, or has had its files before: a missing file that only the other
    /// one has was removed here, as by `missing purge`.
    var sharesPast: Bool
    /// The latest addition to albums and saved searches that this catalog has had from it, or it from this catalog.
    var latestTaken: Int64
  }

  func state() throws -> State {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT value, (SELECT state FROM shard.changes) FROM shard.secrets WHERE name = 'identity'
        """)
    guard let row else { throw CatalogError.developmentVersion(path) }
    guard let identity = row[0] as Data?, let lastChange = row[1] as Data? else {
      throw CatalogError.damaged(path)
    }
    let part = try Row.fetchOne(database, sql: "SELECT number, count FROM shard.scanned_part")
    let shard = part.flatMap { Shard($0[0], of: $0[1]) }
    let known = try Data.fetchOne(
      database, sql: "SELECT state FROM merged_catalogs WHERE identity = ?",
      arguments: [identity])
    // A new catalog of a shard follows an older one. Of whole libraries, there may be several.
    let hasFollowed = try Bool.fetchOne(
      database,
      sql:
        "SELECT EXISTS (SELECT 1 FROM merged_catalogs WHERE number = ? AND count = ? AND count > 1)",
      arguments: [shard?.number, shard?.count])
    return State(
      identity: identity, lastChange: lastChange, shard: shard,
      isKnown: known != nil || hasFollowed == true, isNew: known != lastChange,
      sharesPast: try known != nil || isCopyOrSplit(identity),
      latestTaken: try latestTaken(from: identity))
  }

  /// Whether the other catalog is a copy of this one, or was split from it.
  private func isCopyOrSplit(_ identity: Data) throws -> Bool {
    let own = try Data.fetchOne(
      database, sql: "SELECT value FROM main.secrets WHERE name = 'identity'")
    let isSplit = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM shard.merged_catalogs WHERE identity = ?)",
      arguments: [own])
    return identity == own || isSplit == true
  }

  private func latestTaken(from identity: Data) throws -> Int64 {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT ifnull(max(latest_addition), 0) FROM (
          SELECT latest_addition FROM main.merged_catalogs WHERE identity = ?
          UNION ALL SELECT latest_addition FROM shard.merged_catalogs
          WHERE identity = (SELECT value FROM main.secrets WHERE name = 'identity'))
        """, arguments: [identity]) ?? 0
  }

  func finish(_ state: State, _ counts: MergeCounts, _ scan: Int64) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO merged_catalogs (identity, state, number, count, latest_addition, last_scan)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        state.identity, state.lastChange, state.shard?.number ?? 0, state.shard?.count ?? 0,
        // By a clock that is ahead, there would be nothing later for a while.
        min(try database.latestAddition, now), scan,
      ])
    try database.execute(
      sql: "UPDATE scans SET added = ?, changed = ? WHERE id = ?",
      arguments: [counts.added, counts.changed, scan])
    try clearTemporaries()
  }

  /// Empties the tables in which the other catalog's numbers are translated.
  private func clearTemporaries() throws {
    for table in ["roots", "folders", "own_folders", "origins", "sources"] {
      try database.execute(sql: "DELETE FROM merged_\(table)")
    }
    try database.execute(sql: "DROP TABLE IF EXISTS merged_identifiers")
    let files = try String.fetchOne(
      database, sql: "SELECT type FROM temp.sqlite_master WHERE name = 'merged_files'")
    if let files { try database.execute(sql: "DROP \(files) merged_files") }
  }

  /// Records the merge in the history, as one scan that takes the place of the other catalog's scans. It follows the scans that
  /// are there: after an earlier one, these would seem to be of a clock that was ahead, see
  /// ``CatalogTransaction/beginningsOfScans()``.
  func addScan() throws -> Int64 {
    try database.execute(
      sql: """
        WITH latest(started) AS (SELECT ifnull(max(started), 0) FROM main.scans WHERE started <= ?1)
        INSERT INTO main.scans (started, finished, milliseconds, outcome, scanned, unchanged, unreadable, sidecars,
          ignored, missing, roots)
        SELECT min(max(theirs.started, latest.started), ?1), min(max(finished, latest.started), ?1), milliseconds, 'finished',
          scanned, unchanged, unreadable, sidecars, ignored, missing, roots
        FROM latest CROSS JOIN (SELECT * FROM shard.scans WHERE outcome <> 'running' ORDER BY id DESC LIMIT 1) AS theirs
        """, arguments: [now])
    guard database.changesCount > 0 else { throw CatalogError.unfinished(path) }
    return database.lastInsertedRowID
  }

  /// See ``GRDB/Database/insert(_:_:from:where:)``.
  func insert(
    _ table: String, _ values: [String: String], from source: String, where condition: String
  ) throws {
    try database.insert(table, values, from: source, where: condition)
  }

  /// Updates known files or assets that differ.
  ///
  /// - Returns: the number of rows that differed.
  @discardableResult
  func update(
    _ table: String, _ values: [String: String], from source: String, except: Set<String>,
    setting others: [String: String] = [:]
  ) throws -> Int {
    let columns = try database.columns(table).filter { !except.contains($0) }
    let pairs = columns.map { ($0, values[$0] ?? "theirs.\($0)") }
    let sets = (pairs + others.map { ($0.key, $0.value) }).map { "\($0) = \($1)" }
    let differs = pairs.map { "\(table).\($0) IS NOT \($1)" }
    try database.execute(
      sql: """
        UPDATE main.\(table) SET \(sets.joined(separator: ", ")) FROM \(source)
        WHERE \(table).id = own.new AND NOT own.is_new AND (\(differs.joined(separator: " OR ")))
        """)
    return database.changesCount
  }
}

extension Database {
  /// The latest addition to the albums and saved searches of the attached catalog, milliseconds since 1970 UTC; 0 if there
  /// was none.
  var latestAddition: Int64 {
    get throws {
      try Int64.fetchOne(
        self,
        sql: """
          SELECT max(ifnull((SELECT max(added_date) FROM shard.albums), 0),
            ifnull((SELECT max(added_date) FROM shard.album_assets), 0),
            ifnull((SELECT max(saved_date) FROM shard.saved_searches), 0))
          """) ?? 0
    }
  }

  /// The columns of a table that take space.
  func columns(_ table: String) throws -> [String] {
    try Row.fetchAll(self, sql: "PRAGMA main.table_xinfo(\(table))")
      .filter { ($0["hidden"] as Int) == 0 }.map { $0["name"] }
  }

  /// Copies rows of the other catalog into a table.
  ///
  /// - Parameter values: where the values of columns come from that are not simply copied.
  func insert(
    _ table: String, _ values: [String: String], from source: String, where condition: String
  ) throws {
    let columns = try columns(table)
    try execute(
      sql: """
        INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { values[$0] ?? "theirs.\($0)" }.joined(separator: ", ")) FROM \(source)
        WHERE \(condition)
        """)
  }
}
