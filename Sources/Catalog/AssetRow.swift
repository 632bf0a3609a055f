import GRDB
import MediaModel

/// The columns an ``Asset`` is read from, and the reading.
///
/// The order of ``columns`` and of the indices below must be the same: columns are read by number,
/// since finding each by name would cost more than reading it.
enum AssetRow {
  /// `a` is `assets`, `f` is `files`, `d` is `folders`, `r` is `roots`.
  static let columns = """
    a.id, a.identifier, a.media_type, a.subtypes, a.uniform_type, f.declared_type, r.path, d.path,
    f.name, a.size, f.modified, a.pixel_width, a.pixel_height, a.orientation, a.duration,
    a.capture_wall, a.capture_date, a.capture_source, a.latitude, a.longitude, a.altitude, a.make,
    a.model, a.lens, a.software, a.exposure_time, a.f_number, a.iso, a.focal_length,
    a.focal_length_35mm, a.video_codec, a.frame_rate, a.dynamic_range, a.audio_codec, a.title,
    a.caption, a.rating, a.content_identifier, a.burst_identifier, a.clip_evidence, a.status,
    f.error, a.warnings, a.added_date, a.is_duplicate
    """

  /// ``columns``, and behind them whether the parts asked for hold anything: most assets have no
  /// keywords, no file but their own and no labels, and asking here costs a tenth of a statement each.
  static func columns(with parts: AssetParts) -> String {
    let hasKeywords = "EXISTS (SELECT 1 FROM keywords WHERE asset_id = a.id)"
    let hasOthers = """
      EXISTS (SELECT 1 FROM resources AS s WHERE s.asset_id = a.id \
      AND (s.file_id <> a.file_id OR s.offset IS NOT NULL))
      """
    let hasLabels = "EXISTS (SELECT 1 FROM labels WHERE asset_id = a.id)"
    return columns + ", \(parts.contains(.keywords) ? hasKeywords : "0")"
      + ", \(parts.contains(.resources) ? hasOthers : "0")"
      + ", \(parts.contains(.labels) ? hasLabels : "0")"
  }

  /// An asset of ``columns(with:)``, complete with those parts.
  static func asset(
    _ row: Row, with parts: AssetParts, from database: Database
  ) throws -> Asset {
    var asset = asset(row)
    if row[45] { asset.keywords = try keywords(of: asset.rowID, from: database) }
    if row[46] {
      asset.resources = try resources(of: asset.rowID, from: database)
    } else if parts.contains(.resources) {
      asset.resources = [asset.ownResource]
    }
    if row[47] { asset.labels = try labels(of: asset.rowID, from: database) }
    return asset
  }

  static func asset(_ row: Row) -> Asset {
    Asset(
      rowID: row[0], identifier: row[1], mediaType: (row[2] as String) == "video" ? .video : .image,
      subtypes: MediaSubtypes(rawValue: row[3]), uniformType: UniformType(rawValue: row[4]),
      declaredType: (row[5] as String?).map(UniformType.init(rawValue:)),
      path: path(row, root: 6, folder: 7, name: 8), size: row[9], modified: row[10],
      pixelSize: pixelSize(row), orientation: row[13], duration: row[14], captureWall: row[15],
      captureDate: row[16], captureSource: row[17], location: location(row),
      camera: Camera(make: row[21], model: row[22], lens: row[23], software: row[24]),
      exposure: Exposure(
        time: row[25], fNumber: row[26], iso: row[27], focalLength: row[28],
        focalLengthIn35mm: row[29]),
      video: VideoProperties(
        codec: row[30], frameRate: row[31],
        dynamicRange: (row[32] as String?).flatMap(DynamicRange.init(rawValue:)),
        audioCodec: row[33]),
      title: row[34], caption: row[35], rating: row[36], contentIdentifier: row[37],
      burstIdentifier: row[38], clipEvidence: row[39],
      status: AssetStatus(rawValue: row[40]) ?? .present, error: row[41], warnings: lines(row[42]),
      added: row[43], isDuplicate: row[44])
  }

  /// A file's path out of the three columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int, name: Int) -> BytePath {
    let parts = [root, folder, name].map { BytePath.fromDatabaseValue(row[$0])?.bytes ?? [] }
    return BytePath(bytes: parts[0]).appending(parts[1]).appending(parts[2])
  }

  /// A folder's path out of the two columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int) -> BytePath {
    let parts = [root, folder].map { BytePath.fromDatabaseValue(row[$0])?.bytes ?? [] }
    return parts[1].isEmpty
      ? BytePath(bytes: parts[0]) : BytePath(bytes: parts[0]).appending(parts[1])
  }

  private static func pixelSize(_ row: Row) -> PixelSize? {
    guard let width = row[11] as Int?, let height = row[12] as Int? else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func location(_ row: Row) -> Location? {
    guard let latitude = row[18] as Double?, let longitude = row[19] as Double? else { return nil }
    return Location(latitude: latitude, longitude: longitude, altitude: row[20])
  }

  private static func lines(_ text: String?) -> [String] {
    text.map { $0.split(separator: "\n").map(String.init) } ?? []
  }
}

extension Asset {
  /// The asset's own file as its first resource.
  fileprivate var ownResource: AssetResource {
    AssetResource(
      type: mediaType == .image ? .photo : .video, path: path, uniformType: uniformType, size: size)
  }
}

extension AssetRow {
  private static func keywords(of rowID: Int64, from database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(sql: "SELECT keyword FROM keywords WHERE asset_id = ?"),
      arguments: [rowID])
  }

  private static func labels(of rowID: Int64, from database: Database) throws -> [Label] {
    let statement = try database.cachedStatement(
      sql: "SELECT subtype, is_given, score, evidence FROM labels WHERE asset_id = ?")
    let rows = try Row.fetchCursor(statement, arguments: [rowID])
    var labels: [Label] = []
    while let row = try rows.next() {
      let name: String = row[0]
      guard let subtype = MediaSubtypes(name: name) else { continue }
      labels.append(
        Label(subtype, isGiven: row[1], score: row[2], evidence: lines(row[3] as String?)))
    }
    return labels.sorted { $0.subtype.rawValue < $1.subtype.rawValue }
  }

  private static let resourcesSQL = """
    SELECT r.path, d.path, f.name, s.type, s.uniform_type, f.size, s.offset, s.length
    FROM resources AS s CROSS JOIN files AS f ON f.id = s.file_id
    CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
    WHERE s.asset_id = ?
    """

  private static func resources(of rowID: Int64, from database: Database) throws -> [AssetResource]
  {
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: resourcesSQL), arguments: [rowID])
    var resources: [AssetResource] = []
    while let row = try rows.next() {
      guard let type = ResourceType(rawValue: row[3]) else { continue }
      let range = (row[6] as Int64?).flatMap { offset in
        (row[7] as Int64?).map { ResourceRange(offset: offset, length: $0) }
      }
      resources.append(
        AssetResource(
          type: type, path: AssetRow.path(row, root: 0, folder: 1, name: 2),
          uniformType: UniformType(rawValue: row[4]), size: range?.length ?? row[5], range: range))
    }
    guard resources.count > 1 else { return resources }
    return ResourceType.allCases.flatMap { type in resources.filter { $0.type == type } }
  }
}
