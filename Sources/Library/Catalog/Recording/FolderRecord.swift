import GRDB
package import MediaModel
import Query

/// A folder in the state of the last scan.
package struct FolderRecord: Sendable, Hashable {
  package let id: Int64
  package let rootID: Int64
  /// The path below the root; empty for the root folder itself.
  package let path: BytePath
  package let name: [UInt8]
  /// Whether another file system was mounted here.
  package let isMountPoint: Bool
  /// The device that it was on when last scanned; nil for the root's, and for a folder that was not scanned yet.
  package var device: UInt64?
  /// The digest of the folder's files when all of them were up to date; nil if some were not.
  package let digest: Int64?
  package let counts: FolderCounts

  /// Whether a folder is this one or below it.
  package func contains(_ other: FolderRecord) -> Bool {
    rootID == other.rootID && (path.bytes.isEmpty || other.path.isWithin(path))
  }
}

/// The counts of the files in a folder's digest.
package struct FolderCounts: Sendable, Hashable {
  package var media = 0
  package var unreadable = 0
  package var sidecars = 0
  package var ignored = 0

  package init(media: Int = 0, unreadable: Int = 0, sidecars: Int = 0, ignored: Int = 0) {
    self.media = media
    self.unreadable = unreadable
    self.sidecars = sidecars
    self.ignored = ignored
  }

  package var total: Int { media + unreadable + sidecars + ignored }

  /// Counts a file, or takes it back.
  ///
  /// - Parameter number: 1 or -1.
  package mutating func add(_ kind: FileRecord.Kind, isUnreadable: Bool, number: Int = 1) {
    switch kind {
    case .media where isUnreadable: unreadable += number
    case .media: media += number
    case .sidecar: sidecars += number
    case .other: ignored += number
    }
  }
}

extension CatalogTransaction {
  static let folderColumns = """
    SELECT id, root_id, path, name, is_mount_point, digest, media_count, unreadable_count,
      sidecar_count, ignored_count, device FROM folders
    """

  func folder(_ row: Row) -> FolderRecord {
    let name: BytePath = row[3]
    return FolderRecord(
      id: row[0], rootID: row[1], path: row[2], name: name.bytes, isMountPoint: row[4],
      device: (row[10] as Int64?).map(UInt64.init(bitPattern:)), digest: row[5],
      counts: FolderCounts(media: row[6], unreadable: row[7], sidecars: row[8], ignored: row[9]))
  }

  /// A folder by its row.
  package func folder(_ id: Int64) throws -> FolderRecord? {
    try rows(Self.folderColumns + " WHERE id = ?", [id], folder).first
  }

  /// The root folder itself, if the root was scanned before.
  package func knownTopFolder(ofRoot root: Int64) throws -> FolderRecord? {
    try knownFolder(BytePath(bytes: []), ofRoot: root)
  }

  /// The folder that a scan has seen at a path below a root.
  package func knownFolder(_ path: BytePath, ofRoot root: Int64) throws -> FolderRecord? {
    try rows(Self.folderColumns + " WHERE root_id = ? AND path = ?", [root, path], folder).first
  }

  /// The root folder itself, which the first scan adds.
  package func topFolder(ofRoot root: Int64) throws -> FolderRecord {
    try knownTopFolder(ofRoot: root)
      ?? addFolder(root: root, parent: nil, path: BytePath(bytes: []), name: [])
  }

  /// The folders directly inside a folder.
  package func folders(in parent: Int64) throws -> [FolderRecord] {
    try rows(Self.folderColumns + " WHERE parent_id = ?", [parent], folder)
  }

  /// The rows of a folder's ancestors, including the root folder.
  package func foldersAbove(_ id: Int64) throws -> [Int64] {
    try rows(
      """
      WITH RECURSIVE above(id) AS (
        SELECT parent_id FROM folders WHERE id = ?
        UNION ALL
        SELECT folders.parent_id FROM folders JOIN above ON folders.id = above.id)
      SELECT id FROM above WHERE id IS NOT NULL
      """, [id]
    ) { row -> Int64 in row[0] }
  }

  /// Adds a folder that the catalog has not seen.
  ///
  /// - Parameter device: that of its parent, as far as it is known to be another one than the root's.
  package func addFolder(
    root: Int64, parent: Int64?, path: BytePath, name: [UInt8], device: UInt64? = nil
  ) throws -> FolderRecord {
    try execute(
      "INSERT INTO folders (root_id, parent_id, path, name, device) VALUES (?, ?, ?, ?, ?)",
      [root, parent, path, BytePath(bytes: name), device.map(Int64.init(bitPattern:))])
    let id = database.lastInsertedRowID
    try addSearch(ofFolder: id, path)
    return FolderRecord(
      id: id, rootID: root, path: path, name: name, isMountPoint: false,
      device: device, digest: nil, counts: FolderCounts())
  }

  /// Records that a folder's files are being updated. If the scan is interrupted, the next one examines every file
  /// of the folder.
  package func openFolder(_ id: Int64) throws {
    try execute("UPDATE folders SET digest = NULL WHERE id = ? AND digest IS NOT NULL", [id])
  }

  /// Forgets the digest of the folder in which a file was, if the file is recorded in another one now.
  func openFolder(from file: Int64, movingTo folder: Int64) throws {
    try execute(
      """
      UPDATE folders SET digest = NULL
      WHERE id = (SELECT folder_id FROM files WHERE id = ?) AND id <> ? AND digest IS NOT NULL
      """, [file, folder])
  }

  /// The counts of a folder's files as they are recorded now.
  package func counts(ofFolder id: Int64) throws -> FolderCounts {
    if let folder = try folder(id), folder.digest != nil { return folder.counts }
    return try rows(
      """
      SELECT count(*) FILTER (WHERE kind = 'media' AND error IS NULL),
        count(*) FILTER (WHERE kind = 'media' AND error IS NOT NULL),
        count(*) FILTER (WHERE kind = 'sidecar'), count(*) FILTER (WHERE kind = 'other')
      FROM files WHERE folder_id = ? AND missing_since IS NULL
      """, [id]
    ) { FolderCounts(media: $0[0], unreadable: $0[1], sidecars: $0[2], ignored: $0[3]) }
    .first ?? FolderCounts()
  }

  /// Records that all files of a folder are up to date.
  package func closeFolder(_ id: Int64, digest: Int64, _ counts: FolderCounts) throws {
    try execute(
      """
      UPDATE folders SET digest = ?, media_count = ?, unreadable_count = ?, sidecar_count = ?, ignored_count = ?
      WHERE id = ?
      """,
      [digest, counts.media, counts.unreadable, counts.sidecars, counts.ignored, id])
  }

  /// Records the device that the folder is on.
  ///
  /// - Parameter device: nil for the root's.
  package func setDevice(_ device: UInt64?, folder id: Int64) throws {
    try execute(
      "UPDATE folders SET device = ? WHERE id = ?", [device.map(Int64.init(bitPattern:)), id])
  }

  /// Records whether another file system is mounted at the folder.
  package func setMountPoint(_ isMountPoint: Bool, folder id: Int64) throws {
    try execute("UPDATE folders SET is_mount_point = ? WHERE id = ?", [isMountPoint, id])
  }
}
