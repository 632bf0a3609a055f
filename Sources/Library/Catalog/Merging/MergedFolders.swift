import GRDB
import MediaModel

// The roots and folders of a catalog that is merged.

extension CatalogMerge {
  /// - Throws: ``RootError/overlapping(_:_:catalog:)``.
  func copyRoots() throws {
    try checkRoots()
    try database.execute(
      sql: """
        INSERT INTO main.roots (path, added_date, device, inode)
        SELECT path, added_date, device, inode FROM shard.roots
        WHERE path NOT IN (SELECT path FROM main.roots) ORDER BY id;
        CREATE TEMP TABLE IF NOT EXISTS merged_roots (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        INSERT INTO merged_roots SELECT theirs.id, ours.id FROM shard.roots AS theirs
        CROSS JOIN main.roots AS ours ON ours.path = theirs.path
        """)
  }

  /// Refuses a root inside another one that only one of the catalogs has: both would list the files of the inner one.
  private func checkRoots() throws {
    func roots(_ schema: String) throws -> [BytePath] {
      try BytePath.fetchAll(database, sql: "SELECT path FROM \(schema).roots")
    }
    let (ours, theirs) = (try roots("main"), try roots("shard"))
    let (known, named) = (Set(ours), Set(theirs))
    for root in ours {
      for other in theirs where root.isWithin(other) || other.isWithin(root) {
        guard known.contains(other), named.contains(root) else {
          throw RootError.overlapping(root, other, catalog: path)
        }
      }
    }
  }

  /// Folders get their parents in a second step. The other catalog knows the state of folders that it has read; it has
  /// only walked through the others.
  func copyFolders() throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS merged_folders (
          old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_new INTEGER NOT NULL, is_read INTEGER NOT NULL);
        INSERT INTO merged_folders
        SELECT theirs.id, coalesce(ours.id,
            (SELECT ifnull(max(id), 0) FROM main.folders) + row_number() OVER (ORDER BY theirs.id)),
          ours.id IS NULL, theirs.digest IS NOT NULL OR EXISTS (SELECT 1 FROM shard.files WHERE folder_id = theirs.id)
        FROM shard.folders AS theirs JOIN merged_roots ON merged_roots.old = theirs.root_id
        LEFT JOIN main.folders AS ours ON ours.root_id = merged_roots.new AND ours.path = theirs.path;
        INSERT INTO main.folders (id, root_id, path, name, title, is_mount_point, device)
        SELECT merged_folders.new, merged_roots.new, path, name, iif(is_read, title, NULL), is_mount_point, device
        FROM merged_folders JOIN shard.folders AS theirs ON theirs.id = merged_folders.old
        JOIN merged_roots ON merged_roots.old = theirs.root_id WHERE merged_folders.is_new;
        UPDATE main.folders SET parent_id = parent.new
        FROM merged_folders AS own JOIN shard.folders AS theirs ON theirs.id = own.old
        JOIN merged_folders AS parent ON parent.old = theirs.parent_id
        WHERE folders.id = own.new AND own.is_new;
        UPDATE main.folders SET digest = theirs.digest, media_count = theirs.media_count,
          unreadable_count = theirs.unreadable_count, sidecar_count = theirs.sidecar_count,
          ignored_count = theirs.ignored_count, is_mount_point = theirs.is_mount_point,
          device = theirs.device, title = theirs.title
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
  /// and those of its shard that it does not have any more. Of some of them it may not know all files, or not that they are
  /// gone; see ``MergedCoverage``.
  ///
  /// - Parameter shard: the other catalog's, if it was merged before.
  func findOwnFolders(of shard: Shard?, _ coverage: MergedCoverage) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS merged_own_folders (id INTEGER PRIMARY KEY, is_certain INTEGER NOT NULL);
        INSERT INTO merged_own_folders
        SELECT new, max(theirs.digest IS NOT NULL) FROM merged_folders
        JOIN shard.folders AS theirs ON theirs.id = merged_folders.old WHERE is_read GROUP BY new
        """)
    try findCertainFolders(coverage)
    guard let shard else { return }
    let folders = try Row.fetchCursor(
      database,
      sql:
        "SELECT id, root_id, path FROM main.folders WHERE root_id IN (SELECT new FROM merged_roots)"
    )
    var (certain, uncertain): ([Int64], [Int64]) = ([], [])
    while let row = try folders.next() {
      let path: BytePath = row[2]
      guard shard.owns(folder: path) else { continue }
      if coverage.hasWalked(path, ofRoot: row[1]) {
        certain.append(row[0])
      } else {
        uncertain.append(row[0])
      }
    }
    for (folders, isCertain) in [(certain, true), (uncertain, false)] {
      try database.execute(
        sql: "INSERT OR IGNORE INTO merged_own_folders SELECT value, ? FROM json_each(?)",
        arguments: [isCertain, RowSet(folders).argument])
    }
    // The next scan compares their files one by one.
    try database.execute(
      sql: """
        UPDATE main.folders SET digest = NULL WHERE digest IS NOT NULL AND id IN (SELECT id FROM merged_own_folders)
          AND id NOT IN (SELECT new FROM merged_folders WHERE is_read)
        """)
  }

  /// Finds which of the folders that the other catalog has read have no other files than it knows.
  private func findCertainFolders(_ coverage: MergedCoverage) throws {
    let folders = try Row.fetchCursor(
      database,
      sql: """
        SELECT own.id, own.is_certain, root_id, path FROM merged_own_folders AS own
        JOIN main.folders ON main.folders.id = own.id
        WHERE NOT is_certain OR ?
        """, arguments: [coverage.hasGaps])
    var (certain, uncertain): ([Int64], [Int64]) = ([], [])
    while let row = try folders.next() {
      let (isCertain, root, path) = (row[1] as Bool, row[2] as Int64, row[3] as BytePath)
      if coverage.isUnread(path, inRoot: root) {
        if isCertain { uncertain.append(row[0]) }
      } else if !isCertain, coverage.hasReadAll(ofRoot: root) {
        certain.append(row[0])
      }
    }
    for (folders, isCertain) in [(certain, true), (uncertain, false)] {
      try database.execute(
        sql: "UPDATE merged_own_folders SET is_certain = ? WHERE id IN (\(RowSet.sql))",
        arguments: [isCertain, RowSet(folders).argument])
    }
    // This catalog may have more files in the others: the next scan compares them one by one.
    try database.execute(
      sql: """
        UPDATE main.folders SET digest = NULL
        WHERE digest IS NOT NULL AND id IN (SELECT id FROM merged_own_folders WHERE NOT is_certain)
        """)
  }
}
