import GRDB
import MediaModel

// Assets that have become resources of others: the clip of a live photo, the RAW of an exposure, the picture
// before or after an edit.

extension CatalogTransaction {
  /// The reason why a clip belongs to a still that contains the same clip. The two are not a live photo.
  package static let embeddedClip = "embeddedClip"

  /// The types of resources that an asset may become.
  private static let absorbedTypes = [
    ResourceType.pairedVideo, .alternatePhoto, .fullSizePhoto,
  ]

  /// The columns that a live photo takes from its clip.
  private static let clipColumns = "duration, video_codec, frame_rate, dynamic_range, audio_codec"

  /// Makes an asset a resource of another, so that it is no longer listed by itself.
  ///
  /// - Parameter type: `pairedVideo`, `alternatePhoto` or `fullSizePhoto`.
  package func absorb(
    _ asset: Int64, into owner: Int64, as type: ResourceType, why: String
  ) throws {
    try execute(
      "UPDATE assets SET absorbed_by = ?, absorbed_as = ?, absorbed_why = ? WHERE id = ?",
      [owner, type.rawValue, why, asset])
    try execute(
      """
      INSERT OR REPLACE INTO resources (asset_id, type, file_id, uniform_type)
      SELECT ?, ?, file_id, uniform_type FROM assets WHERE id = ?
      """, [owner, type.rawValue, asset])
    try markCopiesUnsettled(ofAsset: owner)
    try markCopiesUnsettled(ofAsset: asset)
    if type == .pairedVideo, why != Self.embeddedClip {
      try execute(
        """
        UPDATE assets SET (\(Self.clipColumns)) = (SELECT \(Self.clipColumns) FROM assets WHERE id = ?)
        WHERE id = ?
        """, [asset, owner])
    }
  }

  /// Lists an absorbed asset by itself again; if it was a clip, its still is then not a live photo.
  package func release(_ asset: Int64, from owner: Int64) throws {
    let links = try rows("SELECT absorbed_as, absorbed_why FROM assets WHERE id = ?", [asset]) {
      row -> (type: ResourceType?, why: String?) in
      ((row[0] as String?).flatMap(ResourceType.init(rawValue:)), row[1])
    }
    if let link = links.first, link.type == .pairedVideo, link.why != Self.embeddedClip {
      try removeLabel(.livePhoto, asset: owner)
      try execute(
        "UPDATE assets SET (\(Self.clipColumns)) = (NULL, NULL, NULL, NULL, NULL) WHERE id = ?",
        [owner])
    }
    try execute(
      "UPDATE assets SET absorbed_by = NULL, absorbed_as = NULL, absorbed_why = NULL WHERE id = ?",
      [asset])
    try execute(
      """
      DELETE FROM resources WHERE asset_id = ?
        AND type IN (\(Self.absorbedTypes.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
        AND file_id = (SELECT file_id FROM assets WHERE id = ?)
      """, [owner, asset])
    try markCopiesUnsettled(ofAsset: owner)
    try markCopiesUnsettled(ofAsset: asset)
  }

  /// The assets that have become resources of another.
  package func absorbedAssets(by owner: Int64) throws -> [Int64] {
    try rows("SELECT id FROM assets WHERE absorbed_by = ?", [owner]) { $0[0] }
  }

  /// Takes a file's asset from all that it is tied to, because the file changes, moves or is gone: its
  /// relations are settled again, in both folders.
  func detach(file id: Int64) throws {
    let links = try rows(
      """
      SELECT id, absorbed_by FROM assets WHERE file_id = ? AND absorbed_by IS NOT NULL
      UNION SELECT id, absorbed_by FROM assets
      WHERE absorbed_by = (SELECT id FROM assets WHERE file_id = ?)
      """, [id, id]
    ) { row -> (member: Int64, owner: Int64) in (row[0], row[1]) }
    for link in links {
      try execute(
        """
        INSERT OR IGNORE INTO unsettled_folders SELECT folder_id FROM files
        JOIN assets ON assets.file_id = files.id WHERE assets.id IN (?, ?)
        """, [link.member, link.owner])
      try release(link.member, from: link.owner)
    }
  }

  /// Separates the halves of live photos whose other half is in another root.
  func detach(root: Int64) throws {
    let inside = """
      SELECT files.id FROM folders JOIN files ON files.folder_id = folders.id
      JOIN assets ON assets.file_id = files.id
      """
    let outside = """
      JOIN files AS others ON others.id = other.file_id
      JOIN folders AS elsewhere ON elsewhere.id = others.folder_id
      WHERE folders.root_id = ? AND elsewhere.root_id <> folders.root_id
      """
    let crossing = try rows(
      """
      \(inside) JOIN assets AS other ON other.id = assets.absorbed_by \(outside)
      UNION \(inside) JOIN assets AS other ON other.absorbed_by = assets.id \(outside)
      """, [root, root]
    ) { row -> Int64 in row[0] }
    for file in crossing {
      try markUnsettled(file: file)
      try detach(file: file)
    }
  }
}
