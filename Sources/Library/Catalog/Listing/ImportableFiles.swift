import Foundation
import GRDB
package import MediaModel

/// A file of a source, as a scan into a catalog of its own has found it.
package struct ImportableFile: Sendable, Hashable {
  package let id: Int64
  /// The full path.
  package let path: BytePath
  package let stamp: FileStamp
  package let kind: FileRecord.Kind
  /// Nil for a file that could not be read as what its name promises.
  package let fingerprint: Fingerprint?
  /// Why it could not be read.
  package let error: String?

  package init(
    id: Int64, path: BytePath, stamp: FileStamp, kind: FileRecord.Kind, fingerprint: Fingerprint?,
    error: String? = nil
  ) {
    (self.id, self.path, self.stamp, self.kind) = (id, path, stamp, kind)
    (self.fingerprint, self.error) = (fingerprint, error)
  }
}

/// A file that may have the content of another one.
package struct ContentCandidate: Sendable, Hashable {
  /// The full path.
  package let path: BytePath
  package let stamp: FileStamp
  /// The SHA-256 that a verification has recorded for this state of the file.
  package let digest: [UInt8]?
}

extension Catalog {
  /// All files, by path.
  package func importableFiles() throws -> [ImportableFile] {
    try read { transaction in
      try transaction.rows(
        """
        SELECT f.id, r.path, d.path, f.name, f.size, f.modified, f.inode, f.kind, f.fingerprint, f.error
        FROM files AS f CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE f.missing_since IS NULL
        """
      ) { row in
        ImportableFile(
          id: row[0], path: AssetRow.path(row, root: 1, folder: 2, name: 3),
          stamp: FileStamp(size: row[4], modified: row[5], inode: UInt64(bitPattern: row[6])),
          kind: FileRecord.Kind(rawValue: row[7]) ?? .other, fingerprint: row[8], error: row[9])
      }
    }.sorted { $0.path < $1.path }
  }

  /// The pairs of files that belong to one asset: a file and one that it has absorbed or that describes it.
  package func fileLinks() throws -> [(Int64, Int64)] {
    try read { transaction in
      try transaction.rows(
        """
        SELECT absorbed_by, id FROM assets WHERE absorbed_by IS NOT NULL
        UNION ALL SELECT asset_id, file_id FROM asset_sidecars
        """
      ) { row in (row[0], row[1]) }
    }
  }

  /// The folders, by path.
  package func folderPaths() throws -> [BytePath] {
    try read { transaction in
      try transaction.rows(
        "SELECT r.path, d.path FROM folders AS d CROSS JOIN roots AS r ON r.id = d.root_id"
      ) { row in AssetRow.path(row, root: 0, folder: 1) }
    }.sorted()
  }

  /// The present files that may have a file's content: those with its size and fingerprint. A file without a fingerprint may
  /// be any other one without and with its size.
  package func candidates(for file: ImportableFile) throws -> [ContentCandidate] {
    try read { transaction in
      let columns = """
        SELECT r.path, d.path, f.name, f.size, f.modified, f.inode, c.digest
        FROM files AS f CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        LEFT JOIN file_checks AS c ON c.file_id = f.id AND c.outcome = 'equal' AND c.size = f.size
          AND c.modified = f.modified
        WHERE f.missing_since IS NULL AND f.kind <> 'other'
        """
      func candidate(_ row: Row) -> ContentCandidate {
        let digest: Data? = row[6]
        return ContentCandidate(
          path: AssetRow.path(row, root: 0, folder: 1, name: 2),
          stamp: FileStamp(size: row[3], modified: row[4], inode: UInt64(bitPattern: row[5])),
          digest: digest.map { Array($0) })
      }
      guard let fingerprint = file.fingerprint else {
        return try transaction.rows(
          "\(columns) AND f.fingerprint IS NULL AND f.size = ?", [file.stamp.size], candidate)
      }
      return try transaction.rows(
        "\(columns) AND f.fingerprint = ? AND f.size = ?", [fingerprint, file.stamp.size],
        candidate)
    }
  }
}
