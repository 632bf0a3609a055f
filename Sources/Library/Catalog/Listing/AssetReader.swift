import GRDB
import MediaModel

/// Reads assets out of the rows of one listing, with their parts.
///
/// What many rows share is looked up once and not joined to each of them: the path of a folder, and
/// which assets have parts at all. That makes a listing of everything a third faster.
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

  /// A folder's full path. Assets that were taken together mostly lie together.
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
