import GRDB
package import MediaModel

/// When a picture was taken, as far as settling compares it.
package struct SettlingTime: Sendable, Hashable {
  /// Milliseconds on the wall clock, and minutes east of UTC.
  package let wall: Int64
  package let offset: Int?
  /// Which tags the time came from.
  package let source: String
}

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
  /// The time with what sidecars have set, without an inferred zone.
  package let time: SettlingTime?
  /// The time of the file itself.
  package let ownTime: SettlingTime?
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
  package let absorbedAs: ResourceType?
  package let absorbedWhy: String?
  /// Whether sidecars have set values of it.
  package let hasSidecarValues: Bool
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

  /// Every asset, missing ones too, whose file is or was in this family.
  package func settlingRecords(_ family: FamilyReference) throws -> [SettlingRecord] {
    try settlingRecords(
      "files INDEXED BY files_by_family CROSS JOIN assets ON assets.id = files.id",
      "files.folder_id = ? AND files.family = ?", [family.folder, family.family])
  }

  private func settlingRecords(
    _ source: String, _ condition: String, _ arguments: StatementArguments
  ) throws -> [SettlingRecord] {
    try rows(
      """
      SELECT assets.id, files.folder_id, roots.path, folders.path, files.name, is_video, uniform_type,
        subtypes, content_identifier, burst_identifier, capture_wall, capture_offset,
        capture_sources.name, model, duration, files.size, clip_length, clues,
        is_missing OR is_unreadable, absorbed_by, absorbed_why, absorbed_as, embedded_values
      FROM \(source)
      CROSS JOIN folders ON folders.id = files.folder_id CROSS JOIN roots ON roots.id = folders.root_id
      CROSS JOIN origins ON origins.id = assets.origin_id
      LEFT JOIN capture_sources ON capture_sources.id = assets.capture_source_id
      LEFT JOIN asset_details ON asset_details.asset_id = assets.id
      WHERE \(condition) ORDER BY assets.id
      """, arguments
    ) { row in
      try SettlingRecord(row) { id in
        try rows("SELECT name FROM capture_sources WHERE id = ?", [id]) { $0[0] as String }.first
      }
    }
  }

  /// The labels of assets, given or nearly, by asset.
  package func labels(ofAssets assets: [Int64]) throws -> [Int64: [Label]] {
    let found = try rows(
      "SELECT asset_id, subtype, is_given, score, evidence FROM labels WHERE asset_id IN (\(RowSet.sql))",
      [RowSet(assets).argument]
    ) { row -> (asset: Int64, label: Label)? in
      guard let subtype = MediaSubtypes(name: row[1]) else { return nil }
      let evidence: String = row[4]
      return (
        row[0],
        Label(
          subtype, isGiven: row[2], score: row[3],
          evidence: evidence.split(separator: "\n").map(String.init))
      )
    }
    return Dictionary(grouping: found.compactMap(\.self), by: \.asset)
      .mapValues { $0.map(\.label) }
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
  /// Reads the columns of ``CatalogTransaction/settlingRecords(_:)``.
  ///
  /// - Parameter source: the name of a capture source by its row.
  fileprivate init(_ row: Row, source: (Int64) throws -> String?) throws {
    let (root, folder, name): (BytePath, BytePath, BytePath) = (row[2], row[3], row[4])
    let clues: String? = row[17]
    let time = (row[10] as Int64?).map { wall -> SettlingTime in
      let (offset, source): (Int?, String) = (row[11], row[12] ?? "")
      let own = ZoneKnowledge.own(wall: wall, offset: offset, source: source)
      let time = own ?? (wall, offset, source)
      return SettlingTime(wall: time.wall, offset: time.offset, source: time.source)
    }
    var ownTime = time
    if let json: String = row[22] {
      let values = try EmbeddedValues(json: json).columns
      if let wall = values[.captureWall] {
        let sourceID = values[.captureSource].flatMap(Int64.fromDatabaseValue)
        ownTime = try Int64.fromDatabaseValue(wall).map {
          SettlingTime(
            wall: $0, offset: values[.captureOffset].flatMap(Int.fromDatabaseValue),
            source: try sourceID.flatMap(source) ?? "")
        }
      }
    }
    self.init(
      assetID: row[0], folderID: row[1], folderPath: root.appending(folder.bytes),
      name: name.bytes, mediaType: MediaType(isVideo: row[5]),
      uniformType: UniformType(rawValue: row[6]), subtypes: MediaSubtypes(rawValue: row[7]),
      contentIdentifier: (row[8] as StoredIdentifier?)?.text,
      burstIdentifier: (row[9] as StoredIdentifier?)?.text, time: time, ownTime: ownTime,
      model: row[13], duration: row[14], size: row[15], embeddedClipLength: row[16],
      clues: clues?.split(separator: "\n").map { Clue(line: $0) } ?? [], isMissing: row[18],
      absorbedBy: row[19], absorbedAs: (row[21] as String?).flatMap(ResourceType.init(rawValue:)),
      absorbedWhy: row[20], hasSidecarValues: row[22] as String? != nil)
  }
}
