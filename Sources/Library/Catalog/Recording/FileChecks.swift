import Foundation
import GRDB
package import MediaModel
package import Query

/// What a file's content was.
package struct RecordedContent: Sendable, Hashable {
  /// SHA-256 of all of it.
  package var digest: [UInt8]
  /// The file when it had this content.
  package var stamp: FileStamp
  /// As ``FileRecord/changed``.
  package var changed: Int64

  package init(digest: [UInt8], stamp: FileStamp, changed: Int64) {
    (self.digest, self.stamp, self.changed) = (digest, stamp, changed)
  }
}

/// How a check of a file's content ended.
package enum CheckOutcome: String, Sendable, Hashable {
  case equal, rotted, unreadable
}

/// A file whose content is to be compared with what it was.
package struct FileToVerify: Sendable, Hashable {
  package let id: Int64
  /// The full path.
  package let path: BytePath
  /// The path of its root.
  package let root: BytePath
  /// As the last scan saw it.
  package let stamp: FileStamp
  /// That of the content that the last scan found.
  package let fingerprint: Fingerprint?
  /// Whether the last scan saw the file so soon after a change that a later one may have the same times.
  package let isYoung: Bool
  /// Nil if it was never read completely.
  package let content: RecordedContent?
  /// How the last check ended; nil if it was never checked.
  package let outcome: CheckOutcome?

  package init(
    id: Int64, path: BytePath, root: BytePath, stamp: FileStamp, fingerprint: Fingerprint?,
    isYoung: Bool, content: RecordedContent?, outcome: CheckOutcome?
  ) {
    (self.id, self.path, self.root, self.stamp) = (id, path, root, stamp)
    (self.fingerprint, self.isYoung) = (fingerprint, isYoung)
    (self.content, self.outcome) = (content, outcome)
  }
}

/// What a check of a file found.
package struct FileCheck: Sendable, Hashable {
  package var fileID: Int64
  package var outcome: CheckOutcome
  /// What is kept as the file's content; nil to keep what was recorded before.
  package var content: RecordedContent?
  /// What was found, one sentence; nil for ``CheckOutcome/equal``.
  package var error: String?
  /// Whether the user has accepted the content in the place of another one.
  package var isAccepted: Bool

  package init(
    _ fileID: Int64, _ outcome: CheckOutcome, content: RecordedContent? = nil, error: String? = nil,
    isAccepted: Bool = false
  ) {
    (self.fileID, self.outcome, self.content, self.error) = (fileID, outcome, content, error)
    self.isAccepted = isAccepted
  }
}

/// A file that did not pass its last check.
package struct FailedCheck: Sendable, Hashable {
  package let fileID: Int64
  package let path: BytePath
  package let outcome: CheckOutcome
  /// The first check in a row that found this, milliseconds since 1970 UTC.
  package let since: Int64
  package let error: String
}

/// The files that a verification is about.
package enum FilesToVerify: Sendable, Hashable {
  /// All files of the catalog.
  case everything
  /// All files of assets that match.
  case matching(AssetFilter)
  /// All files of these assets, or only those with a path, if there are any.
  case assets([Int64: Set<BytePath>])
}

extension Catalog {
  /// The files whose content can be verified: those of pictures, videos and sidecars that are not missing. Those that failed
  /// their last check come first, then those that were not checked for the longest time; within these, by folder and inode,
  /// which suits rotating disks. A check in the future was made while the clock was ahead: when is not known, so its file is
  /// checked again like one that never was.
  ///
  /// - Parameters:
  ///   - roots: the rows of the roots that are available.
  ///   - now: milliseconds since 1970 UTC.
  package func filesToVerify(
    _ files: FilesToVerify, inRoots roots: [Int64], now: Int64
  ) throws -> [(id: Int64, size: Int64, hasFailed: Bool)] {
    try read { transaction in
      let chosen = try transaction.rowSet(files)
      var arguments: StatementArguments = [RowSet(roots).argument, now]
      if let chosen { arguments += [chosen.argument] }
      return try transaction.rows(
        """
        SELECT f.id, f.size, ifnull(c.outcome <> 'equal', 0) AS has_failed
        FROM \(chosen == nil ? "files AS f" : "json_each(?3) AS chosen CROSS JOIN files AS f ON f.id = chosen.value")
        CROSS JOIN folders AS d ON d.id = f.folder_id LEFT JOIN file_checks AS c ON c.file_id = f.id
        WHERE d.root_id IN (SELECT value FROM json_each(?1)) AND f.kind <> 'other' AND f.missing_since IS NULL
        ORDER BY has_failed DESC, iif(c.checked_date > ?2, NULL, c.checked_date), f.folder_id, f.inode
        """,
        arguments
      ) { row in (row[0], row[1], row[2]) }
    }
  }

  /// The files that did not pass their last check, by path.
  ///
  /// - Parameter roots: the rows of the roots that are available.
  package func failedChecks(
    _ files: FilesToVerify, inRoots roots: [Int64]
  ) throws -> [FailedCheck] {
    let failed = try read { transaction in
      let chosen = try transaction.rowSet(files)
      return try transaction.rows(
        """
        SELECT c.file_id, r.path, d.path, f.name, c.outcome, c.since, c.error
        FROM file_checks AS c INDEXED BY file_checks_failed
        CROSS JOIN files AS f ON f.id = c.file_id CROSS JOIN folders AS d ON d.id = f.folder_id
        CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE c.outcome <> 'equal' AND f.missing_since IS NULL
          AND r.id IN (SELECT value FROM json_each(?1))
          \(chosen == nil ? "" : "AND f.id IN (SELECT value FROM json_each(?2))")
        """, StatementArguments([RowSet(roots).argument] + [chosen?.argument].compactMap(\.self))
      ) { row in
        FailedCheck(
          fileID: row[0], path: AssetRow.path(row, root: 1, folder: 2, name: 3),
          outcome: CheckOutcome(rawValue: row[4]) ?? .unreadable, since: row[5] ?? 0,
          error: row[6] ?? "")
      }
    }
    return failed.sorted { $0.path < $1.path }
  }

  /// What the catalog has of files, in the order of `ids`. Those that are gone meanwhile are left out.
  package func filesToVerify(_ ids: ArraySlice<Int64>) throws -> [FileToVerify] {
    try read { transaction in
      try transaction.rows(
        """
        SELECT f.id, r.path, d.path, f.name, f.size, f.modified, f.inode, c.outcome,
          c.digest, c.size, c.modified, c.inode, c.changed, f.fingerprint, f.changed
        FROM json_each(?) AS chosen CROSS JOIN files AS f ON f.id = chosen.value
        CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        LEFT JOIN file_checks AS c ON c.file_id = f.id
        WHERE f.missing_since IS NULL ORDER BY chosen.key
        """, [RowSet(ids).argument], FileToVerify.init)
    }
  }
}

extension FileToVerify {
  fileprivate init(_ row: Row) {
    let digest: Data? = row[8]
    self.init(
      id: row[0], path: AssetRow.path(row, root: 1, folder: 2, name: 3),
      root: BytePath(bytes: AssetRow.bytes(row[1])),
      stamp: FileStamp(size: row[4], modified: row[5], inode: UInt64(bitPattern: row[6])),
      fingerprint: row[13], isYoung: (row[14] as Int64) == FileRecord.young,
      content: digest.map { digest in
        RecordedContent(
          digest: Array(digest),
          stamp: FileStamp(
            size: row[9] ?? 0, modified: row[10] ?? 0,
            inode: UInt64(bitPattern: row[11] ?? 0)),
          changed: row[12] ?? 0)
      },
      outcome: (row[7] as String?).flatMap(CheckOutcome.init))
  }
}

extension CatalogTransaction {
  /// The rows of the chosen files; nil for all.
  fileprivate func rowSet(_ files: FilesToVerify) throws -> RowSet? {
    switch files {
    case .everything: return nil
    case .matching(let filter):
      let (sql, arguments) = try AssetQuery(filter, order: nil, reading: [], in: database).ids()
      let assets = try Int64.fetchAll(database, sql: sql, arguments: arguments)
      let ids = try self.files(ofAssets: assets).map(\.id)
      return RowSet(Set(ids).union(try wholeFolders(of: filter)).sorted())
    case .assets(let named):
      var ids = try self.files(ofAssets: named.filter(\.value.isEmpty).keys).map(\.id)
      for (asset, paths) in named where !paths.isEmpty {
        ids += try self.files(ofAssets: [asset]).filter { paths.contains($0.path) }.map(\.id)
      }
      return RowSet(Set(ids).sorted())
    }
  }

  /// All files of the folders that a filter selects by nothing else: also sidecars that describe no asset there.
  private func wholeFolders(of filter: AssetFilter) throws -> [Int64] {
    let requirements = filter.requirements
    guard requirements.count == 1, let folders = requirements.first?.folders,
      let below = try FoldersBelow(folders, in: database)
    else { return [] }
    return try Int64.fetchAll(
      database,
      sql: """
        SELECT f.id FROM (\(below.sql)) AS below CROSS JOIN files AS f ON f.folder_id = below.id
        """,
      arguments: StatementArguments(below.arguments))
  }

  /// All files of assets: their own, those that they have absorbed, and their sidecars.
  private func files(
    ofAssets assets: some Sequence<Int64>
  ) throws -> [(id: Int64, path: BytePath)] {
    try rows(
      """
      WITH RECURSIVE part(id) AS (
        SELECT value FROM json_each(?)
        UNION SELECT a.id FROM part CROSS JOIN assets AS a ON a.absorbed_by = part.id)
      SELECT f.id, r.path, d.path, f.name FROM (
        SELECT id FROM part
        UNION SELECT s.file_id FROM part CROSS JOIN asset_sidecars AS s ON s.asset_id = part.id) AS chosen
      CROSS JOIN files AS f ON f.id = chosen.id CROSS JOIN folders AS d ON d.id = f.folder_id
      CROSS JOIN roots AS r ON r.id = d.root_id
      """, [RowSet(assets).argument]
    ) { row in (row[0], AssetRow.path(row, root: 1, folder: 2, name: 3)) }
  }

  /// Records what checks found. Files that the catalog no longer has are left out.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  package func record(_ checks: [FileCheck], now: Int64) throws {
    for check in checks {
      let content = check.content
      try execute(
        """
        INSERT INTO file_checks (file_id, checked_date, outcome, since, error, digest, size, modified, changed, inode)
        SELECT id, ?2, ?3, iif(?3 = 'equal' AND NOT ?10, NULL, ?2), ?4, ?5, ?6, ?7, ?8, ?9 FROM files WHERE id = ?1
        ON CONFLICT (file_id) DO UPDATE SET checked_date = excluded.checked_date, outcome = excluded.outcome,
          since = iif(excluded.outcome = outcome AND NOT ?10, since, excluded.since), error = excluded.error,
          digest = ifnull(excluded.digest, digest), size = ifnull(excluded.size, size),
          modified = ifnull(excluded.modified, modified), changed = ifnull(excluded.changed, changed),
          inode = ifnull(excluded.inode, inode)
        """,
        [
          check.fileID, now, check.outcome.rawValue, check.error,
          content.map { Data($0.digest) }, content?.stamp.size, content?.stamp.modified,
          content?.changed, content.map { Int64(bitPattern: $0.stamp.inode) }, check.isAccepted,
        ])
    }
  }
}

/// A folder of the library: its root, and its path below that.
private struct FolderPlace: Hashable {
  var root: Int64
  var path: BytePath
}

extension CatalogTransaction {
  /// Records the content of files that were just written and verified, if a scan has found them in this state.
  ///
  /// - Parameters:
  ///   - contents: by the full paths of the files.
  ///   - now: milliseconds since 1970 UTC.
  package func record(_ contents: [BytePath: RecordedContent], now: Int64) throws {
    let roots = try roots()
    var folders: [FolderPlace: [(name: [UInt8], content: RecordedContent)]] = [:]
    for (path, content) in contents {
      // The innermost root has the file.
      let holder = roots.filter { path.isWithin($0.path) }
        .max { $0.path.bytes.count < $1.path.bytes.count }
      guard let holder else { continue }
      let names = path.components.dropFirst(holder.path.components.count).dropLast()
      let folder = BytePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")])))
      folders[FolderPlace(root: holder.id, path: folder), default: []]
        .append((path.lastComponent, content))
    }
    var checks: [FileCheck] = []
    for (folder, contents) in folders {
      // Names have no index: each folder is read once.
      let known = try rows(
        """
        SELECT f.name, f.id, f.size, f.modified FROM folders AS d CROSS JOIN files AS f ON f.folder_id = d.id
        WHERE d.root_id = ? AND d.path = ? AND f.missing_since IS NULL
        """, [folder.root, folder.path]
      ) { row -> (name: BytePath, id: Int64, size: Int64, modified: Int64) in
        (row[0], row[1], row[2], row[3])
      }
      let files = Dictionary(known.map { ($0.name.bytes, $0) }) { first, _ in first }
      for (name, content) in contents {
        guard let file = files[name], file.size == content.stamp.size,
          file.modified == content.stamp.modified
        else { continue }
        checks.append(FileCheck(file.id, .equal, content: content))
      }
    }
    try record(checks, now: now)
  }
}
