import Foundation
import GRDB
import MediaModel
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
  private let path: String
  /// The number of the next change, which assets get that are written.
  private let revision: Int64

  init(_ database: Database, path: String) throws {
    (self.database, self.path) = (database, path)
    revision = try Int64.fetchOne(database, sql: "SELECT revision + 1 FROM changes") ?? 0
  }

  /// Merges the catalog that is attached as `shard`.
  func run() throws -> MergeCounts {
    let state = try state()
    guard state.isNew else { return MergeCounts(isUnchanged: true) }
    try copyRoots()
    try copyFolders()
    try findOwnFolders(isKnown: state.isKnown)
    let scan = try addScan()
    let isFresh = try matchFiles()
    var counts = MergeCounts()
    try copyOrigins()
    if !isFresh { try removeUnmatched(scan) }
    counts.added = try insertFiles(scan)
    // Afterwards, because a known file may have become part of a new asset.
    if !isFresh { counts.changed = try updateFiles(scan) }
    counts.total =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM shard.files WHERE kind = 'media'") ?? 0
    try copyParts(isFresh: isFresh)
    try copyQueues()
    try queueRelations(isFresh: isFresh)
    try copyFailures(scan)
    try copyChecks()
    try copyReaders()
    try copyAlbums()
    try copySearches()
    try finish(state, counts, scan)
    return counts
  }

  // MARK: Which catalog it is

  /// A catalog, and the number of its last change.
  private struct State {
    /// What distinguishes it from others.
    var identity: Data
    var revision: Int64
    /// Whether it was merged before.
    var isKnown: Bool
    /// Whether it was not merged in this state.
    var isNew: Bool
  }

  private func state() throws -> State {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT value, (SELECT revision FROM shard.changes) FROM shard.secrets WHERE name = 'identity'
        """)
    guard let row else { throw CatalogError.developmentVersion(path) }
    let (identity, revision): (Data, Int64) = (row[0], row[1])
    let known = try Int64.fetchOne(
      database, sql: "SELECT revision FROM merged_catalogs WHERE identity = ?",
      arguments: [identity])
    return State(
      identity: identity, revision: revision, isKnown: known != nil, isNew: known != revision)
  }

  private func finish(_ state: State, _ counts: MergeCounts, _ scan: Int64) throws {
    try database.execute(
      sql: """
        INSERT INTO merged_catalogs (identity, revision) VALUES (?, ?)
        ON CONFLICT (identity) DO UPDATE SET revision = excluded.revision
        """, arguments: [state.identity, state.revision])
    try database.execute(
      sql: "UPDATE scans SET added = ?, changed = ? WHERE id = ?",
      arguments: [counts.added, counts.changed, scan])
    for table in ["roots", "folders", "own_folders", "files", "origins"] {
      try database.execute(sql: "DROP TABLE temp.merged_\(table)")
    }
  }

  // MARK: Roots, folders and the scan

  private func copyRoots() throws {
    try database.execute(
      sql: """
        INSERT INTO main.roots (path, added_date, device, inode)
        SELECT path, added_date, device, inode FROM shard.roots
        WHERE path NOT IN (SELECT path FROM main.roots) ORDER BY id;
        CREATE TEMP TABLE merged_roots AS
        SELECT theirs.id AS old, ours.id AS new FROM shard.roots AS theirs
        CROSS JOIN main.roots AS ours ON ours.path = theirs.path
        """)
  }

  /// Folders get their parents in a second step. The other catalog knows the state of folders that it has read; it has
  /// only walked through the others.
  private func copyFolders() throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE merged_folders (
          old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_new INTEGER NOT NULL, is_read INTEGER NOT NULL);
        INSERT INTO merged_folders
        SELECT theirs.id, coalesce(ours.id,
            (SELECT ifnull(max(id), 0) FROM main.folders) + row_number() OVER (ORDER BY theirs.id)),
          ours.id IS NULL, theirs.digest IS NOT NULL OR EXISTS (SELECT 1 FROM shard.files WHERE folder_id = theirs.id)
        FROM shard.folders AS theirs JOIN merged_roots ON merged_roots.old = theirs.root_id
        LEFT JOIN main.folders AS ours ON ours.root_id = merged_roots.new AND ours.path = theirs.path;
        INSERT INTO main.folders (id, root_id, path, name, title, is_mount_point)
        SELECT merged_folders.new, merged_roots.new, path, name, title, is_mount_point
        FROM merged_folders JOIN shard.folders AS theirs ON theirs.id = merged_folders.old
        JOIN merged_roots ON merged_roots.old = theirs.root_id WHERE merged_folders.is_new;
        UPDATE main.folders SET parent_id = parent.new
        FROM merged_folders AS own JOIN shard.folders AS theirs ON theirs.id = own.old
        JOIN merged_folders AS parent ON parent.old = theirs.parent_id
        WHERE folders.id = own.new AND own.is_new;
        UPDATE main.folders SET digest = theirs.digest, media_count = theirs.media_count,
          unreadable_count = theirs.unreadable_count, sidecar_count = theirs.sidecar_count,
          ignored_count = theirs.ignored_count, is_mount_point = theirs.is_mount_point
        FROM merged_folders AS own JOIN shard.folders AS theirs ON theirs.id = own.old
        WHERE folders.id = own.new AND own.is_read
        """)
    let new = try Row.fetchAll(
      database,
      sql:
        "SELECT id, path FROM main.folders WHERE id IN (SELECT new FROM merged_folders WHERE is_new)"
    )
    let transaction = CatalogTransaction(database: database)
    for row in new { try transaction.addSearch(ofFolder: row[0], row[1]) }
  }

  /// Finds the folders of this catalog whose files the other catalog knows, and no third one: those that it has read,
  /// and if it was merged before, those of its shard that it does not have any more.
  private func findOwnFolders(isKnown: Bool) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE merged_own_folders (id INTEGER PRIMARY KEY);
        INSERT INTO merged_own_folders SELECT DISTINCT new FROM merged_folders WHERE is_read
        """)
    guard isKnown,
      let part = try Row.fetchOne(database, sql: "SELECT number, count FROM shard.scanned_part"),
      let shard = Shard(part[0], of: part[1])
    else { return }
    let folders = try Row.fetchCursor(
      database,
      sql: "SELECT id, path FROM main.folders WHERE root_id IN (SELECT new FROM merged_roots)")
    var own: [Int64] = []
    while let row = try folders.next() {
      if shard.owns(folder: row[1] as BytePath) { own.append(row[0]) }
    }
    try database.execute(
      sql: "INSERT OR IGNORE INTO merged_own_folders \(RowSet.sql)",
      arguments: [RowSet(own).argument])
    // The next scan compares their files one by one.
    try database.execute(
      sql: """
        UPDATE main.folders SET digest = NULL WHERE digest IS NOT NULL AND id IN (SELECT id FROM merged_own_folders)
          AND id NOT IN (SELECT new FROM merged_folders WHERE is_read)
        """)
  }

  /// Records the merge in the history, as one scan that takes the place of the other catalog's scans.
  private func addScan() throws -> Int64 {
    try database.execute(
      sql: """
        INSERT INTO main.scans (started, finished, milliseconds, outcome, scanned, unchanged, unreadable, sidecars,
          ignored, missing, roots)
        SELECT started, finished, milliseconds, 'finished', scanned, unchanged, unreadable, sidecars, ignored, missing,
          roots
        FROM shard.scans WHERE outcome <> 'running' ORDER BY id DESC LIMIT 1
        """)
    guard database.changesCount > 0 else { throw CatalogError.unfinished(path) }
    return database.lastInsertedRowID
  }

  // MARK: Files and assets

  /// Finds which files of the other catalog are known, and gives the others their numbers.
  ///
  /// - Returns: whether none is known.
  private func matchFiles() throws -> Bool {
    try database.execute(
      sql: """
        CREATE TEMP TABLE merged_files (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_new INTEGER NOT NULL)
        """)
    let base =
      try Int64.fetchOne(
        database, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = 'files'") ?? 0
    let isKnown =
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM main.files
              WHERE folder_id IN (SELECT id FROM merged_own_folders))
            OR EXISTS (SELECT 1 FROM shard.assets WHERE identifier IN (SELECT identifier FROM main.assets))
          """) ?? false
    guard isKnown else {
      try database.execute(
        sql: "INSERT INTO merged_files SELECT id, id + ?, 1 FROM shard.files", arguments: [base])
      return true
    }
    // By identifier. What has left the other catalog's folders and was found in those of a third one stays there.
    // Then by name, then by content: a file may have moved, or returned, between two new catalogs of one shard.
    try database.execute(
      sql: """
        INSERT INTO merged_files
        SELECT theirs.id, ours.id, 0 FROM shard.assets AS theirs
        CROSS JOIN main.assets AS ours ON ours.identifier = theirs.identifier
        WHERE NOT (theirs.is_missing AND NOT ours.is_missing
          AND ours.folder_id NOT IN (SELECT id FROM merged_own_folders));
        INSERT INTO merged_files
        SELECT theirs.id, min(ours.id), 0 FROM shard.files AS theirs
        CROSS JOIN merged_folders ON merged_folders.old = theirs.folder_id
        CROSS JOIN main.files AS ours ON ours.folder_id = merged_folders.new AND ours.family = theirs.family
          AND ours.name = theirs.name AND (ours.missing_since IS NULL) = (theirs.missing_since IS NULL)
        WHERE theirs.id NOT IN (SELECT old FROM merged_files)
          AND ours.id NOT IN (SELECT new FROM merged_files)
        GROUP BY theirs.id;
        INSERT INTO merged_files
        SELECT min(theirs.id), ours.id, 0 FROM shard.files AS theirs
        CROSS JOIN main.files AS ours ON ours.fingerprint = theirs.fingerprint AND ours.size = theirs.size
        WHERE theirs.kind = 'media' AND theirs.missing_since IS NULL AND theirs.id NOT IN (SELECT old FROM merged_files)
          AND ours.id NOT IN (SELECT new FROM merged_files) AND (ours.missing_since IS NOT NULL
            OR ours.folder_id IN (SELECT id FROM merged_own_folders))
          AND 1 = (SELECT count(*) FROM shard.files AS twin WHERE twin.fingerprint = theirs.fingerprint)
        GROUP BY theirs.fingerprint HAVING count(*) = 1
        """)
    try database.execute(
      sql: """
        INSERT INTO merged_files SELECT id, id + ?, 1 FROM shard.files WHERE id NOT IN (SELECT old FROM merged_files)
          AND id NOT IN (SELECT theirs.id FROM shard.assets AS theirs
            CROSS JOIN main.assets AS ours ON ours.identifier = theirs.identifier)
        """, arguments: [base])
    return false
  }

  /// Marks the assets of the other catalog's folders as missing that it does not have any more, forgets other files, and
  /// separates live photos whose halves are in different catalogs, until they are settled again.
  private func removeUnmatched(_ scan: Int64) throws {
    let gone = try Row.fetchAll(
      database,
      sql: """
        SELECT files.id, assets.id IS NOT NULL FROM main.files LEFT JOIN main.assets ON assets.id = files.id
        WHERE files.folder_id IN (SELECT id FROM merged_own_folders) AND missing_since IS NULL
          AND files.id NOT IN (SELECT new FROM merged_files)
        """
    ).map { (id: $0[0] as Int64, isAsset: $0[1] as Bool) }
    // The halves of a live photo of which only one is in the other catalog: each is there without the other.
    let halves = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM main.assets WHERE absorbed_by IS NOT NULL
          AND (id IN (SELECT new FROM merged_files)) <> (absorbed_by IN (SELECT new FROM merged_files))
        """)
    let transaction = CatalogTransaction(database: database)
    let changed = RowSet(gone.map(\.id) + halves)
    try transaction.markUnsettled(files: changed)
    try transaction.detach(files: changed)
    // An asset may return, and is in albums.
    try transaction.markMissing(gone.filter(\.isAsset).map(\.id), scan: scan)
    try transaction.execute(
      "DELETE FROM files WHERE id IN (\(RowSet.sql))",
      [RowSet(gone.filter { !$0.isAsset }.map(\.id)).argument])
  }

  /// Cameras and sources of times, of which there are few.
  private func copyOrigins() throws {
    let values =
      "uniform_type, make, model, lens, software, video_codec, audio_codec, dynamic_range"
    let same = values.split(separator: ", ").map { "ours.\($0) IS theirs.\($0)" }
      .joined(separator: " AND ")
    let find = "(SELECT min(id) FROM main.origins AS ours WHERE \(same))"
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM main.origins") ?? 0
    try database.execute(
      sql: """
        INSERT INTO main.origins (\(values)) SELECT \(values) FROM shard.origins AS theirs WHERE \(find) IS NULL;
        CREATE TEMP TABLE merged_origins (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        INSERT INTO merged_origins SELECT theirs.id, \(find) FROM shard.origins AS theirs;
        INSERT OR IGNORE INTO main.capture_sources (name) SELECT name FROM shard.capture_sources
        """)
    let new = try Row.fetchAll(
      database, sql: "SELECT id, \(Origin.columns) FROM main.origins WHERE id > ?",
      arguments: [last])
    let transaction = CatalogTransaction(database: database)
    for row in new { try transaction.addSearch(ofOrigin: row[0], Origin(row, at: 1)) }
  }

  /// The columns of a table that take space.
  private func columns(_ table: String) throws -> [String] {
    try Row.fetchAll(database, sql: "PRAGMA main.table_xinfo(\(table))")
      .filter { ($0["hidden"] as Int) == 0 }.map { $0["name"] }
  }

  /// Where the values of a file's columns come from.
  private func fileValues(_ scan: Int64) -> [String: String] {
    [
      "id": "own.new", "folder_id": "folder.new",
      "missing_since": "iif(theirs.missing_since IS NULL, NULL, \(scan))",
    ]
  }

  private static let filesFrom = """
    shard.files AS theirs JOIN merged_files AS own ON own.old = theirs.id
    JOIN merged_folders AS folder ON folder.old = theirs.folder_id
    """

  private var assetValues: [String: String] {
    [
      "id": "own.new", "folder_id": "folder.new", "origin_id": "origin.new",
      "revision": String(revision), "absorbed_by": "owner.new", "capture_source_id": "source.id",
    ]
  }

  private static let assetsFrom = """
    shard.assets AS theirs JOIN merged_files AS own ON own.old = theirs.id
    JOIN merged_folders AS folder ON folder.old = theirs.folder_id
    JOIN merged_origins AS origin ON origin.old = theirs.origin_id
    LEFT JOIN merged_files AS owner ON owner.old = theirs.absorbed_by
    LEFT JOIN shard.capture_sources AS named ON named.id = theirs.capture_source_id
    LEFT JOIN main.capture_sources AS source ON source.name = named.name
    """

  /// - Returns: the number of new media files.
  private func insertFiles(_ scan: Int64) throws -> Int {
    try insert(
      "files", fileValues(scan), from: Self.filesFrom, where: "own.is_new ORDER BY own.new")
    try insert(
      "assets", assetValues, from: Self.assetsFrom,
      where:
        "(own.is_new OR NOT EXISTS (SELECT 1 FROM main.assets WHERE id = own.new)) ORDER BY own.new"
    )
    return database.changesCount
  }

  /// Updates known files that differ.
  ///
  /// - Returns: how many assets differ.
  private func updateFiles(_ scan: Int64) throws -> Int {
    var values = fileValues(scan)
    // A file that was missing before keeps the time at which it was found gone.
    values["missing_since"] =
      "iif(theirs.missing_since IS NULL, NULL, coalesce(files.missing_since, \(scan)))"
    // Files with the content that a file had, or has now, may be copies, or no copies any more.
    let changed = """
      FROM merged_files AS own JOIN shard.files AS theirs ON theirs.id = own.old
      JOIN main.files AS ours ON ours.id = own.new
      LEFT JOIN shard.assets AS their_asset ON their_asset.id = theirs.id
      LEFT JOIN main.assets AS our_asset ON our_asset.id = ours.id
      WHERE NOT own.is_new AND (ours.fingerprint IS NOT theirs.fingerprint OR ours.status <> theirs.status
        OR our_asset.absorbed_as IS NOT their_asset.absorbed_as
        OR our_asset.is_duplicate IS NOT their_asset.is_duplicate)
      """
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.unsettled_contents SELECT fingerprint FROM (
          SELECT ours.fingerprint AS fingerprint \(changed) UNION SELECT theirs.fingerprint \(changed))
        WHERE fingerprint IS NOT NULL
        """)
    try update("files", values, from: Self.filesFrom, except: ["id"])
    try database.execute(
      sql: """
        DELETE FROM main.assets WHERE id IN (SELECT new FROM merged_files WHERE NOT is_new)
          AND id NOT IN (SELECT own.new FROM shard.assets JOIN merged_files AS own ON own.old = shard.assets.id)
        """)
    var assets = assetValues
    // Copies are looked for again, but not among files that cannot be read.
    for column in ["is_duplicate", "is_spare"] {
      assets[column] = "iif(theirs.is_missing OR theirs.is_unreadable, 0, assets.\(column))"
    }
    return try update(
      "assets", assets, from: Self.assetsFrom,
      except: ["id", "identifier", "added_date", "revision"],
      setting: ["revision": String(revision)])
  }

  private func insert(
    _ table: String, _ values: [String: String], from source: String, where condition: String
  ) throws {
    let columns = try columns(table)
    try database.execute(
      sql: """
        INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { values[$0] ?? "theirs.\($0)" }.joined(separator: ", ")) FROM \(source)
        WHERE \(condition)
        """)
  }

  /// - Returns: the number of rows that differed.
  @discardableResult
  private func update(
    _ table: String, _ values: [String: String], from source: String, except: Set<String>,
    setting others: [String: String] = [:]
  ) throws -> Int {
    let columns = try columns(table).filter { !except.contains($0) }
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

  // MARK: What belongs to files and assets

  /// The tables whose rows belong to a file or asset, with the column that names it.
  private static let parts = [
    ("asset_details", "asset_id"), ("keywords", "asset_id"), ("keyword_paths", "asset_id"),
    ("people", "asset_id"),
    ("labels", "asset_id"), ("sidecars", "file_id"),
  ]

  private func copyParts(isFresh: Bool) throws {
    for (table, owner) in Self.parts {
      if !isFresh {
        try database.execute(
          sql:
            "DELETE FROM main.\(table) WHERE \(owner) IN (SELECT new FROM merged_files WHERE NOT is_new)"
        )
      }
      try insert(
        table, [owner: "own.new"],
        from: "shard.\(table) AS theirs JOIN merged_files AS own ON own.old = theirs.\(owner)",
        where: "1 ORDER BY own.new")
    }
    try insert(
      "asset_sidecars", ["asset_id": "own.new", "file_id": "sidecar.new"],
      from: """
        shard.asset_sidecars AS theirs JOIN merged_files AS own ON own.old = theirs.asset_id
        JOIN merged_files AS sidecar ON sidecar.old = theirs.file_id
        """, where: "1")
  }

  /// What the other catalog had to settle. The triggers have queued the days of all folders, which are settled there.
  private func copyQueues() throws {
    try database.execute(
      sql: """
        DELETE FROM main.unsettled_zones WHERE folder_id IN (SELECT new FROM merged_folders);
        INSERT OR IGNORE INTO main.unsettled_zones
        SELECT folder.new, day FROM shard.unsettled_zones JOIN merged_folders AS folder ON folder.old = folder_id;
        INSERT OR IGNORE INTO main.unsettled_families
        SELECT folder.new, family FROM shard.unsettled_families JOIN merged_folders AS folder ON folder.old = folder_id;
        INSERT OR IGNORE INTO main.unsettled_identifiers SELECT content_identifier FROM shard.unsettled_identifiers;
        INSERT OR IGNORE INTO main.unsettled_contents SELECT fingerprint FROM shard.unsettled_contents
        """)
  }

  /// Queues what files of this catalog and of the other one may have in common: the identifier of a live photo, or the
  /// content.
  private func queueRelations(isFresh: Bool) throws {
    // Copies inside of the other catalog are settled there.
    let isOther = isFresh ? "ours.id NOT IN (SELECT new FROM merged_files)" : "ours.id <> own.new"
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.unsettled_identifiers
        SELECT DISTINCT theirs.content_identifier FROM shard.assets AS theirs
        WHERE theirs.content_identifier IS NOT NULL AND EXISTS (
          SELECT 1 FROM main.assets AS ours WHERE ours.content_identifier = theirs.content_identifier
            AND ours.id NOT IN (SELECT new FROM merged_files));
        INSERT OR IGNORE INTO main.unsettled_contents
        SELECT DISTINCT theirs.fingerprint FROM shard.files AS theirs JOIN merged_files AS own ON own.old = theirs.id
        WHERE theirs.fingerprint IS NOT NULL AND theirs.kind = 'media' AND EXISTS (
          SELECT 1 FROM main.files AS ours WHERE ours.fingerprint = theirs.fingerprint AND \(isOther))
        """)
  }

  // MARK: The rest

  private func copyFailures(_ scan: Int64) throws {
    // One that is as it was keeps its dates and the user's acknowledgement.
    let same = """
      SELECT ours.id FROM shard.known_failures AS theirs LEFT JOIN merged_files AS own ON own.old = theirs.file_id
      JOIN main.known_failures AS ours ON (ours.file_id = own.new OR ours.path = theirs.path)
        AND ours.error = theirs.error
      """
    try database.execute(
      sql: """
        DELETE FROM main.known_failures WHERE id NOT IN (\(same)) AND (
          file_id IN (SELECT new FROM merged_files) OR path IN (SELECT path FROM shard.known_failures))
        """)
    let values = [
      "id": "NULL", "file_id": "own.new", "first_scan": String(scan), "last_scan": String(scan),
    ]
    let columns = try columns("known_failures")
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.known_failures (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { values[$0] ?? "theirs.\($0)" }.joined(separator: ", "))
        FROM shard.known_failures AS theirs LEFT JOIN merged_files AS own ON own.old = theirs.file_id
        WHERE theirs.file_id IS NULL OR own.new IS NOT NULL
        """)
  }

  /// The digests of verified content. The later check of a file counts.
  private func copyChecks() throws {
    try database.execute(
      sql: """
        DELETE FROM main.file_checks WHERE file_id IN (
          SELECT own.new FROM shard.file_checks AS theirs JOIN merged_files AS own ON own.old = theirs.file_id
          WHERE theirs.checked_date > (SELECT checked_date FROM main.file_checks AS ours WHERE ours.file_id = own.new))
        """)
    try insert(
      "file_checks", ["file_id": "own.new"],
      from: "shard.file_checks AS theirs JOIN merged_files AS own ON own.old = theirs.file_id",
      where: "own.new NOT IN (SELECT file_id FROM main.file_checks)")
  }

  /// The next scan reads files again that the older of both readers has read.
  private func copyReaders() throws {
    try database.execute(
      sql: """
        INSERT INTO main.readers SELECT uniform_type, version FROM shard.readers WHERE true
        ON CONFLICT (uniform_type) DO UPDATE SET version = min(version, excluded.version)
        """)
  }

  /// The user's albums, by their titles, in which case and Unicode form do not matter.
  private func copyAlbums() throws {
    let known = try Row.fetchAll(database, sql: "SELECT id, title FROM main.albums")
    var ids = Dictionary(
      known.map { (($0[1] as String).comparable, $0[0] as Int64) },
      uniquingKeysWith: { first, _ in first })
    for album in try Row.fetchAll(
      database, sql: "SELECT id, title, added_date FROM shard.albums ORDER BY id")
    {
      let title: String = album[1]
      if ids[title.comparable] == nil {
        try database.execute(
          sql: "INSERT INTO main.albums (title, added_date) VALUES (?, ?)",
          arguments: [title, album[2] as Int64])
        ids[title.comparable] = database.lastInsertedRowID
      }
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO main.album_assets
          SELECT ?, own.new, theirs.added_date FROM shard.album_assets AS theirs
          JOIN merged_files AS own ON own.old = theirs.asset_id WHERE theirs.album_id = ?
          """, arguments: [ids[title.comparable], album[0] as Int64])
    }
  }

  private func copySearches() throws {
    try database.execute(
      sql: "INSERT OR IGNORE INTO main.saved_searches SELECT * FROM shard.saved_searches")
  }
}
