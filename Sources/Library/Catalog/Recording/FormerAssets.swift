import Foundation
import GRDB
import MediaModel

// The identifiers of assets whose rows `scan --rebuild` has deleted. They are taken back by files with the same
// content, first by the one at the same path.

extension CatalogTransaction {
  /// The identity of a former asset with this content; it is then no longer a former one.
  func takeFormerAsset(
    _ fingerprint: Fingerprint, _ recording: FileRecording
  ) throws -> (identifier: StoredIdentifier, added: Int64)? {
    let path = try folderPath(recording.folderID).appending(recording.name)
    let found = try rows(
      """
      SELECT identifier, added_date FROM former_assets WHERE fingerprint = ? AND size = ?
      ORDER BY path <> ?, added_date, identifier LIMIT 1
      """, [fingerprint, recording.stamp.size, path]
    ) { row -> (identifier: StoredIdentifier, added: Int64) in (row[0], row[1]) }
    guard let former = found.first else { return nil }
    try execute("DELETE FROM former_assets WHERE identifier = ?", [former.identifier])
    return former
  }

  /// The full path of a folder.
  private func folderPath(_ id: Int64) throws -> BytePath {
    try rows(
      """
      SELECT roots.path, folders.path FROM folders JOIN roots ON roots.id = folders.root_id
      WHERE folders.id = ?
      """, [id]
    ) { AssetRow.path($0, root: 0, folder: 1) }.first ?? BytePath(bytes: [])
  }
}
