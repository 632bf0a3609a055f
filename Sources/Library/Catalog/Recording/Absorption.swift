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
    try markChanged(asset: owner)
  }

  /// Lists an absorbed asset by itself again; if it was a clip, its still is then not a live photo.
  package func release(_ asset: Int64, from owner: Int64) throws {
    try endLivePhoto(owner, of: asset)
    try execute(
      "UPDATE assets SET absorbed_by = NULL, absorbed_as = NULL, absorbed_why = NULL WHERE id = ?",
      [asset])
    try markCopiesUnsettled(ofFiles: [owner, asset])
    try markChanged(asset: owner)
  }

  /// Takes from a still what makes it a live photo, if an absorbed asset is its clip.
  private func endLivePhoto(_ still: Int64, of clip: Int64) throws {
    let reasons = try rows(
      "SELECT absorbed_why FROM assets WHERE id = ? AND absorbed_as = 'pairedVideo'", [clip]
    ) { row -> String? in row[0] }
    // Without a reason, it was done when the tie was loosened. The still may have another clip now.
    guard let why = reasons.first ?? nil, why != Self.embeddedClip else { return }
    try removeLabel(.livePhoto, asset: still)
    try takeClipFacts(still, of: nil)
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
    for tie in try ties(ofFiles: files) {
      try markFamiliesUnsettled(ofFiles: RowSet([tie.member, tie.owner]))
      try release(tie.member, from: tie.owner)
    }
  }

  /// Does the same for files that stay, except that the resources are not listed by themselves until their families are
  /// settled. So a resource that remains one is never listed, and observers hear nothing of it.
  ///
  /// A tie without a reason differs from every one that settling decides, and is made again.
  func loosenTies(ofFiles files: RowSet) throws {
    for tie in try ties(ofFiles: files) {
      try markFamiliesUnsettled(ofFiles: RowSet([tie.member, tie.owner]))
      try endLivePhoto(tie.owner, of: tie.member)
      try execute("UPDATE assets SET absorbed_why = NULL WHERE id = ?", [tie.member])
      try markCopiesUnsettled(ofFiles: [tie.owner, tie.member])
      try markChanged(asset: tie.owner)
    }
  }

  /// The owners of the assets of files, and their parts.
  private func ties(ofFiles files: RowSet) throws -> [(member: Int64, owner: Int64)] {
    try rows(
      """
      WITH due(id) AS MATERIALIZED (\(RowSet.sql))
      SELECT id, absorbed_by FROM assets WHERE id IN due AND absorbed_by IS NOT NULL
      UNION SELECT assets.id, absorbed_by FROM due CROSS JOIN assets ON assets.absorbed_by = due.id
      """, [files.argument]
    ) { row -> (member: Int64, owner: Int64) in (row[0], row[1]) }
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
