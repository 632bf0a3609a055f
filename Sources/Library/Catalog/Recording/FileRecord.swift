import GRDB
package import MediaModel

/// A file in the state of the last scan.
package struct FileRecord: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case media, sidecar, other
  }

  package let id: Int64
  package let folderID: Int64
  package let name: [UInt8]
  package let stamp: FileStamp
  package let kind: Kind
  package let status: AssetStatus
  /// Whether it has to be read again although it is unchanged: it was unreadable for a reason that may pass, or
  /// this version of the program finds more in it.
  package let needsReading: Bool
  /// Whether it could not be read the last time; it may be missing now.
  package let isUnreadable: Bool
  package let fingerprint: Fingerprint?
  /// When content or attributes last changed, nanoseconds since 1970 UTC; ``young`` if a later change may carry
  /// the same times.
  package let changed: Int64
  /// The scan that found it gone; nil if it is there.
  package let missingSince: Int64?

  /// Whether an earlier scan than this one found it gone.
  package func wasMissing(before scan: Int64) -> Bool { missingSince.map { $0 < scan } ?? false }

  /// What ``changed`` is for a file that was so young that its times prove nothing.
  package static let young = Int64.min

  /// Whether its content is the recorded one, as far as the times of a file with the same stamp show.
  ///
  /// - Parameter time: when that file was last changed, or ``young``.
  package func isProvenUnchanged(_ time: Int64) -> Bool {
    time != Self.young && changed == time
  }
}

/// What ``CatalogTransaction/contentFacts(ofFile:)`` compares.
package struct FileContentFacts: Sendable, Hashable {
  let values: [DatabaseValue]
}

/// The place of a file, to check whether it is still there.
package struct FilePlace: Sendable, Hashable {
  package let file: FileRecord
  package let rootID: Int64
  /// The full path.
  package let path: BytePath
}

extension CatalogTransaction {
  /// The largest number of equal files that are compared with one that has moved. It limits the cost of thousands of
  /// copies or hard links.
  private static let comparedTwins = 64

  private static let fileColumns = """
    SELECT files.id, files.folder_id, files.name, files.size, files.modified, files.inode,
      files.kind, files.reader_version, files.error IS NOT NULL, files.fingerprint, files.changed,
      files.missing_since
    """

  private func file(_ row: Row) -> FileRecord {
    let name: BytePath = row[2]
    let missingSince: Int64? = row[11]
    let isUnreadable: Bool = row[8]
    return FileRecord(
      id: row[0], folderID: row[1], name: name.bytes,
      stamp: FileStamp(
        size: row[3], modified: row[4], inode: UInt64(bitPattern: row[5])),
      kind: FileRecord.Kind(rawValue: row[6]) ?? .other,
      status: missingSince != nil ? .missing : isUnreadable ? .unreadable : .present,
      needsReading: (row[7] as Int) == 0, isUnreadable: isUnreadable, fingerprint: row[9],
      changed: row[10], missingSince: missingSince)
  }

  /// Calls `body` with every file known in a folder, the missing ones too: with its row, and with its
  /// ``FileStamp/digest(name:changed:)`` if it need not be read again as long as that holds.
  ///
  /// Reads an index alone: a folder may have a million files. `body` must not write.
  package func forEachFile(in folder: Int64, _ body: (_ id: Int64, _ digest: UInt64?) -> Void)
    throws
  {
    let statement = try database.cachedStatement(
      sql: "SELECT id, known_digest FROM files INDEXED BY files_by_family WHERE folder_id = ?")
    let rows = try Row.fetchCursor(statement, arguments: [folder])
    while let row = try rows.next() {
      body(row[0], (row[1] as Int64?).map(UInt64.init(bitPattern:)))
    }
  }

  /// The files of these rows.
  package func files(_ ids: some Sequence<Int64>) throws -> [FileRecord] {
    try rows(
      Self.fileColumns + " FROM files WHERE id IN (\(RowSet.sql))", [RowSet(ids).argument], file)
  }

  /// Whether a file of this name is present in a folder.
  package func isPresent(named name: [UInt8], family: Int64, in folder: Int64) throws -> Bool {
    try exists(
      """
      SELECT 1 FROM files WHERE folder_id = ? AND family = ? AND name = ? AND missing_since IS NULL
      """, [folder, family, BytePath(bytes: name)])
  }

  /// The files that are missing by this name in a folder, the last to go first.
  package func missingFiles(named name: [UInt8], in folder: Int64) throws -> [FileRecord] {
    try rows(
      Self.fileColumns + """
         FROM files INDEXED BY missing_files
        WHERE folder_id = ? AND name = ? AND missing_since IS NOT NULL
        ORDER BY missing_since DESC, id DESC
        """, [folder, BytePath(bytes: name)], file)
  }

  /// Forgets what is missing, in families that are still to be settled, if a file with its content has its
  /// name now, as a copy has. What never was an asset, and so has no id to keep, is forgotten if any file has its
  /// name.
  package func forgetReplaced() throws {
    guard try exists("SELECT 1 FROM unsettled_families") else { return }
    let replaced = try rows(
      """
      WITH due AS MATERIALIZED (
          SELECT DISTINCT folder_id, family FROM files AS gone INDEXED BY missing_files
          WHERE missing_since IS NOT NULL AND EXISTS (
            SELECT 1 FROM unsettled_families AS unsettled
            WHERE unsettled.folder_id = gone.folder_id AND unsettled.family = gone.family))
      SELECT gone.id, CASE WHEN other.fingerprint = gone.fingerprint AND other.size = gone.size THEN other.id END
      FROM due
      CROSS JOIN files AS other INDEXED BY files_by_family
        ON other.folder_id = due.folder_id AND other.family = due.family AND other.missing_since IS NULL
      CROSS JOIN files AS gone INDEXED BY missing_files
        ON gone.folder_id = other.folder_id AND gone.name = other.name
        AND gone.missing_since IS NOT NULL AND gone.family = other.family
      WHERE (other.fingerprint = gone.fingerprint AND other.size = gone.size)
        OR NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = gone.id)
      """
    ) { row -> (gone: Int64, copy: Int64?) in (row[0], row[1]) }
    guard !replaced.isEmpty else { return }
    let files = RowSet(replaced.map(\.gone))
    try detach(files: files)
    for case (let gone, let copy?) in replaced { try takeAlbums(copy, of: gone) }
    try execute("DELETE FROM files WHERE id IN (\(RowSet.sql))", [files.argument])
  }

  /// The unreadable media files of a folder with the reason.
  package func failures(
    in folder: Int64
  ) throws -> [(id: Int64, name: [UInt8], error: String)] {
    try rows(
      """
      SELECT id, name, error FROM files
      WHERE folder_id = ? AND error IS NOT NULL AND missing_since IS NULL
      """, [folder]
    ) { row in
      let name: BytePath = row[1]
      return (row[0], name.bytes, row[2] ?? "")
    }
  }

  /// The first files anywhere in the catalog that had this stamp: perhaps the same file under another name.
  package func files(stamp: FileStamp) throws -> [FilePlace] {
    try places(
      "files.inode = ? AND files.size = ? AND files.modified = ?",
      [Int64(bitPattern: stamp.inode), stamp.size, stamp.modified])
  }

  /// The first files anywhere in the catalog with this content.
  package func files(fingerprint: Fingerprint, size: Int64) throws -> [FilePlace] {
    try places(
      "files.fingerprint = ? AND files.size = ?", [fingerprint, size])
  }

  private func places(_ condition: String, _ arguments: StatementArguments) throws -> [FilePlace] {
    try rows(
      Self.fileColumns + """
        , folders.root_id, roots.path, folders.path FROM files
        JOIN folders ON folders.id = files.folder_id JOIN roots ON roots.id = folders.root_id
        WHERE \(condition) ORDER BY files.id LIMIT \(Self.comparedTwins)
        """, arguments
    ) { row in
      let record = file(row)
      let root: BytePath = row[13]
      let folder: BytePath = row[14]
      return FilePlace(
        file: record, rootID: row[12],
        path: root.appending(folder.bytes).appending(record.name))
    }
  }

  /// Marks files as gone; their assets stay.
  package func markMissing(_ ids: [Int64], scan: Int64) throws {
    for batch in ids.inBatches(of: Self.largestRowSet) {
      let files = RowSet(batch)
      try markUnsettled(files: files)
      try detach(files: files)
      try execute(
        "UPDATE files SET missing_since = ? WHERE id IN (\(RowSet.sql))", [scan, files.argument])
      try execute("UPDATE assets SET is_missing = 1 WHERE id IN (\(RowSet.sql))", [files.argument])
    }
  }

  /// The rows that one statement changes, to limit the memory that their numbers take.
  private static let largestRowSet = 10_000

  /// What a file was found to contain, as far as no sidecar and no other file changes it: two equal values
  /// show that a second look found the same.
  package func contentFacts(ofFile id: Int64) throws -> FileContentFacts {
    FileContentFacts(
      values: try rows(
        """
        SELECT files.fingerprint, files.kind, files.status, uniform_type, pixel_width, pixel_height,
          make, model, lens, software, exposure_time, f_number, iso, focal_length,
          focal_length_35mm, content_identifier, clip_offset, clip_length, clues, warnings
        FROM files LEFT JOIN assets ON assets.id = files.id
        LEFT JOIN origins ON origins.id = assets.origin_id
        LEFT JOIN asset_details ON asset_details.asset_id = files.id WHERE files.id = ?
        """, [id]
      ) { Array($0.databaseValues) }.first ?? [])
  }

  /// Whether a scan has found a file gone, of any kind, and has not found it elsewhere.
  package func hasMissing(scan: Int64) throws -> Bool {
    try exists("SELECT 1 FROM files WHERE missing_since = ? LIMIT 1", [scan])
  }

  /// Whether the catalog knows any file at all.
  package func hasFiles() throws -> Bool {
    try exists("SELECT 1 FROM files LIMIT 1")
  }

  /// How many media files a scan found gone and did not find elsewhere.
  package func missingCount(scan: Int64) throws -> Int {
    try count("SELECT COUNT(*) FROM files WHERE missing_since = ? AND kind = 'media'", [scan])
  }

  /// Records that a known file is at this place, with its content as it was.
  ///
  /// - Parameters:
  ///   - changed: as ``FileRecord/changed``; ``FileRecord/young`` if the content has to be read again.
  ///   - affectsLabels: whether labels depend on the place itself. The file has to be read again then; until it
  ///     is, its row says so, in case the scan is cut short.
  package func placeFile(
    _ file: FileRecord, folder: Int64, name: [UInt8], family: Int64, stamp: FileStamp,
    changed: Int64, affectsLabels: Bool
  ) throws {
    let files = RowSet([file.id])
    try markUnsettled(files: files)
    try loosenTies(ofFiles: files)
    try openFolder(from: file.id, movingTo: folder)
    try execute(
      """
      UPDATE files SET folder_id = ?, name = ?, family = ?, size = ?, modified = ?, inode = ?, changed = ?,
        digest = ?, missing_since = NULL, reader_version = iif(?, 0, reader_version) WHERE id = ?
      """,
      [
        folder, BytePath(bytes: name), family, stamp.size, stamp.modified,
        Int64(bitPattern: stamp.inode), changed,
        Int64(bitPattern: stamp.digest(name: name[...], changed: changed)), affectsLabels, file.id,
      ])
    // The row of a file that is no longer media keeps its asset missing.
    try execute(
      """
      UPDATE assets SET name = ?, folder_id = ?,
        is_missing = (SELECT kind <> 'media' FROM files WHERE files.id = assets.id)
      WHERE id = ?
      """, [BytePath(bytes: name).display, folder, file.id])
    try markUnsettled(files: files)
  }

  /// Makes the next scan re-evaluate the files directly in a root, because its name affects their labels.
  func relabelTopFolder(ofRoot root: Int64) throws {
    let top = try topFolder(ofRoot: root)
    try execute("UPDATE folders SET digest = NULL WHERE id = ?", [top.id])
    try execute(
      "UPDATE files SET reader_version = 0 WHERE folder_id = ? AND missing_since IS NULL", [top.id])
  }
}

extension Array {
  /// The elements in arrays of at most `size`.
  func inBatches(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0...].prefix(size) }
  }
}
