import Foundation
import GRDB
package import MediaModel
package import Query

/// A listed asset that has a file whose content another file has too, with all of its files.
package struct CopyOwner: Sendable {
  /// One of its files: its own, its clip, its RAW, its edited version.
  package struct File: Sendable, Hashable {
    package var path: BytePath
    package var file: CopyFile
    /// Bytes.
    package var size: Int64

    package init(path: BytePath, file: CopyFile, size: Int64) {
      (self.path, self.file, self.size) = (path, file, size)
    }
  }

  /// The asset's row.
  package var asset: Int64
  /// The asset's own file comes first.
  package var files: [File]

  package init(asset: Int64, files: [File]) {
    (self.asset, self.files) = (asset, files)
  }
}

extension Catalog {
  /// All assets that have a file with the full content of another file, in the order of their rows. The digests are
  /// those of the last scan, which computes them for files of equal size and fingerprint.
  package func copyOwners() throws -> [CopyOwner] {
    try read { transaction in
      let rows = try transaction.rows(Self.ownersOfCopies) { row -> (Int64, CopyOwner.File) in
        let digest: Data? = row[2]
        let size: Int64 = row[3]
        let file = CopyFile(
          content: digest.map { .digest($0, size: size) } ?? .unique(file: row[1]),
          identity: CopyFile.Identity(device: row[6], inode: row[4], modified: row[5]))
        return (
          row[0],
          CopyOwner.File(
            path: AssetRow.path(row, root: 7, folder: 8, name: 9), file: file, size: size)
        )
      }
      var owners: [CopyOwner] = []
      for (asset, file) in rows {
        if owners.last?.asset != asset { owners.append(CopyOwner(asset: asset, files: [])) }
        owners[owners.count - 1].files.append(file)
      }
      return owners
    }
  }

  /// An edited picture's clip is two steps away from its asset.
  private static let ownersOfCopies = """
    WITH owner(id) AS MATERIALIZED (
      SELECT DISTINCT coalesce(edited.absorbed_by, part.absorbed_by, part.id) FROM files
      CROSS JOIN assets AS part ON part.id = files.id
      LEFT JOIN assets AS edited ON edited.id = part.absorbed_by
      WHERE files.content_digest IS NOT NULL AND files.status = 'present' AND files.kind = 'media'),
    part(asset, id) AS (
      SELECT id, id FROM owner
      UNION ALL SELECT owner.id, a.id FROM owner CROSS JOIN assets AS a ON a.absorbed_by = owner.id
      UNION ALL SELECT owner.id, clip.id FROM owner
        CROSS JOIN assets AS edited ON edited.absorbed_by = owner.id
        CROSS JOIN assets AS clip ON clip.absorbed_by = edited.id)
    SELECT part.asset, files.id, files.content_digest, files.size, files.inode, files.modified,
      coalesce(folders.device, roots.device),
      roots.path, folders.path, files.name
    FROM part CROSS JOIN files ON files.id = part.id
    CROSS JOIN folders ON folders.id = files.folder_id CROSS JOIN roots ON roots.id = folders.root_id
    WHERE files.status = 'present'
    ORDER BY part.asset, part.id <> part.asset, part.id
    """

  /// The rows of all matching assets.
  package func rowIDs(matching filter: AssetFilter) throws -> Set<Int64> {
    try read { transaction in
      let (sql, arguments) = try AssetQuery(
        filter, order: nil, reading: [], in: transaction.database
      ).ids()
      return Set(try Int64.fetchAll(transaction.database, sql: sql, arguments: arguments))
    }
  }

  /// The assets of these rows, in this order; rows that are gone are left out.
  package func assets(rows: [Int64], with parts: AssetParts) throws -> [AssetRecord] {
    let reader = AssetReader(parts: parts)
    var assets: [AssetRecord] = []
    for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
      let batch = rows[start..<min(start + Self.rowsAtOnce, rows.count)]
      assets += try read { try reader.assets(batch, in: $0.database) }
    }
    return assets
  }

  /// The assets that are read in one transaction.
  private static let rowsAtOnce = 500
}
