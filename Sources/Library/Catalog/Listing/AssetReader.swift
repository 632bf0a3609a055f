import GRDB
import MediaModel
package import Query

extension Catalog {
  /// Calls `body` with every matching asset in turn. Only one asset is in memory at a time.
  ///
  /// - Throws: ``CatalogError``, or whatever `body` throws, which ends the listing.
  package func forEachAsset(
    matching filter: AssetFilter, in order: AssetOrder = AssetOrder(),
    with parts: AssetParts = .all,
    _ body: (Asset) throws -> Void
  ) throws {
    try read { transaction in
      let database = transaction.database
      let (sql, arguments) = try AssetQuery(
        filter, order: order, reading: .files, in: database
      ).listing(AssetRow.columns)
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      let reader = AssetReader(database, parts: parts)
      while let row = try rows.next() { try body(reader.asset(row)) }
    }
  }
}

/// The columns an ``Asset`` is read from, and the reading.
///
/// The order of ``columns`` and of the indices below must be the same: columns are read by number,
/// since finding each by name would cost more than reading it.
enum AssetRow {
  /// `a` is `assets`, `f` is `files`. A folder's path is looked up once for all of its files, see
  /// ``AssetReader``.
  static let columns = """
    a.id, a.identifier, a.media_type, a.subtypes, a.uniform_type, f.declared_type, f.folder_id,
    f.name, a.size, f.modified, a.pixel_width, a.pixel_height, a.orientation, a.duration,
    a.capture_wall, a.capture_date, a.capture_source, a.latitude, a.longitude, a.altitude, a.make,
    a.model, a.lens, a.software, a.exposure_time, a.f_number, a.iso, a.focal_length,
    a.focal_length_35mm, a.video_codec, a.frame_rate, a.dynamic_range, a.audio_codec, a.title,
    a.caption, a.rating, a.content_identifier, a.burst_identifier, a.clip_evidence, a.status,
    f.error, a.warnings, a.added_date, a.is_duplicate,
    CASE WHEN a.is_duplicate <> 0 THEN lower(hex(f.content_digest)) END
    """

  /// The columns of an asset's folder and of its file's name.
  static let folder = 6
  static let name = 7

  static func asset(_ row: Row, at path: BytePath) -> Asset {
    Asset(
      rowID: row[0], identifier: row[1], mediaType: row[2],
      subtypes: MediaSubtypes(rawValue: row[3]), uniformType: UniformType(rawValue: row[4]),
      declaredType: (row[5] as String?).map(UniformType.init(rawValue:)), path: path,
      size: row[8], modified: row[9], pixelSize: pixelSize(row), orientation: row[12],
      duration: row[13], captureWall: row[14], captureDate: row[15], captureSource: row[16],
      location: location(row),
      camera: Camera(make: row[20], model: row[21], lens: row[22], software: row[23]),
      exposure: Exposure(
        time: row[24], fNumber: row[25], iso: row[26], focalLength: row[27],
        focalLengthIn35mm: row[28]),
      video: VideoProperties(
        codec: row[29], frameRate: row[30],
        dynamicRange: (row[31] as String?).flatMap(DynamicRange.init(rawValue:)),
        audioCodec: row[32]),
      title: row[33], caption: row[34], rating: row[35], contentIdentifier: row[36],
      burstIdentifier: row[37], clipEvidence: row[38],
      status: AssetStatus(rawValue: row[39]) ?? .present, error: row[40], warnings: lines(row[41]),
      added: row[42], isDuplicate: row[43], duplicateSet: row[44])
  }

  /// A file's path out of the three columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int, name: Int) -> BytePath {
    path(row, root: root, folder: folder).appending(bytes(row[name]))
  }

  /// A folder's path out of the two columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int) -> BytePath {
    BytePath(bytes: bytes(row[root])).appending(bytes(row[folder]))
  }

  static func bytes(_ value: DatabaseValue) -> [UInt8] {
    BytePath.fromDatabaseValue(value)?.bytes ?? []
  }

  /// Splits a text into its lines.
  static func lines(_ text: String?) -> [String] {
    text.map { $0.split(separator: "\n").map(String.init) } ?? []
  }

  private static func pixelSize(_ row: Row) -> PixelSize? {
    guard let width = row[10] as Int?, let height = row[11] as Int? else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func location(_ row: Row) -> Location? {
    guard let latitude = row[17] as Double?, let longitude = row[18] as Double? else { return nil }
    return Location(latitude: latitude, longitude: longitude, altitude: row[19])
  }
}

/// Reads assets out of the rows of one listing, with their parts.
///
/// Data that many rows share is looked up once instead of joined to each row: folder paths, and which assets
/// have parts. That makes a full listing a third faster.
final class AssetReader {
  private let database: Database
  private let parts: AssetParts
  private var holders: PartHolders
  private var folders: [Int64: BytePath] = [:]
  private var lastFolder: (id: Int64, path: BytePath)?
  /// Folders kept in memory.
  private static let mostFolders = 4096

  init(_ database: Database, parts: AssetParts = []) {
    self.database = database
    self.parts = parts
    holders = PartHolders(database)
  }

  /// The asset of a row of ``AssetRow/columns``.
  func asset(_ row: Row) throws -> Asset {
    let folder = try path(ofFolder: row[AssetRow.folder])
    var asset = AssetRow.asset(row, at: Self.path(of: row[AssetRow.name], in: folder))
    guard !parts.isEmpty else { return asset }
    let held = try holders.parts(ofAsset: asset.rowID).intersection(parts)
    if held.contains(.keywords) { asset.keywords = try keywords(of: asset.rowID) }
    if held.contains(.resources) {
      asset.resources = try resources(of: asset.rowID)
    } else if parts.contains(.resources) {
      asset.resources = [asset.ownResource]
    }
    if held.contains(.labels) { asset.labels = try labels(of: asset.rowID) }
    return asset
  }

  private static func path(of name: DatabaseValue, in folder: BytePath) -> BytePath {
    guard case .string(let text) = name.storage, let last = folder.bytes.last else {
      return folder.appending(AssetRow.bytes(name))
    }
    let slash = UInt8(ascii: "/")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(folder.bytes.count + 1 + text.utf8.count)
    bytes.append(contentsOf: folder.bytes)
    if last != slash { bytes.append(slash) }
    bytes.append(contentsOf: text.utf8)
    return BytePath(bytes: bytes)
  }

  /// A folder's full path. Assets taken together are mostly in one folder.
  private func path(ofFolder id: Int64) throws -> BytePath {
    if let lastFolder, lastFolder.id == id { return lastFolder.path }
    if let path = folders[id] {
      lastFolder = (id, path)
      return path
    }
    if folders.count >= Self.mostFolders { folders.removeAll(keepingCapacity: true) }
    let path = try lookUp(folder: id)
    folders[id] = path
    lastFolder = (id, path)
    return path
  }

  private func lookUp(folder id: Int64) throws -> BytePath {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT r.path, d.path FROM folders AS d JOIN roots AS r ON r.id = d.root_id WHERE d.id = ?
          """), arguments: [id])
    return row.map { AssetRow.path($0, root: 0, folder: 1) } ?? BytePath(bytes: [])
  }
}

extension AssetReader {
  private func keywords(of rowID: Int64) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(sql: "SELECT keyword FROM keywords WHERE asset_id = ?"),
      arguments: [rowID])
  }

  private func labels(of rowID: Int64) throws -> [Label] {
    let statement = try database.cachedStatement(
      sql: "SELECT subtype, is_given, score, evidence FROM labels WHERE asset_id = ?")
    let rows = try Row.fetchCursor(statement, arguments: [rowID])
    var labels: [Label] = []
    while let row = try rows.next() {
      let name: String = row[0]
      guard let subtype = MediaSubtypes(name: name) else { continue }
      labels.append(
        Label(subtype, isGiven: row[1], score: row[2], evidence: AssetRow.lines(row[3])))
    }
    return labels.sorted { $0.subtype.rawValue < $1.subtype.rawValue }
  }

  /// The files of an asset: its own, then those of the files it has absorbed, which are the clip of an edited
  /// picture and the sidecars of clips, RAW files and edited pictures.
  private func resources(of rowID: Int64) throws -> [AssetResource] {
    var resources = try resources(
      """
      SELECT f.folder_id, f.name, s.type, s.uniform_type, f.size, s.offset, s.length, NULL, NULL
      FROM resources AS s CROSS JOIN files AS f ON f.id = s.file_id WHERE s.asset_id = ?
      """, rowID)
    guard resources.count > 1 else { return resources }
    if resources.contains(where: \.mayHaveOwnFiles) {
      let more = try self.resources(
        """
        SELECT f.folder_id, f.name, s.type, s.uniform_type, f.size, s.offset, s.length,
          p.folder_id, p.name
        FROM assets AS m CROSS JOIN files AS p ON p.id = m.file_id
        CROSS JOIN resources AS s ON s.asset_id = m.id CROSS JOIN files AS f ON f.id = s.file_id
        WHERE m.absorbed_by = ? AND s.type IN ('pairedVideo', 'adjustmentData', 'sidecar')
        """, rowID)
      // An edited picture may share a sidecar with its original.
      resources += more.filter { file in
        file.type == .pairedVideo || !resources.contains { $0.path == file.path }
      }
    }
    // A clip inside the picture before a copy of it next to the picture, and edited versions' clips last.
    resources =
      resources.filter { $0.owner == nil && $0.range != nil }
      + resources.filter { $0.owner == nil && $0.range == nil }
      + resources.filter { $0.owner != nil }
    return ResourceType.allCases.flatMap { type in resources.filter { $0.type == type } }
  }

  /// The resources that a statement finds for an asset.
  private func resources(_ statement: String, _ rowID: Int64) throws -> [AssetResource] {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: statement), arguments: [rowID])
    var resources: [AssetResource] = []
    while let row = try rows.next() {
      guard let type = ResourceType(rawValue: row[2]) else { continue }
      let range = (row[5] as Int64?).flatMap { offset in
        (row[6] as Int64?).map { ResourceRange(offset: offset, length: $0) }
      }
      let owner = try (row[7] as Int64?).map { Self.path(of: row[8], in: try path(ofFolder: $0)) }
      resources.append(
        AssetResource(
          type: type, path: Self.path(of: row[1], in: try path(ofFolder: row[0])),
          uniformType: UniformType(rawValue: row[3]), size: range?.length ?? row[4], range: range,
          owner: owner))
    }
    return resources
  }
}

extension AssetResource {
  /// Whether it was an asset of its own before it became a resource, so that it may have files itself.
  fileprivate var mayHaveOwnFiles: Bool {
    switch type {
    case .alternatePhoto, .fullSizePhoto: true
    case .pairedVideo: range == nil
    case .photo, .video, .adjustmentData, .sidecar: false
    }
  }
}

extension Asset {
  /// The asset's own file as its first resource.
  fileprivate var ownResource: AssetResource {
    AssetResource(
      type: mediaType == .image ? .photo : .video, path: path, uniformType: uniformType, size: size)
  }
}
