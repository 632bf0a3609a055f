import GRDB
package import MediaModel

/// A picture or video as far as its neighbours matter: what settling kinds of more than one file reads.
package struct SettlingRecord: Sendable, Hashable {
  package let assetID: Int64
  package let folderID: Int64
  /// The folder's full path.
  package let folderPath: BytePath
  package let name: [UInt8]
  package let mediaType: MediaType
  package let uniformType: UniformType
  package let subtypes: MediaSubtypes
  package let contentIdentifier: String?
  package let burstIdentifier: String?
  /// Milliseconds on the wall clock, and minutes east of UTC.
  package let captureWall: Int64?
  package let captureOffset: Int?
  /// Which tags the time came from.
  package let captureSource: String?
  /// The camera's.
  package let model: String?
  /// Seconds; of a video.
  package let duration: Double?
  /// Bytes of the file.
  package let size: Int64
  /// Bytes of the motion clip inside it.
  package let embeddedClipLength: Int64?
  package let clues: [Clue]
  package let isMissing: Bool
  /// The asset that this one has become a resource of, and why.
  package let absorbedBy: Int64?
  package let absorbedWhy: String?
  /// Whether edit instructions are next to it.
  package let hasAdjustments: Bool
  /// Whether some of them say what plays slowly.
  package let hasSlowMotion: Bool
}

extension CatalogTransaction {
  /// Whether a picture (or a video) with this identifier is there.
  package func hasPresent(_ type: MediaType, identifier: String) throws -> Bool {
    try exists(
      """
      SELECT 1 FROM assets WHERE content_identifier = ? AND is_video = ? AND NOT is_missing
        AND NOT is_unreadable
      """, [StoredIdentifier(identifier), type == .video])
  }

  /// Every asset, missing ones too, with this identifier.
  package func settlingRecords(identifier: String) throws -> [SettlingRecord] {
    try settlingRecords(
      "assets INDEXED BY assets_by_content_identifier JOIN files ON files.id = assets.id",
      "assets.content_identifier = ?", [StoredIdentifier(identifier)])
  }

  /// Every asset, missing ones too, whose file is or was in this folder.
  package func settlingRecords(folder: Int64) throws -> [SettlingRecord] {
    try settlingRecords(
      "files CROSS JOIN assets ON assets.id = files.id", "files.folder_id = ?", [folder])
  }

  private func settlingRecords(
    _ source: String, _ condition: String, _ arguments: StatementArguments
  ) throws -> [SettlingRecord] {
    try rows(
      """
      SELECT assets.id, files.folder_id, roots.path, folders.path, files.name, is_video, uniform_type,
        subtypes, content_identifier, burst_identifier, capture_wall, capture_offset,
        capture_sources.name, model, duration, files.size, clip_length, clues,
        is_missing OR is_unreadable, absorbed_by, absorbed_why,
        (SELECT max(1 + (adjustment_format IS '\(SidecarFacts.slowMotionFormat)'))
          FROM asset_sidecars JOIN sidecars ON sidecars.file_id = asset_sidecars.file_id
          WHERE asset_sidecars.asset_id = assets.id AND sidecars.kind = 'adjustmentData')
      FROM \(source)
      CROSS JOIN folders ON folders.id = files.folder_id CROSS JOIN roots ON roots.id = folders.root_id
      CROSS JOIN origins ON origins.id = assets.origin_id
      LEFT JOIN capture_sources ON capture_sources.id = assets.capture_source_id
      LEFT JOIN asset_details ON asset_details.asset_id = assets.id
      WHERE \(condition) ORDER BY assets.id
      """, arguments, SettlingRecord.init)
  }

  /// Names the burst that an asset belongs to.
  package func setBurstIdentifier(_ identifier: String?, asset: Int64) throws {
    try execute(
      "UPDATE assets SET burst_identifier = ? WHERE id = ?",
      [identifier.map(StoredIdentifier.init), asset])
  }

  /// The number of live photos, which are stills with a clip in another file.
  package func pairCount() throws -> Int {
    try count(
      "SELECT COUNT(*) FROM facets WHERE facet = ?", [Int64(MediaSubtypes.livePhoto.rawValue)])
  }
}

extension SettlingRecord {
  /// Reads the columns of ``CatalogTransaction/settlingRecords(folder:)``.
  fileprivate init(_ row: Row) {
    let (root, folder, name): (BytePath, BytePath, BytePath) = (row[2], row[3], row[4])
    let clues: String? = row[17]
    let adjustments: Int? = row[21]
    self.init(
      assetID: row[0], folderID: row[1], folderPath: root.appending(folder.bytes),
      name: name.bytes, mediaType: MediaType(isVideo: row[5]),
      uniformType: UniformType(rawValue: row[6]), subtypes: MediaSubtypes(rawValue: row[7]),
      contentIdentifier: (row[8] as StoredIdentifier?)?.text,
      burstIdentifier: (row[9] as StoredIdentifier?)?.text, captureWall: row[10],
      captureOffset: row[11], captureSource: row[12], model: row[13], duration: row[14],
      size: row[15], embeddedClipLength: row[16],
      clues: clues?.split(separator: "\n").map { Clue(line: $0) } ?? [], isMissing: row[18],
      absorbedBy: row[19], absorbedWhy: row[20], hasAdjustments: adjustments != nil,
      hasSlowMotion: adjustments == 2)
  }
}
