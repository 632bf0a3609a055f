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
  /// Whether edit instructions lie beside it.
  package let hasAdjustments: Bool
}

extension CatalogTransaction {
  /// Notes that a file's folder, its asset's identifier and its copies have to be settled anew.
  func unsettle(file id: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_folders SELECT folder_id FROM files WHERE id = ?
      """, [id])
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE file_id = ? AND content_identifier IS NOT NULL
      """, [id])
    try unsettleCopies(ofFile: id)
  }

  /// Notes that an identifier has to be settled anew.
  func unsettle(identifier: String) throws {
    try execute("INSERT OR IGNORE INTO unsettled_identifiers VALUES (?)", [identifier])
  }

  /// Notes that an asset's identifier has to be settled anew, as when its time has changed.
  package func unsettleIdentifier(ofAsset asset: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_identifiers SELECT content_identifier FROM assets
      WHERE id = ? AND content_identifier IS NOT NULL
      """, [asset])
  }

  /// Notes that a folder has to be settled anew.
  package func unsettle(folder id: Int64) throws {
    try execute("INSERT OR IGNORE INTO unsettled_folders VALUES (?)", [id])
  }

  /// Whether a picture (or a video) with this identifier is there.
  package func hasPresent(_ type: MediaType, identifier: String) throws -> Bool {
    try !rows(
      """
      SELECT 1 FROM assets WHERE content_identifier = ? AND media_type = ? AND status = 'present'
      LIMIT 1
      """, [identifier, type]
    ) { row -> Int in row[0] }.isEmpty
  }

  /// Some of the identifiers that have to be settled; empty when all are.
  package func unsettledIdentifiers(limit: Int) throws -> [String] {
    try rows("SELECT content_identifier FROM unsettled_identifiers LIMIT ?", [limit]) { $0[0] }
  }

  /// Some of the folders that have to be settled; empty when all are.
  package func unsettledFolders(limit: Int) throws -> [Int64] {
    try rows("SELECT folder_id FROM unsettled_folders LIMIT ?", [limit]) { $0[0] }
  }

  package func markSettled(identifier: String) throws {
    try execute("DELETE FROM unsettled_identifiers WHERE content_identifier = ?", [identifier])
  }

  package func markSettled(folder: Int64) throws {
    try execute("DELETE FROM unsettled_folders WHERE folder_id = ?", [folder])
  }

  /// Every asset, missing ones too, with this identifier.
  package func settlingRecords(identifier: String) throws -> [SettlingRecord] {
    try settlingRecords("assets.content_identifier = ?", [identifier])
  }

  /// Every asset, missing ones too, whose file lies or lay in this folder.
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
        files.size, assets.clip_length
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
        burstIdentifier: row[7], captureWall: row[8], captureOffset: row[9], duration: row[10],
        size: row[18], embeddedClipLength: row[19],
        clues: clues?.split(separator: "\n").map { Clue(line: $0) } ?? [], isMissing: row[12],
        absorbedBy: row[13], absorbedWhy: row[14], hasAdjustments: row[15])
    }
  }

  /// Why a clip belongs to a still that holds the same clip: it makes no live photo of it.
  package static let embeddedClip = "embeddedClip"

  /// Makes an asset a resource of another, so that it is no longer listed by itself.
  ///
  /// - Parameter type: the resource it becomes: `pairedVideo`, `alternatePhoto`, `fullSizePhoto`.
  package func absorb(_ asset: Int64, into owner: Int64, as type: String, why: String) throws {
    try execute(
      "UPDATE assets SET absorbed_by = ?, absorbed_as = ?, absorbed_why = ? WHERE id = ?",
      [owner, type, why, asset])
    try execute(
      """
      INSERT OR REPLACE INTO resources (asset_id, type, file_id, uniform_type)
      SELECT ?, ?, file_id, uniform_type FROM assets WHERE id = ?
      """, [owner, type, asset])
    try unsettleCopies(ofAsset: owner)
    if type == "pairedVideo", why != Self.embeddedClip {
      try execute(
        "UPDATE assets SET duration = (SELECT duration FROM assets WHERE id = ?) WHERE id = ?",
        [asset, owner])
    }
  }

  /// Makes an absorbed asset stand for itself again; a still whose clip that was is no live photo then.
  package func release(_ asset: Int64, from owner: Int64) throws {
    let ties = try rows("SELECT absorbed_as, absorbed_why FROM assets WHERE id = ?", [asset]) {
      row -> (type: String?, why: String?) in (row[0], row[1])
    }
    if let tie = ties.first, tie.type == "pairedVideo", tie.why != Self.embeddedClip {
      try removeLabel(.livePhoto, asset: owner)
      try execute("UPDATE assets SET duration = NULL WHERE id = ?", [owner])
    }
    try execute(
      "UPDATE assets SET absorbed_by = NULL, absorbed_as = NULL, absorbed_why = NULL WHERE id = ?",
      [asset])
    try execute(
      """
      DELETE FROM resources WHERE asset_id = ?
        AND type IN ('pairedVideo', 'alternatePhoto', 'fullSizePhoto')
        AND file_id = (SELECT file_id FROM assets WHERE id = ?)
      """, [owner, asset])
    try unsettleCopies(ofAsset: owner)
  }

  /// The assets that have become resources of another.
  package func absorbedAssets(by owner: Int64) throws -> [Int64] {
    try rows("SELECT id FROM assets WHERE absorbed_by = ?", [owner]) { $0[0] }
  }

  /// Parts a file's asset from all that it is tied to, because the file changes, moves or is gone: what
  /// it was to others is settled anew, there as well as here.
  func part(file id: Int64) throws {
    let ties = try rows(
      """
      SELECT id, absorbed_by FROM assets WHERE file_id = ? AND absorbed_by IS NOT NULL
      UNION SELECT id, absorbed_by FROM assets
      WHERE absorbed_by = (SELECT id FROM assets WHERE file_id = ?)
      """, [id, id]
    ) { row -> (member: Int64, owner: Int64) in (row[0], row[1]) }
    for tie in ties {
      try execute(
        """
        INSERT OR IGNORE INTO unsettled_folders SELECT folder_id FROM files
        JOIN assets ON assets.file_id = files.id WHERE assets.id IN (?, ?)
        """, [tie.member, tie.owner])
      try release(tie.member, from: tie.owner)
    }
  }

  /// Parts the halves of live photos of which one lies in this root and the other in another.
  func partRoot(_ root: Int64) throws {
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
      try unsettle(file: file)
      try part(file: file)
    }
  }

  /// Names the burst that an asset belongs to.
  package func setBurstIdentifier(_ identifier: String?, asset: Int64) throws {
    try execute("UPDATE assets SET burst_identifier = ? WHERE id = ?", [identifier, asset])
  }

  /// How many live photos the catalog has: stills whose clip is a file of its own. An index holds them.
  package func pairCount() throws -> Int {
    let counts = try rows(
      """
      SELECT COUNT(*) FROM assets
      WHERE subtypes & \(MediaSubtypes.livePhoto.rawValue) <> 0 AND absorbed_by IS NULL AND status <> 'missing'
      """
    ) { row -> Int in row[0] }
    return counts.first ?? 0
  }
}
