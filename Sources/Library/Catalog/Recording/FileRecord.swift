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
  /// Whether it is unreadable for a reason that may pass.
  package let isTransientError: Bool
  /// Whether it could not be read when last looked at; it may be missing now.
  package let isUnreadable: Bool
  package let fingerprint: Fingerprint?
  /// When content or attributes last changed, nanoseconds since 1970 UTC; ``young`` if a later change may carry
  /// the same times; nil if an earlier version recorded the file.
  package let changed: Int64?
  /// The scan that found it gone; nil if it is there.
  package let missingSince: Int64?

  /// What ``changed`` is for a file that was so young that its times prove nothing.
  package static let young = Int64.min

  /// Whether its content is the recorded one, as far as the times of a file with the same stamp show.
  ///
  /// - Parameter time: when that file was last changed, or ``young``.
  package func isProvenUnchanged(_ time: Int64) -> Bool {
    time != Self.young && (changed == nil || changed == time)
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
      files.kind, files.status, files.is_transient_error, files.fingerprint,
      files.error IS NOT NULL, files.changed, files.missing_since
    """

  private func file(_ row: Row) -> FileRecord {
    let name: BytePath = row[2]
    return FileRecord(
      id: row[0], folderID: row[1], name: name.bytes,
      stamp: FileStamp(
        size: row[3], modified: row[4], inode: UInt64(bitPattern: row[5])),
      kind: FileRecord.Kind(rawValue: row[6]) ?? .other,
      status: AssetStatus(rawValue: row[7]) ?? .present, isTransientError: row[8],
      isUnreadable: row[10], fingerprint: row[9], changed: row[11], missingSince: row[12])
  }

  /// Every file known in a folder, the missing ones too.
  package func files(in folder: Int64) throws -> [FileRecord] {
    try rows(Self.fileColumns + " FROM files WHERE folder_id = ?", [folder], file)
  }

  /// The files that are missing by this name in a folder, the last to go first.
  package func missingFiles(named name: [UInt8], in folder: Int64) throws -> [FileRecord] {
    try rows(
      Self.fileColumns + """
         FROM files WHERE folder_id = ? AND name = ? AND status = 'missing'
        ORDER BY missing_since DESC, id DESC
        """, [folder, BytePath(bytes: name)], file)
  }

  /// Forgets what is missing, in folders that are still to be settled, where a file with its content has its
  /// name now: a copy, or a file that an earlier version took for another one when it was put back. What never
  /// was an asset, and so has no id to keep, is forgotten wherever a file has its name.
  package func forgetReplaced() throws {
    let replaced = try rows(
      """
      SELECT gone.id FROM unsettled_folders AS folder
      CROSS JOIN files AS gone ON gone.folder_id = folder.folder_id AND gone.status = 'missing'
      CROSS JOIN files AS other ON other.folder_id = gone.folder_id AND other.name = gone.name
        AND other.status <> 'missing'
      WHERE (other.fingerprint = gone.fingerprint AND other.size = gone.size)
        OR NOT EXISTS (SELECT 1 FROM assets WHERE assets.file_id = gone.id)
      """
    ) { row -> Int64 in row[0] }
    for id in replaced {
      try detach(file: id)
      try execute("DELETE FROM files WHERE id = ?", [id])
    }
  }

  /// The unreadable media files of a folder with the reason.
  package func failures(in folder: Int64) throws -> [(name: [UInt8], error: String)] {
    try rows(
      """
      SELECT name, error FROM files
      WHERE folder_id = ? AND status = 'unreadable' AND kind = 'media'
      """, [folder]
    ) { row in
      let name: BytePath = row[0]
      return (name.bytes, row[1] ?? "")
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
      let root: BytePath = row[14]
      let folder: BytePath = row[15]
      return FilePlace(
        file: record, rootID: row[13],
        path: root.appending(folder.bytes).appending(record.name))
    }
  }

  /// Marks files as gone; their assets stay.
  package func markMissing(_ ids: [Int64], scan: Int64) throws {
    for id in ids {
      try markUnsettled(file: id)
      try detach(file: id)
      try execute(
        "UPDATE files SET status = 'missing', missing_since = ? WHERE id = ?", [scan, id])
      try execute("UPDATE assets SET status = 'missing' WHERE file_id = ?", [id])
    }
  }

  /// Notes when a file was last changed, whose content is known to be the recorded one.
  package func setChanged(_ time: Int64, file: Int64) throws {
    try execute("UPDATE files SET changed = ? WHERE id = ?", [time, file])
  }

  /// What a file was found to contain, as far as no sidecar and no other file changes it: two equal values
  /// show that a second look found the same.
  package func contentFacts(ofFile id: Int64) throws -> FileContentFacts {
    FileContentFacts(
      values: try rows(
        """
        SELECT files.fingerprint, files.kind, files.status, uniform_type, pixel_width, pixel_height,
          make, model, lens, software, exposure_time, f_number, iso, focal_length,
          focal_length_35mm, content_identifier, clip_offset, clip_length, clues, warnings
        FROM files LEFT JOIN assets ON assets.file_id = files.id WHERE files.id = ?
        """, [id]
      ) { Array($0.databaseValues) }.first ?? [])
  }

  /// Whether a scan has found a file gone, of any kind, and has not found it elsewhere.
  package func hasMissing(scan: Int64) throws -> Bool {
    try !rows(
      "SELECT 1 FROM files WHERE missing_since = ? AND status = 'missing' LIMIT 1", [scan]
    ) { row -> Int in row[0] }.isEmpty
  }

  /// Whether the catalog knows any file at all.
  package func hasFiles() throws -> Bool {
    try !rows("SELECT 1 FROM files LIMIT 1") { row -> Int in row[0] }.isEmpty
  }

  /// How many media files a scan found gone and did not find elsewhere.
  package func missingCount(scan: Int64) throws -> Int {
    let counts = try rows(
      """
      SELECT COUNT(*) FROM files
      WHERE missing_since = ? AND status = 'missing' AND kind = 'media'
      """, [scan]
    ) { row -> Int in row[0] }
    return counts.first ?? 0
  }

  /// Notes that a file known by its row is at this place, with its content as it was.
  ///
  /// - Parameters:
  ///   - changed: as ``FileRecord/changed``; ``FileRecord/young`` if the content has to be read again.
  ///   - affectsLabels: whether something follows from the place itself. The file has to be looked at
  ///     again then; until it is, its row says so, in case the scan is cut short.
  package func placeFile(
    _ file: FileRecord, folder: Int64, name: [UInt8], stamp: FileStamp, changed: Int64,
    affectsLabels: Bool
  ) throws {
    try markUnsettled(file: file.id)
    try detach(file: file.id)
    // The row says what the file was before it went missing: an error text outlives that.
    try execute(
      """
      UPDATE files SET folder_id = ?, name = ?, size = ?, modified = ?, inode = ?, changed = ?,
        missing_since = NULL, is_transient_error = max(is_transient_error, ?),
        status = CASE WHEN error IS NULL THEN 'present' ELSE 'unreadable' END WHERE id = ?
      """,
      [
        folder, BytePath(bytes: name), stamp.size, stamp.modified, Int64(bitPattern: stamp.inode),
        changed, affectsLabels, file.id,
      ])
    try execute(
      """
      UPDATE assets SET name = ?,
        status = (SELECT status FROM files WHERE files.id = assets.file_id)
      WHERE file_id = ? AND EXISTS
        (SELECT 1 FROM files WHERE files.id = assets.file_id AND files.kind = 'media')
      """, [BytePath(bytes: name).display, file.id])
    try markUnsettled(file: file.id)
  }

  /// Makes the next scan re-evaluate the files directly in a root, because its name affects their labels.
  func relabelTopFolder(ofRoot root: Int64) throws {
    let top = try topFolder(ofRoot: root)
    try execute("UPDATE folders SET digest = NULL WHERE id = ?", [top.id])
    try execute(
      "UPDATE files SET is_transient_error = 1 WHERE folder_id = ? AND status <> 'missing'",
      [top.id])
  }
}
