import Foundation
import GRDB
import MediaModel

// Which copies can go: all but one of each set. To delete every spare asset with all of its files never deletes
// the last copy of any content, not even where two paths lead to one file.

/// A file of an asset.
private struct CopyFile {
  /// What is in it.
  enum Content: Hashable {
    case digest(Data, size: Int64)
    /// No other file has it.
    case unique(file: Int64)
  }

  /// Which file it is, whatever its path.
  struct Identity: Hashable {
    var device: Int64
    var inode: Int64
    var modified: Int64
  }

  var content: Content
  var identity: Identity
}

/// A listed asset with the files of all it has absorbed.
private struct CopyHolder {
  let asset: Int64
  let contents: Set<CopyFile.Content>
  let identities: Set<CopyFile.Identity>

  init(asset: Int64, files: [CopyFile]) {
    self.asset = asset
    contents = Set(files.map(\.content))
    identities = Set(files.map(\.identity))
  }
}

extension CatalogTransaction {
  /// Takes back that assets with a file like this one are spare: something has changed, and what the next
  /// settlement of copies decides is not known before the end of the scan, which may be cut short.
  func distrustSpares(likeFile id: Int64) throws {
    try execute(
      """
      UPDATE assets SET is_spare = 0 WHERE is_spare <> 0 AND id IN (
        SELECT coalesce(edited.absorbed_by, part.absorbed_by, part.id)
        FROM files AS own CROSS JOIN files AS other ON other.fingerprint = own.fingerprint
        CROSS JOIN assets AS part ON part.file_id = other.id
        LEFT JOIN assets AS edited ON edited.id = part.absorbed_by WHERE own.id = ?)
      """, [id])
  }

  /// Decides which assets are spare among those that have a file with this fingerprint and all that share
  /// content with them.
  ///
  /// Those with more content come first, then those that the catalog has known longest; each is spare if an
  /// asset that is kept has all of its content in other files.
  func settleSpares(of fingerprint: Fingerprint) throws {
    let holders = try copyHolders(from: fingerprint).sorted {
      ($1.contents.count, $0.asset) < ($0.contents.count, $1.asset)
    }
    var kept: [CopyHolder] = []
    var spare: [CopyHolder] = []
    for holder in holders {
      let isSpare = kept.contains {
        holder.contents.isSubset(of: $0.contents)
          && holder.identities.isDisjoint(with: $0.identities)
      }
      if isSpare { spare.append(holder) } else { kept.append(holder) }
    }
    // A spare asset must not be, by another path, a file of one that is kept.
    var identities = Set(kept.flatMap(\.identities))
    while let index = spare.firstIndex(where: { !$0.identities.isDisjoint(with: identities) }) {
      identities.formUnion(spare[index].identities)
      spare.remove(at: index)
    }
    let spares = Set(spare.map(\.asset))
    for holder in holders {
      let isSpare = spares.contains(holder.asset)
      try execute(
        "UPDATE assets SET is_spare = ? WHERE id = ? AND is_spare <> ?",
        [isSpare, holder.asset, isSpare])
    }
  }

  private func copyHolders(from fingerprint: Fingerprint) throws -> [CopyHolder] {
    var waiting = try owners("files.fingerprint = ?", [fingerprint])
    var known: [Int64: CopyHolder] = [:]
    var followed: Set<CopyFile.Content> = []
    while let asset = waiting.popLast() {
      guard known[asset] == nil else { continue }
      let holder = CopyHolder(asset: asset, files: try copyFiles(ofAsset: asset))
      known[asset] = holder
      for content in holder.contents where followed.insert(content).inserted {
        guard case .digest(let digest, let size) = content else { continue }
        waiting += try owners("files.content_digest = ? AND files.size = ?", [digest, size])
      }
    }
    return Array(known.values)
  }

  /// The assets that are listed for files: an edited picture's clip is two steps away from its asset.
  private func owners(_ condition: String, _ arguments: StatementArguments) throws -> [Int64] {
    try rows(
      """
      SELECT DISTINCT coalesce(edited.absorbed_by, part.absorbed_by, part.id) FROM files
      CROSS JOIN assets AS part ON part.file_id = files.id
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
      SELECT files.id, files.content_digest, files.size, files.inode, files.modified, roots.device
      FROM part CROSS JOIN assets ON assets.id = part.id
      CROSS JOIN files ON files.id = assets.file_id
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
