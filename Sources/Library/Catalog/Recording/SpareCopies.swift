import Foundation
import GRDB
import MediaModel

extension CatalogTransaction {
  /// Takes back that assets with a file like one of these are spare.
  func clearSpares(likeFiles files: RowSet) throws {
    try execute(
      """
      UPDATE assets SET is_spare = 0 WHERE is_spare <> 0 AND id IN (
        SELECT coalesce(edited.absorbed_by, part.absorbed_by, part.id)
        FROM (SELECT DISTINCT fingerprint FROM files WHERE id IN (\(RowSet.sql))) AS own
        CROSS JOIN files AS other ON other.fingerprint = own.fingerprint
        CROSS JOIN assets AS part ON part.id = other.id
        LEFT JOIN assets AS edited ON edited.id = part.absorbed_by)
      """, [files.argument])
  }

  /// Decides which assets are spare among those that have a file with one of these fingerprints and all that
  /// share content with them.
  func settleSpares(of fingerprints: [Fingerprint]) throws {
    var settled: Set<Int64> = []
    for fingerprint in fingerprints {
      let holders = try copyHolders(from: fingerprint, settled: &settled)
      let spares = SpareChoice(holders).spares
      for holder in holders {
        let isSpare = spares.contains(holder.asset)
        try execute(
          "UPDATE assets SET is_spare = ? WHERE id = ? AND is_spare <> ?",
          [isSpare, holder.asset, isSpare])
      }
    }
  }

  /// The assets that have a file with a fingerprint, and all that share content with them.
  ///
  /// - Parameter settled: assets to leave out, with which all that share content with them are in it; the
  ///   result's are added.
  private func copyHolders(
    from fingerprint: Fingerprint, settled: inout Set<Int64>
  ) throws -> [CopyHolder] {
    var waiting = try owners("files.fingerprint = ?", [fingerprint])
    var holders: [CopyHolder] = []
    var followed: Set<CopyFile.Content> = []
    while let asset = waiting.popLast() {
      guard settled.insert(asset).inserted else { continue }
      let files = try copyFiles(ofAsset: asset)
      let sidecars = try count(
        "SELECT count(*) FROM asset_sidecars WHERE asset_id = ?", [asset])
      holders.append(CopyHolder(asset: asset, files: files, sidecars: sidecars))
      for content in files.map(\.content) where followed.insert(content).inserted {
        guard case .digest(let digest, let size) = content else { continue }
        waiting += try owners("files.content_digest = ? AND files.size = ?", [digest, size])
      }
    }
    return holders
  }

  /// The assets that are listed for files: an edited picture's clip is two steps away from its asset.
  private func owners(_ condition: String, _ arguments: StatementArguments) throws -> [Int64] {
    try rows(
      """
      SELECT DISTINCT coalesce(edited.absorbed_by, part.absorbed_by, part.id) FROM files
      CROSS JOIN assets AS part ON part.id = files.id
      LEFT JOIN assets AS edited ON edited.id = part.absorbed_by
      WHERE \(condition) AND files.status = 'present' AND files.kind = 'media'
      """, arguments
    ) { row -> Int64 in row[0] }
  }

  private func copyFiles(ofAsset id: Int64) throws -> [CopyFile] {
    try rows(
      """
      WITH part(id) AS (
        SELECT ?1 UNION SELECT id FROM assets WHERE absorbed_by = ?1
        UNION SELECT clip.id FROM assets AS edited CROSS JOIN assets AS clip
          ON clip.absorbed_by = edited.id WHERE edited.absorbed_by = ?1)
      SELECT files.id, files.content_digest, files.size, files.inode, files.modified, coalesce(folders.device, roots.device)
      FROM part CROSS JOIN assets ON assets.id = part.id
      CROSS JOIN files ON files.id = assets.id
      CROSS JOIN folders ON folders.id = files.folder_id
      CROSS JOIN roots ON roots.id = folders.root_id
      WHERE files.status = 'present'
      """, [id]
    ) { row in
      let digest: Data? = row[1]
      return CopyFile(
        content: digest.map { .digest($0, size: row[2]) } ?? .unique(file: row[0]),
        identity: CopyFile.Identity(device: row[5], inode: row[3], modified: row[4]))
    }
  }
}
