import GRDB
package import MediaModel
package import Query

extension Catalog {
  /// The assets that are read in one transaction.
  private static let batchSize = 250

  /// Calls `body` with every matching asset in turn. A few hundred assets are in memory at a time, and the ids of all.
  ///
  /// `body` may wait as long as it likes, for example while a pager shows the first page: no transaction is open
  /// then, which would keep SQLite from reusing its write-ahead log. Which assets are listed, and in which order, is
  /// that of the beginning; an asset that is deleted meanwhile is left out.
  ///
  /// - Throws: ``CatalogError``, or whatever `body` throws, which ends the listing.
  package func forEachAsset(
    matching filter: AssetFilter, in order: AssetOrder = AssetOrder(),
    with parts: AssetParts = .all,
    _ body: (AssetRecord) throws -> Void
  ) throws {
    let reader = AssetReader(parts: parts)
    if let limit = order.limit, limit <= Self.batchSize {
      let page = try read { transaction in
        let database = transaction.database
        let (sql, arguments) = try AssetQuery(
          filter, order: order, reading: AssetRow.tables(with: parts), in: database
        ).listing(AssetRow.columns(with: parts))
        return try reader.assets(
          Row.fetchCursor(database, sql: sql, arguments: arguments), in: database)
      }
      return try page.forEach(body)
    }
    let ids = try read { transaction in
      let (sql, arguments) = try AssetQuery(
        filter, order: order, reading: [], in: transaction.database
      ).ids()
      return try Int64.fetchAll(transaction.database, sql: sql, arguments: arguments)
    }
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      let batch = ids[start..<min(start + Self.batchSize, ids.count)]
      try read { try reader.assets(batch, in: $0.database) }.forEach(body)
    }
  }
}

/// The columns an ``AssetRecord`` is read from, and the reading.
///
/// The order of ``columns`` and of the indices below must be the same: columns are read by number,
/// since finding each by name would cost more than reading it.
enum AssetRow {
  /// `a` is `assets`, `f` is `files`. A folder's path, an origin and a capture source are looked up once for all
  /// assets that share them, see ``AssetReader``.
  private static let ownColumns = """
    a.id, a.identifier, a.is_video, a.subtypes, a.origin_id, f.declared_type, a.folder_id, f.name, a.size,
    f.modified, a.pixel_width, a.pixel_height, a.orientation, a.duration, a.capture_wall, a.capture_offset,
    a.capture_fraction, a.capture_source_id, a.latitude, a.longitude, a.altitude, a.frame_rate, a.title,
    a.caption, a.rating, a.content_identifier, a.burst_identifier, a.is_missing, a.is_unreadable, f.error,
    a.added_date, a.is_duplicate, CASE WHEN a.is_duplicate THEN lower(hex(f.content_digest)) END, a.revision, a.is_favorite,
    a.capture_zone_evidence, a.label, a.pick
    """

  /// `e` is `asset_details`.
  private static let detailColumns = [
    "exposure_time", "f_number", "iso", "focal_length", "focal_length_35mm", "clip_evidence",
    "warnings",
  ]

  /// With the details, or NULL in their places.
  static func columns(with parts: AssetParts) -> String {
    let details = detailColumns.map { parts.contains(.details) ? "e.\($0)" : "NULL" }
    return ([ownColumns] + details).joined(separator: ", ")
  }

  /// The tables of ``columns(with:)``.
  static func tables(with parts: AssetParts) -> JoinedTables {
    parts.contains(.details) ? [.files, .details] : .files
  }

  static let origin = 4
  static let folder = 6
  static let name = 7
  static let captureSource = 17
  private static let firstDetail = 38

  static func asset(_ row: Row, at path: BytePath, _ origin: Origin, captureSource: String)
    -> AssetRecord
  {
    let identifier: StoredIdentifier = row[1]
    let wall: Int64? = row[14]
    var asset = AssetRecord(
      rowID: row[0], identifier: identifier.text, mediaType: MediaType(isVideo: row[2]),
      subtypes: MediaSubtypes(rawValue: row[3]),
      uniformType: UniformType(rawValue: origin.uniformType),
      declaredType: (row[5] as String?).map(UniformType.init(rawValue:)), path: path,
      size: row[8], modified: row[9], pixelSize: pixelSize(row), orientation: row[12],
      duration: row[13],
      captureTime: CaptureTimeColumns.time(
        wall: wall, offset: row[15], fraction: row[16], source: captureSource),
      timeZoneEvidence: row[35],
      location: location(row),
      camera: Camera(
        make: origin.make, model: origin.model, lens: origin.lens, software: origin.software),
      exposure: exposure(row),
      video: VideoProperties(
        codec: origin.videoCodec, frameRate: row[21],
        dynamicRange: origin.dynamicRange.flatMap(DynamicRange.init(rawValue:)),
        audioCodec: origin.audioCodec),
      title: row[22], caption: row[23], rating: row[24], isFavorite: row[34],
      contentIdentifier: (row[25] as StoredIdentifier?)?.text,
      burstIdentifier: (row[26] as StoredIdentifier?)?.text,
      clipEvidence: row[firstDetail + 5],
      status: row[27] ? .missing : row[28] ? .unreadable : .present, error: row[29],
      warnings: lines(row[firstDetail + 6]), added: row[30], revision: row[33],
      isDuplicate: row[31], duplicateSet: row[32])
    asset.label = row[36]
    asset.recordedPick = (row[37] as Int?).flatMap(Pick.init(rawValue:))
    return asset
  }

  private static func exposure(_ row: Row) -> Exposure {
    Exposure(
      time: row[firstDetail], fNumber: row[firstDetail + 1], iso: row[firstDetail + 2],
      focalLength: row[firstDetail + 3], focalLengthIn35mm: row[firstDetail + 4])
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
    guard let latitude = row[18] as Double?, let longitude = row[19] as Double? else { return nil }
    return Location(latitude: latitude, longitude: longitude, altitude: row[20])
  }
}

/// Reads assets out of the rows of one listing, with their parts.
///
/// Data that many rows share is looked up once instead of joined to each row: folder paths, origins, and which
/// assets have parts. That makes a full listing a third faster.
final class AssetReader {
  private let parts: AssetParts
  private var holders = PartHolders()
  private var folders: [Int64: Folder] = [:]
  private var lastFolder: (id: Int64, folder: Folder)?
  private var origins: [Int64: Origin] = [:]
  private var captureSources: [Int64: String] = [:]
  /// The files of equal content in each album, by ``AssetRecord/duplicateSet``.
  private var copies: [String: [CopyInAlbum]] = [:]

  /// A folder's full path, and the title of the album that it is.
  private struct Folder {
    let path: BytePath
    let title: String?
  }

  /// Folders, and origins, kept in memory.
  private static let mostFolders = 4096
  /// Contents whose copies are kept in memory.
  private static let mostContents = 256

  init(parts: AssetParts = []) {
    self.parts = parts
  }

  /// The assets of rows of ``AssetRow/columns(with:)``.
  func assets(_ rows: RowCursor, in database: Database) throws -> [AssetRecord] {
    var assets: [AssetRecord] = []
    assets.reserveCapacity(256)
    while let row = try rows.next() { assets.append(try asset(row, in: database)) }
    return assets
  }

  /// The assets with these ids, in this order.
  func assets(_ ids: ArraySlice<Int64>, in database: Database) throws -> [AssetRecord] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(AssetRow.columns(with: parts)) FROM json_each(?) AS page
        CROSS JOIN assets AS a ON a.id = page.value\(AssetRow.tables(with: parts).joins)
        """)
    let rows = try Row.fetchCursor(statement, arguments: [RowSet(ids).argument])
    let found = try assets(rows, in: database)
    // SQLite reads the array from its beginning, but does not promise it.
    guard zip(found, ids).contains(where: { $0.rowID != $1 }) else { return found }
    let byID = Dictionary(found.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { byID[$0] }
  }

  /// The asset of a row of ``AssetRow/columns(with:)``.
  func asset(_ row: Row, in database: Database) throws -> AssetRecord {
    let folder = try folder(row[AssetRow.folder], in: database)
    var asset = AssetRow.asset(
      row, at: Self.path(of: row[AssetRow.name], in: folder.path),
      try origin(row[AssetRow.origin], in: database),
      captureSource: try captureSource(row[AssetRow.captureSource], in: database))
    asset.albumTitle = folder.title
    guard !parts.isEmpty else { return asset }
    if asset.isDuplicate, parts.contains(.keywords) {
      asset.copiesInAlbums = try copiesInAlbums(of: asset, in: database)
    }
    let held = try holders.parts(ofAsset: asset.rowID, in: database).intersection(parts)
    if held.contains(.keywords) {
      asset.keywords = try keywords(of: asset.rowID, in: database)
      asset.people = try people(of: asset.rowID, in: database)
      asset.keywordPaths = try keywordPaths(of: asset.rowID, in: database)
      asset.albums = try albums(of: asset.rowID, in: database)
    }
    if held.contains(.resources) {
      asset.resources = try resources(of: asset, in: database)
      if parts.contains(.sidecarValues) {
        asset.sidecarValues = try sidecarValues(of: asset.rowID, in: database)
      }
      if asset.resources.contains(where: { $0.uniformType == .json && $0.owner == nil }) {
        asset.originalName = try describedName(of: asset.rowID, in: database)
      }
    } else if parts.contains(.resources) {
      asset.resources = [asset.ownResource]
    }
    if held.contains(.labels) { asset.labels = try labels(of: asset.rowID, in: database) }
    return asset
  }

  static func path(of name: DatabaseValue, in folder: BytePath) -> BytePath {
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

  func path(ofFolder id: Int64, in database: Database) throws -> BytePath {
    try folder(id, in: database).path
  }

  /// Assets taken together are mostly in one folder.
  private func folder(_ id: Int64, in database: Database) throws -> Folder {
    if let lastFolder, lastFolder.id == id { return lastFolder.folder }
    if let folder = folders[id] {
      lastFolder = (id, folder)
      return folder
    }
    if folders.count >= Self.mostFolders { folders.removeAll(keepingCapacity: true) }
    let folder = try lookUp(folder: id, in: database)
    folders[id] = folder
    lastFolder = (id, folder)
    return folder
  }

  func origin(_ id: Int64, in database: Database) throws -> Origin {
    if let origin = origins[id] { return origin }
    if origins.count >= Self.mostFolders { origins.removeAll(keepingCapacity: true) }
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(Origin.columns) FROM origins WHERE id = ?"),
      arguments: [id])
    guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    let origin = Origin(row)
    origins[id] = origin
    return origin
  }

  private func captureSource(_ id: Int64?, in database: Database) throws -> String {
    guard let id else { return "" }
    if let name = captureSources[id] { return name }
    if captureSources.count >= Self.mostFolders { captureSources.removeAll(keepingCapacity: true) }
    let name = try String.fetchOne(
      database.cachedStatement(sql: "SELECT name FROM capture_sources WHERE id = ?"),
      arguments: [id])
    captureSources[id] = name
    return name ?? ""
  }

  private func lookUp(folder id: Int64, in database: Database) throws -> Folder {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT r.path, d.path, d.title FROM folders AS d JOIN roots AS r ON r.id = d.root_id WHERE d.id = ?
          """), arguments: [id])
    return Folder(
      path: row.map { AssetRow.path($0, root: 0, folder: 1) } ?? BytePath(bytes: []),
      title: row?[2])
  }
}

extension AssetReader {
  private func keywords(of rowID: Int64, in database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(sql: "SELECT keyword FROM keywords WHERE asset_id = ?"),
      arguments: [rowID])
  }

  /// The name that a Takeout's file gives for an asset's file.
  private func describedName(of rowID: Int64, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT described_name FROM asset_sidecars JOIN sidecars USING (file_id)
          WHERE asset_id = ? AND described_name IS NOT NULL ORDER BY position DESC LIMIT 1
          """), arguments: [rowID])
  }

  private func keywordPaths(of rowID: Int64, in database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(
        sql: "SELECT path FROM keyword_paths WHERE asset_id = ? AND is_whole"), arguments: [rowID])
  }

  /// The titles of the user's albums that an asset is in.
  private func albums(of rowID: Int64, in database: Database) throws -> [String] {
    let titles = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT title FROM album_assets AS m CROSS JOIN albums AS l ON l.id = m.album_id WHERE m.asset_id = ?
          """), arguments: [rowID])
    return titles.count < 2 ? titles : titles.sorted { $0.comparable < $1.comparable }
  }

  /// The exact copies of an asset's main file that are in other albums, one of each folder.
  private func copiesInAlbums(of asset: AssetRecord, in database: Database) throws -> [CopyInAlbum]
  {
    guard let content = asset.duplicateSet else { return [] }
    if let known = copies[content] { return known.filter { $0.album != asset.album } }
    // All copies, since each of them has the same: a library may have thousands of one placeholder.
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT f.name, f.folder_id, \(Attribute.album.sql) AS album, min(f.id) FROM files AS f
          INDEXED BY files_by_content_digest
          CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
          WHERE f.content_digest = (SELECT content_digest FROM files WHERE id = ?) AND f.missing_since IS NULL
          GROUP BY album, f.folder_id ORDER BY album, min(f.id) LIMIT \(Self.mostCopies)
          """), arguments: [asset.rowID])
    let found = try rows.map { row in
      CopyInAlbum(
        path: Self.path(of: row[0], in: try folder(row[1], in: database).path), album: row[2])
    }
    if copies.count == Self.mostContents { copies = [:] }
    copies[content] = found
    return found.filter { $0.album != asset.album }
  }

  /// The folders with copies that are read for one content.
  private static let mostCopies = 100

  private func people(of rowID: Int64, in database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(sql: "SELECT name FROM people WHERE asset_id = ?"),
      arguments: [rowID])
  }

  private func sidecarValues(of rowID: Int64, in database: Database) throws -> SidecarValues {
    let text = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT embedded_values FROM asset_details
          WHERE asset_id = ? AND embedded_values IS NOT NULL
          """), arguments: [rowID])
    return try text.map { try EmbeddedValues(json: $0).sidecarValues } ?? []
  }

  private func labels(of rowID: Int64, in database: Database) throws -> [Label] {
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
}
