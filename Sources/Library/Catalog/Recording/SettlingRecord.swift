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
    try !rows(
      """
      SELECT 1 FROM assets WHERE content_identifier = ? AND media_type = ? AND status = 'present'
      LIMIT 1
      """, [identifier, type]
    ) { row -> Int in row[0] }.isEmpty
  }

  /// Every asset, missing ones too, with this identifier.
  package func settlingRecords(identifier: String) throws -> [SettlingRecord] {
    try settlingRecords("assets.content_identifier = ?", [identifier])
  }

  /// Every asset, missing ones too, whose file is or was in this folder.
  package func settlingRecords(folder: Int64) throws -> [SettlingRecord] {
    try settlingRecords("files.folder_id = ?", [folder])
  }

  private func settlingRecords(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [SettlingRecord] {
    try rows(
      """
      SELECT assets.id, files.folder_id, files.name, media_type, uniform_type, subtypes,
        content_identifier, burst_identifier, capture_wall, capture_offset, duration, clues,
        assets.status <> 'present', absorbed_by, absorbed_why,
        EXISTS (SELECT 1 FROM resources
          WHERE asset_id = assets.id AND type = 'adjustmentData'), roots.path, folders.path,
        files.size, assets.clip_length, capture_source, model,
        EXISTS (SELECT 1 FROM resources JOIN sidecars ON sidecars.file_id = resources.file_id
          WHERE asset_id = assets.id AND type = 'adjustmentData'
            AND sidecars.adjustment_format = '\(SidecarFacts.slowMotionFormat)')
      FROM files JOIN assets ON assets.file_id = files.id
      JOIN folders ON folders.id = files.folder_id JOIN roots ON roots.id = folders.root_id
      WHERE \(condition) ORDER BY assets.id
      """, arguments
    ) { row in
      let name: BytePath = row[2]
      let clues: String? = row[11]
      let (root, folder): (BytePath, BytePath) = (row[16], row[17])
      return SettlingRecord(
        assetID: row[0], folderID: row[1], folderPath: root.appending(folder.bytes),
        name: name.bytes,
        mediaType: row[3], uniformType: UniformType(rawValue: row[4]),
        subtypes: MediaSubtypes(rawValue: row[5]), contentIdentifier: row[6],
        burstIdentifier: row[7], captureWall: row[8], captureOffset: row[9],
        captureSource: row[20], model: row[21], duration: row[10],
        size: row[18], embeddedClipLength: row[19],
        clues: clues?.split(separator: "\n").map { Clue(line: $0) } ?? [], isMissing: row[12],
        absorbedBy: row[13], absorbedWhy: row[14], hasAdjustments: row[15],
        hasSlowMotion: row[22])
    }
  }

  /// Names the burst that an asset belongs to.
  package func setBurstIdentifier(_ identifier: String?, asset: Int64) throws {
    try execute("UPDATE assets SET burst_identifier = ? WHERE id = ?", [identifier, asset])
  }

  /// The number of live photos, which are stills with a clip in another file. An index contains them.
  package func pairCount() throws -> Int {
    let counts = try rows(
      """
      SELECT COUNT(*) FROM assets
      WHERE subtypes & \(MediaSubtypes.livePhoto.rawValue) <> 0
        AND absorbed_by IS NULL AND status <> 'missing'
      """
    ) { row -> Int in row[0] }
    return counts.first ?? 0
  }
}
