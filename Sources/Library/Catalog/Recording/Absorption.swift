import GRDB
package import MediaModel

// Assets that have become resources of others: the clip of a live photo, the RAW of an exposure, the picture
// before or after an edit.

extension CatalogTransaction {
  /// The reason why a clip belongs to a still that contains the same clip. The two are not a live photo.
  package static let embeddedClip = "embeddedClip"

  /// Makes an asset a resource of another, so that it is no longer listed by itself.
  ///
  /// - Parameter type: `pairedVideo`, `alternatePhoto` or `fullSizePhoto`.
  package func absorb(
    _ asset: Int64, into owner: Int64, as type: ResourceType, why: String
  ) throws {
    try withdrawInferredZone(ofAsset: asset)
    try execute(
      "UPDATE assets SET absorbed_by = ?, absorbed_as = ?, absorbed_why = ? WHERE id = ?",
      [owner, type.rawValue, why, asset])
    try markCopiesUnsettled(ofFiles: [owner, asset])
    if type == .pairedVideo, why != Self.embeddedClip { try takeClipFacts(owner, of: asset) }
  }

  /// Lists an absorbed asset by itself again; if it was a clip, its still is then not a live photo.
  package func release(_ asset: Int64, from owner: Int64) throws {
    let links = try rows("SELECT absorbed_as, absorbed_why FROM assets WHERE id = ?", [asset]) {
      row -> (type: ResourceType?, why: String?) in
      ((row[0] as String?).flatMap(ResourceType.init(rawValue:)), row[1])
    }
    if let link = links.first, link.type == .pairedVideo, link.why != Self.embeddedClip {
      try removeLabel(.livePhoto, asset: owner)
      try takeClipFacts(owner, of: nil)
    }
    try execute(
      "UPDATE assets SET absorbed_by = NULL, absorbed_as = NULL, absorbed_why = NULL WHERE id = ?",
      [asset])
    try markCopiesUnsettled(ofFiles: [owner, asset])
  }

  /// Gives a live photo the duration, frame rate and codecs of its clip; without a clip, takes them away.
  private func takeClipFacts(_ still: Int64, of clip: Int64?) throws {
    guard var own = try clipFacts(of: still) else { return }
    let other = try clip.flatMap { try clipFacts(of: $0) }
    own.origin.videoCodec = other?.origin.videoCodec
    own.origin.audioCodec = other?.origin.audioCodec
    own.origin.dynamicRange = other?.origin.dynamicRange
    try execute(
      "UPDATE assets SET duration = ?, frame_rate = ?, origin_id = ? WHERE id = ?",
      [other?.duration, other?.frameRate, try row(of: own.origin), still])
  }

  private func clipFacts(
    of asset: Int64
  ) throws -> (duration: Double?, frameRate: Double?, origin: Origin)? {
    try rows(
      """
      SELECT duration, frame_rate, \(Origin.columns) FROM assets
      JOIN origins ON origins.id = assets.origin_id WHERE assets.id = ?
      """, [asset]
    ) { row -> (duration: Double?, frameRate: Double?, origin: Origin) in
      (row[0], row[1], Origin(row, at: 2))
    }.first
  }

  /// The clips that have become resources of a still and make it a live photo.
  package func absorbedClips(of still: Int64) throws -> [Int64] {
    try rows(
      """
      SELECT id FROM assets WHERE absorbed_by = ? AND absorbed_as = 'pairedVideo' AND absorbed_why <> ?
      """, [still, Self.embeddedClip]
    ) { $0[0] }
  }

  /// Separates the assets of files from those that they belong to and those that belong to them, because the files
  /// change, move or are gone: their families are settled again, in both folders.
  func detach(files: RowSet) throws {
    let links = try rows(
      """
      WITH due(id) AS MATERIALIZED (\(RowSet.sql))
      SELECT id, absorbed_by FROM assets WHERE id IN due AND absorbed_by IS NOT NULL
      UNION SELECT assets.id, absorbed_by FROM due CROSS JOIN assets ON assets.absorbed_by = due.id
      """, [files.argument]
    ) { row -> (member: Int64, owner: Int64) in (row[0], row[1]) }
    for link in links {
      try markFamiliesUnsettled(ofFiles: RowSet([link.member, link.owner]))
      try release(link.member, from: link.owner)
    }
  }

  /// Separates the halves of live photos whose other half is in another root.
  func detach(root: Int64) throws {
    let inside = """
      SELECT assets.id FROM folders JOIN files ON files.folder_id = folders.id
      JOIN assets ON assets.id = files.id
      """
    let outside = """
      JOIN folders AS elsewhere ON elsewhere.id = other.folder_id
      WHERE folders.root_id = ? AND elsewhere.root_id <> folders.root_id
      """
    let crossing = try rows(
      """
      \(inside) JOIN assets AS other ON other.id = assets.absorbed_by \(outside)
      UNION \(inside) JOIN assets AS other ON other.absorbed_by = assets.id \(outside)
      """, [root, root]
    ) { row -> Int64 in row[0] }
    let files = RowSet(crossing)
    try markUnsettled(files: files)
    try detach(files: files)
  }
}
