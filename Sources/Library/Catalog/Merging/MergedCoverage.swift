import GRDB
import MediaModel

/// What a catalog that is merged knows of the folders of its library: a file that it does not have is only gone if its own
/// scans would have found it.
struct MergedCoverage {
  /// Folders and files of which it knows nothing, because they could not be read, or their disks were not mounted: full paths.
  /// What is below them is unknown, too.
  private let unread: [BytePath]
  /// The paths of the roots, by their rows in this catalog.
  private let roots: [Int64: BytePath]
  /// The roots that a scan has walked to the end.
  private let walked: Set<Int64>
  /// Those of them that no later scan has left unfinished.
  private let finished: Set<Int64>

  /// - Parameter database: with the other catalog as `shard`, and `merged_roots`, before folders are copied.
  init(_ database: Database) throws {
    let known = try Row.fetchAll(
      database,
      sql: "SELECT theirs.path, new FROM shard.roots AS theirs JOIN merged_roots ON old = theirs.id"
    ).map { (path: $0[0] as BytePath, id: $0[1] as Int64) }
    roots = Dictionary(known.map { ($0.id, $0.path) }, uniquingKeysWith: { first, _ in first })
    let failed = try BytePath.fetchAll(
      database, sql: "SELECT path FROM shard.known_failures WHERE path IS NOT NULL")
    // Nothing in a folder is read if its rules cannot be read.
    unread =
      failed.map { $0.lastComponent == Array(".shoeboxignore".utf8) ? $0.parent : $0 }
      + (try Self.absentDisks(database))
    let ids = Dictionary(known.map { ($0.path.display, $0.id) }) { first, _ in first }
    var (walked, finished): (Set<Int64>, Set<Int64>) = ([], [])
    // The scans of catalogs that were merged into it were scans of parts of the library.
    let scans = try Row.fetchCursor(
      database,
      sql: """
        SELECT outcome = 'finished', is_partial, roots,
          (SELECT group_concat(path, char(10)) FROM shard.unavailable_roots WHERE scan_id = scans.id)
        FROM shard.scans WHERE id > (SELECT ifnull(max(last_scan), 0) FROM shard.merged_catalogs) ORDER BY id
        """)
    while let scan = try scans.next() {
      let (isFinished, isPartial) = (scan[0] as Bool, scan[1] as Bool)
      let absent = Set((scan[3] as String? ?? "").split(separator: "\n"))
      for path in (scan[2] as String).split(separator: "\n") {
        guard let root = ids[String(path)] else { continue }
        if !isFinished || absent.contains(path) {
          finished.remove(root)
        } else if !isPartial {
          walked.insert(root)
          finished.insert(root)
        }
      }
    }
    (self.walked, self.finished) = (walked, finished)
  }

  /// The disks that were mounted in the library, and were not where the other catalog was made: there it has found folders
  /// without files.
  private static func absentDisks(_ database: Database) throws -> [BytePath] {
    let disks = try Row.fetchAll(
      database,
      sql: """
        SELECT roots.path, ours.path, theirs_root.id
        FROM main.folders AS ours JOIN merged_roots ON merged_roots.new = ours.root_id
        JOIN main.roots ON roots.id = ours.root_id JOIN shard.roots AS theirs_root ON theirs_root.id = merged_roots.old
        LEFT JOIN shard.folders AS theirs ON theirs.root_id = theirs_root.id AND theirs.path = ours.path
        WHERE ours.is_mount_point AND theirs.is_mount_point IS NOT 1
          OR ours.path = '' AND theirs_root.inode <> roots.inode
        """)
    return try disks.compactMap { disk in
      let (root, below) = (disk[0] as BytePath, disk[1] as BytePath)
      let isShown = try database.hasFiles(below: below, ofRoot: disk[2])
      return isShown ? nil : below.bytes.isEmpty ? root : root.appending(below.bytes)
    }
  }

  /// Whether a folder or file could not be read.
  ///
  /// - Parameters:
  ///   - path: below a root, or the root's own, which is empty.
  ///   - root: its row in this catalog.
  func isUnread(_ path: BytePath, inRoot root: Int64) -> Bool {
    guard !unread.isEmpty, let root = roots[root] else { return false }
    let full = path.bytes.isEmpty ? root : root.appending(path.bytes)
    return unread.contains { full.isWithin($0) }
  }

  /// Whether there is anything that could not be read.
  var hasGaps: Bool { !unread.isEmpty }

  /// Whether a scan would have found a folder of the catalog's part of the library.
  func hasWalked(_ path: BytePath, ofRoot root: Int64) -> Bool {
    walked.contains(root) && !isUnread(path, inRoot: root)
  }

  /// Whether the last scan has read all files of the folders that it has found in a root.
  func hasReadAll(ofRoot root: Int64) -> Bool { finished.contains(root) }

  /// The root that contains a full path, with the path below it; nil if it is in none.
  func place(of path: BytePath) -> (root: Int64, below: BytePath)? {
    let holder = roots.filter { path.isWithin($0.value) }
      .max { $0.value.bytes.count < $1.value.bytes.count }
    guard let holder else { return nil }
    let below = path.bytes.dropFirst(holder.value.bytes.count).drop { $0 == UInt8(ascii: "/") }
    return (holder.key, BytePath(bytes: Array(below)))
  }
}

extension Database {
  /// Whether the attached catalog has files in a folder or below it that are not missing.
  ///
  /// - Parameter root: its row there.
  fileprivate func hasFiles(below folder: BytePath, ofRoot root: Int64) throws -> Bool {
    let folders = try Row.fetchCursor(
      self,
      sql: """
        SELECT path FROM shard.folders WHERE root_id = ? AND EXISTS (
          SELECT 1 FROM shard.files WHERE folder_id = folders.id AND missing_since IS NULL)
        """, arguments: [root])
    while let row = try folders.next() {
      let path: BytePath = row[0]
      if folder.bytes.isEmpty || path.isWithin(folder) { return true }
    }
    return false
  }
}
