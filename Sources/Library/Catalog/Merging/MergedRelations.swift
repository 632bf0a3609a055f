import GRDB
import MediaModel
import Query

// What belongs to the files and assets of a catalog that is merged, and what is to be settled.

extension CatalogMerge {
  /// The tables whose rows belong to a file or asset, with the columns that name it.
  static let parts = [
    "asset_details": ["asset_id"], "keywords": ["asset_id"], "keyword_paths": ["asset_id"],
    "people": ["asset_id"], "labels": ["asset_id"], "sidecars": ["file_id"],
    "asset_sidecars": ["asset_id", "file_id"],
  ]

  /// - Parameter offset: what to add to the other catalog's numbers if none of its files is known.
  func copyParts(offset: Int64?) throws {
    for (table, owners) in Self.parts.sorted(by: { $0.key > $1.key }) {
      if let offset {
        try insert(
          table, Dictionary(uniqueKeysWithValues: owners.map { ($0, "theirs.\($0) + \(offset)") }),
          from: "shard.\(table) AS theirs", where: "1")
        continue
      }
      let owner = owners[0]
      try database.execute(
        sql:
          "DELETE FROM main.\(table) WHERE \(owner) IN (SELECT new FROM merged_files WHERE NOT is_new)"
      )
      var (values, source) = ([owner: "own.new"], "shard.\(table) AS theirs")
      source += " JOIN merged_files AS own ON own.old = theirs.\(owner)"
      for other in owners.dropFirst() {
        values[other] = "other.new"
        source += " JOIN merged_files AS other ON other.old = theirs.\(other)"
      }
      try insert(table, values, from: source, where: "1 ORDER BY own.new")
    }
  }

  /// Takes the titles of folders from their JSON files: a folder may have had two, of which one is gone.
  func setTitles() throws {
    try database.execute(
      sql: """
        UPDATE main.folders SET title = own.title FROM (
          SELECT new AS id, (
            SELECT sidecars.title FROM main.files CROSS JOIN main.sidecars ON file_id = files.id
            WHERE folder_id = new AND missing_since IS NULL AND sidecars.kind = 'albumJSON' LIMIT 1) AS title
          FROM merged_folders WHERE is_read) AS own
        WHERE folders.id = own.id AND folders.title IS NOT own.title
        """)
  }

  /// What the other catalog had to settle. The triggers have queued the days of all folders, which are settled there.
  func copyQueues() throws {
    try database.execute(
      sql: """
        DELETE FROM main.unsettled_zones WHERE folder_id IN (SELECT id FROM merged_own_folders);
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
  func queueRelations(isFresh: Bool) throws {
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

  /// The folders and files of the other catalog's part of the library that could not be read by what this catalog knows, and
  /// were read by the other one's last scan.
  func pathsReadAgain(by shard: Shard?, _ coverage: MergedCoverage) throws -> [BytePath] {
    let failed = try BytePath.fetchAll(
      database,
      sql: """
        SELECT path FROM main.known_failures
        WHERE path IS NOT NULL AND path NOT IN (SELECT path FROM shard.known_failures WHERE path IS NOT NULL)
        """)
    guard let shard else { return [] }
    return failed.filter { path in
      guard let (root, below) = coverage.place(of: path) else { return false }
      return (shard.owns(folder: below) || shard.owns(folder: below.parent))
        && coverage.hasReadAll(ofRoot: root) && !coverage.isUnread(below, inRoot: root)
    }
  }

  func copyFailures(_ scan: Int64) throws {
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
    let columns = try database.columns("known_failures")
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.known_failures (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { values[$0] ?? "theirs.\($0)" }.joined(separator: ", "))
        FROM shard.known_failures AS theirs LEFT JOIN merged_files AS own ON own.old = theirs.file_id
        WHERE theirs.file_id IS NULL OR own.new IS NOT NULL
        """)
  }

  /// The next scan reads files again that the older of both readers has read.
  func copyReaders() throws {
    try database.execute(
      sql: """
        INSERT INTO main.readers SELECT uniform_type, version FROM shard.readers WHERE true
        ON CONFLICT (uniform_type) DO UPDATE SET version = min(version, excluded.version)
        """)
  }
}
