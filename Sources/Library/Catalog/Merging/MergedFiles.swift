import GRDB
import MediaModel

// The files and assets of a catalog that is merged.

extension CatalogMerge {
  /// Finds which files of the other catalog are known, and gives the others their numbers.
  ///
  /// - Returns: what to add to the other catalog's numbers if none is known.
  func matchFiles(_ state: State) throws -> Int64? {
    let isKnown =
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM main.files
              WHERE folder_id IN (SELECT id FROM merged_own_folders))
            OR EXISTS (SELECT 1 FROM shard.assets WHERE identifier IN (SELECT identifier FROM main.assets))
          """) ?? false
    guard isKnown || state.sharesPast else { return try addFiles() }
    try database.execute(
      sql: """
        CREATE TEMP TABLE merged_files (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_new INTEGER NOT NULL)
        """)
    // What is in its place has not moved, whatever identifier it has: a file that has left the other catalog's folders, or has
    // returned, may have another one here.
    try matchNames(withContent: true)
    try matchIdentifiers(isPart: state.isKnownPart)
    // A name may belong to another file now, whose predecessor has moved.
    try matchContents(by: ["fingerprint", "size", "inode", "modified"])
    try matchMissing()
    try matchNames(withContent: false)
    // A file may have moved, or returned, between two new catalogs of one shard.
    try matchContents(by: ["fingerprint", "size", "name"])
    try matchContents(by: ["fingerprint", "size"])
    try database.execute(
      sql: """
        INSERT INTO merged_files SELECT id, id + ?, 1 FROM shard.files WHERE id NOT IN (SELECT old FROM merged_files)
          AND id NOT IN (SELECT theirs.id FROM shard.assets AS theirs
            CROSS JOIN main.assets AS ours ON ours.identifier = theirs.identifier WHERE theirs.is_missing OR NOT ?)
          AND NOT (missing_since IS NOT NULL AND ? AND NOT EXISTS (
            SELECT 1 FROM shard.album_assets WHERE asset_id = files.id AND added_date > ?))
        """, arguments: [lastFile(), state.isKnownPart, state.sharesPast, state.latestTaken])
    return nil
  }

  /// What has left the other catalog's folders and was found in those of a third one stays there, also if it has left those
  /// since, or another file has its place and its identifier in the other catalog. What is missing there may have returned
  /// as a file with another identifier.
  ///
  /// - Parameter isPart: whether the folders that are not the other catalog's are those of third ones.
  private func matchIdentifiers(isPart: Bool) throws {
    try database.execute(
      sql: """
        INSERT INTO merged_files
        SELECT theirs.id, ours.id, 0 FROM shard.assets AS theirs
        CROSS JOIN main.assets AS ours ON ours.identifier = theirs.identifier
        LEFT JOIN merged_folders ON merged_folders.old = theirs.folder_id
        WHERE theirs.id NOT IN (SELECT old FROM merged_files) AND ours.id NOT IN (SELECT new FROM merged_files)
          AND CASE
            WHEN theirs.is_missing AND NOT ours.is_missing
            THEN ours.folder_id = merged_folders.new AND ours.name = theirs.name COLLATE BINARY
            WHEN theirs.is_missing OR ? AND (SELECT root_id FROM main.folders WHERE id = ours.folder_id)
              IN (SELECT new FROM merged_roots)
            THEN ours.folder_id IN (SELECT id FROM merged_own_folders)
            ELSE true END
        """, arguments: [isPart])
  }

  /// Gives new assets other identifiers whose own ones are those of other assets here.
  func renewIdentifiers() throws {
    try database.execute(
      sql:
        "CREATE TEMP TABLE IF NOT EXISTS merged_identifiers (old INTEGER PRIMARY KEY, identifier BLOB NOT NULL)"
    )
    let taken = try Int64.fetchAll(
      database,
      sql: """
        SELECT own.old FROM shard.assets AS theirs JOIN merged_files AS own ON own.old = theirs.id
        CROSS JOIN main.assets AS ours ON ours.identifier = theirs.identifier
        WHERE NOT EXISTS (SELECT 1 FROM main.assets WHERE id = own.new)
        """)
    for file in taken {
      try database.execute(
        sql: "INSERT INTO merged_identifiers VALUES (?, ?)",
        arguments: [file, StoredIdentifier.random()])
    }
  }

  /// Finds the present files with the names of others.
  ///
  /// - Parameter isEqual: whether also the content must be equal.
  private func matchNames(withContent isEqual: Bool) throws {
    let condition =
      isEqual ? "AND ours.size = theirs.size AND ours.fingerprint IS theirs.fingerprint" : ""
    try database.execute(
      sql: """
        INSERT INTO merged_files
        SELECT theirs.id, min(ours.id), 0 FROM shard.files AS theirs
        CROSS JOIN merged_folders ON merged_folders.old = theirs.folder_id
        CROSS JOIN main.files AS ours ON ours.folder_id = merged_folders.new AND ours.family = theirs.family
          AND ours.name = theirs.name AND ours.missing_since IS NULL \(condition)
        WHERE theirs.missing_since IS NULL AND theirs.id NOT IN (SELECT old FROM merged_files)
          AND ours.id NOT IN (SELECT new FROM merged_files)
        GROUP BY theirs.id
        """)
  }

  /// Finds the files that are missing in the other catalog. A name may have belonged to several of them: one is the one with the
  /// same content. It may have another identifier here, if it came from the folders of a third catalog.
  private func matchMissing() throws {
    try database.execute(
      sql: """
        INSERT INTO merged_files
        SELECT min(theirs.id), ours.id, 0 FROM (
          SELECT theirs.id, merged_folders.new AS folder_id, theirs.name, theirs.family, theirs.size, theirs.fingerprint
          FROM shard.files AS theirs CROSS JOIN merged_folders ON merged_folders.old = theirs.folder_id
          WHERE theirs.missing_since IS NOT NULL AND theirs.id NOT IN (SELECT old FROM merged_files)) AS theirs
        CROSS JOIN main.files AS ours ON ours.folder_id = theirs.folder_id AND ours.family = theirs.family
          AND ours.name = theirs.name AND ours.size = theirs.size AND ours.fingerprint IS theirs.fingerprint
        WHERE ours.id NOT IN (SELECT new FROM merged_files)
        GROUP BY theirs.folder_id, theirs.name, theirs.size, theirs.fingerprint HAVING count(*) = 1
        """)
  }

  /// Finds the files that are missing, or not in their folders any more, and that the other catalog has elsewhere.
  ///
  /// - Parameter columns: that are equal, if they are so in one file of each catalog; the fingerprint first.
  private func matchContents(by columns: [String]) throws {
    let names = columns.joined(separator: ", ")
    // What is in another catalog's folders now, and is left there by the merge of that one, see ``CatalogTransaction/reunite``.
    let condition =
      columns.contains("inode")
      ? ""
      : """
      AND NOT EXISTS (
        SELECT 1 FROM main.files AS same WHERE same.fingerprint = other.fingerprint AND same.size = other.size
          AND same.inode = other.inode AND same.modified = other.modified AND same.missing_since IS NULL
          AND same.id NOT IN (SELECT new FROM merged_files))
      """
    try database.execute(
      sql: """
        WITH theirs AS MATERIALIZED (
            SELECT id, \(names) FROM shard.files AS other
            WHERE kind = 'media' AND missing_since IS NULL AND fingerprint IS NOT NULL
              AND id NOT IN (SELECT old FROM merged_files) \(condition)),
          ours AS MATERIALIZED (
            SELECT id, \(names) FROM main.files
            WHERE fingerprint IN (SELECT fingerprint FROM theirs) AND kind = 'media'
              AND id NOT IN (SELECT new FROM merged_files)
              AND (missing_since IS NOT NULL
                OR folder_id IN (SELECT id FROM merged_own_folders WHERE is_certain)))
        INSERT INTO merged_files
        SELECT min(theirs.id), min(ours.id), 0 FROM theirs JOIN ours USING (\(names))
        GROUP BY \(names) HAVING count(*) = 1
        """)
  }

  /// Gives all files of the other catalog new numbers.
  ///
  /// - Returns: what to add to the other catalog's numbers.
  private func addFiles() throws -> Int64 {
    let offset = try lastFile()
    try addFiles(offset: offset)
    return offset
  }

  func addFiles(offset: Int64) throws {
    try database.execute(
      sql: """
        CREATE TEMP VIEW merged_files AS SELECT id AS old, id + \(offset) AS new, 1 AS is_new FROM shard.files
        """)
  }

  /// The largest number that a file has had.
  private func lastFile() throws -> Int64 {
    try Int64.fetchOne(
      database, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = 'files'") ?? 0
  }

  /// The present assets that the other catalog knows as missing.
  func departures() throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT ours.id FROM merged_files AS own JOIN shard.files AS theirs ON theirs.id = own.old
        JOIN main.files AS ours ON ours.id = own.new
        WHERE theirs.missing_since IS NOT NULL AND ours.missing_since IS NULL AND ours.kind = 'media'
        """)
  }

  /// Marks the assets of the other catalog's folders as missing that it does not have any more, forgets other files, and
  /// separates live photos whose halves are in different catalogs, until they are settled again.
  ///
  /// - Returns: the assets that are missing now.
  func removeUnmatched(_ scan: Int64, _ coverage: MergedCoverage) throws -> [Int64] {
    let gone = try Row.fetchAll(
      database,
      sql: """
        SELECT files.id, assets.id IS NOT NULL, folders.root_id, folders.path, files.name
        FROM main.files JOIN main.folders ON folders.id = files.folder_id
        LEFT JOIN main.assets ON assets.id = files.id
        WHERE files.folder_id IN (SELECT id FROM merged_own_folders WHERE is_certain) AND missing_since IS NULL
          AND files.id NOT IN (SELECT new FROM merged_files)
        """
    ).filter { row in
      guard coverage.hasGaps else { return true }
      let (folder, name) = (row[3] as BytePath, row[4] as BytePath)
      let path = folder.bytes.isEmpty ? name : folder.appending(name.bytes)
      return !coverage.isUnread(path, inRoot: row[2])
    }.map { (id: $0[0] as Int64, isAsset: $0[1] as Bool) }
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
    return gone.filter(\.isAsset).map(\.id)
  }

  /// Cameras and sources of times, of which there are few.
  func copyOrigins() throws {
    let values =
      "uniform_type, make, model, lens, software, video_codec, audio_codec, dynamic_range"
    let same = values.split(separator: ", ").map { "ours.\($0) IS theirs.\($0)" }
      .joined(separator: " AND ")
    let find = "(SELECT min(id) FROM main.origins AS ours WHERE \(same))"
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM main.origins") ?? 0
    try database.execute(
      sql: """
        INSERT INTO main.origins (\(values)) SELECT \(values) FROM shard.origins AS theirs WHERE \(find) IS NULL;
        CREATE TEMP TABLE IF NOT EXISTS merged_origins (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        INSERT INTO merged_origins SELECT theirs.id, \(find) FROM shard.origins AS theirs;
        INSERT OR IGNORE INTO main.capture_sources (name) SELECT name FROM shard.capture_sources;
        CREATE TEMP TABLE IF NOT EXISTS merged_sources (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        INSERT INTO merged_sources SELECT theirs.id, ours.id FROM shard.capture_sources AS theirs
        JOIN main.capture_sources AS ours ON ours.name = theirs.name
        """)
    let new = try Row.fetchAll(
      database, sql: "SELECT id, \(Origin.columns) FROM main.origins WHERE id > ?",
      arguments: [last])
    let transaction = CatalogTransaction(database: database)
    for row in new { try transaction.addSearch(ofOrigin: row[0], Origin(row, at: 1)) }
  }

  /// Where the values of a file's columns come from.
  ///
  /// - Parameter id: its number.
  static func fileValues(_ scan: Int64, id: String = "own.new") -> [String: String] {
    [
      "id": id, "folder_id": "folder.new",
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
      "revision": String(revision), "absorbed_by": "owner.new", "capture_source_id": "source.new",
    ]
  }

  private static let assetsFrom = """
    shard.assets AS theirs JOIN merged_files AS own ON own.old = theirs.id
    LEFT JOIN merged_files AS owner ON owner.old = theirs.absorbed_by \(namesFrom)
    """

  private static let namesFrom = """
    JOIN merged_folders AS folder ON folder.old = theirs.folder_id
    JOIN merged_origins AS origin ON origin.old = theirs.origin_id
    LEFT JOIN merged_sources AS source ON source.old = theirs.capture_source_id
    """

  /// - Parameter offset: what to add to the other catalog's numbers if none of its files is known.
  /// - Returns: the number of new media files.
  func insertFiles(_ scan: Int64, offset: Int64?) throws -> Int {
    guard let offset else {
      try insert(
        "files", Self.fileValues(scan), from: Self.filesFrom, where: "own.is_new ORDER BY own.new")
      try renewIdentifiers()
      var values = assetValues
      values["identifier"] =
        "coalesce((SELECT identifier FROM merged_identifiers WHERE old = theirs.id), theirs.identifier)"
      try insert(
        "assets", values, from: Self.assetsFrom,
        where:
          "(own.is_new OR NOT EXISTS (SELECT 1 FROM main.assets WHERE id = own.new)) ORDER BY own.new"
      )
      return database.changesCount
    }
    try insert(
      "files", Self.fileValues(scan, id: "theirs.id + \(offset)"),
      from: "shard.files AS theirs JOIN merged_folders AS folder ON folder.old = theirs.folder_id",
      where: "1 ORDER BY theirs.id")
    return try insertAssets(offset: offset)
  }

  /// Copies all assets.
  ///
  /// - Parameter offset: what to add to the other catalog's numbers.
  /// - Returns: how many they are.
  func insertAssets(offset: Int64) throws -> Int {
    var values = assetValues
    values["id"] = "theirs.id + \(offset)"
    values["absorbed_by"] = "theirs.absorbed_by + \(offset)"
    try insert(
      "assets", values, from: "shard.assets AS theirs \(Self.namesFrom)",
      where: "1 ORDER BY theirs.id")
    return database.changesCount
  }

  /// The present files in whose places the other catalog has other files with other content, as they were.
  func replacedFiles() throws -> [ReplacedFile] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT ours.id, ours.fingerprint, ours.size, ours.inode
        FROM merged_files AS own JOIN shard.files AS theirs ON theirs.id = own.old
        JOIN main.files AS ours ON ours.id = own.new
        WHERE NOT own.is_new AND ours.kind = 'media' AND ours.missing_since IS NULL AND theirs.missing_since IS NULL
          AND ours.inode <> theirs.inode AND ours.fingerprint <> theirs.fingerprint
        """
    ).map { ReplacedFile(id: $0[0], fingerprint: $0[1], size: $0[2], inode: $0[3]) }
  }

  /// Updates known files that differ.
  ///
  /// - Returns: how many assets differ.
  func updateFiles(_ scan: Int64) throws -> Int {
    var values = Self.fileValues(scan)
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
}
