import GRDB
import MediaModel

// The files of an asset, as the catalog has them.

extension AssetReader {
  /// The files of an asset and of the files it has absorbed: its own file and the clip inside it, the absorbed files
  /// with theirs, and sidecars.
  func resources(of asset: AssetRecord, in database: Database) throws -> [ResourceRecord] {
    var resources = [asset.ownResource]
    resources += try embeddedClip(of: asset.rowID, at: asset.path, owner: nil, in: database)
    let members = try absorbedFiles(of: asset.rowID, owner: nil, in: database)
    resources += members.map(\.resource)
    resources += try sidecars(of: asset.rowID, owner: nil, describing: asset, in: database)
    for (id, member) in members where member.mayHaveOwnFiles {
      resources += try embeddedClip(of: id, at: member.path, owner: member.path, in: database)
      resources += try absorbedFiles(of: id, owner: member.path, in: database).map(\.resource)
      // An edited picture may share a sidecar with its original.
      resources += try sidecars(of: id, owner: member.path, describing: asset, in: database)
        .filter { sidecar in !resources.contains { $0.path == sidecar.path } }
    }
    // A clip inside the picture before a copy of it next to the picture, and edited versions' clips last.
    resources =
      resources.filter { $0.owner == nil && $0.range != nil }
      + resources.filter { $0.owner == nil && $0.range == nil }
      + resources.filter { $0.owner != nil }
    return ResourceType.allCases.flatMap { type in resources.filter { $0.type == type } }
  }

  private func embeddedClip(
    of id: Int64, at path: BytePath, owner: BytePath?, in database: Database
  ) throws -> [ResourceRecord] {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT clip_offset, clip_length FROM asset_details WHERE asset_id = ?"),
      arguments: [id])
    guard let row, let offset: Int64 = row[0], let length: Int64 = row[1] else { return [] }
    return [
      ResourceRecord(
        type: .pairedVideo, path: path, uniformType: .mpeg4, size: length,
        range: ResourceRange(offset: offset, length: length), owner: owner)
    ]
  }

  /// The files that have become resources of an asset, with the assets they were.
  private func absorbedFiles(
    of id: Int64, owner: BytePath?, in database: Database
  ) throws -> [(asset: Int64, resource: ResourceRecord)] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT a.id, a.absorbed_as, a.folder_id, f.name, a.size, a.origin_id FROM assets AS a
          CROSS JOIN files AS f ON f.id = a.id WHERE a.absorbed_by = ? ORDER BY a.id
          """), arguments: [id])
    var files: [(Int64, ResourceRecord)] = []
    while let row = try rows.next() {
      guard let type = ResourceType(rawValue: row[1]) else { continue }
      let path = Self.path(of: row[3], in: try path(ofFolder: row[2], in: database))
      let uniformType = UniformType(rawValue: try origin(row[5], in: database).uniformType)
      files.append(
        (
          row[0],
          ResourceRecord(
            type: type, path: path, uniformType: uniformType, size: row[4], owner: owner)
        ))
    }
    return files
  }

  private func sidecars(
    of id: Int64, owner: BytePath?, describing asset: AssetRecord, in database: Database
  ) throws -> [ResourceRecord] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT s.kind, f.folder_id, f.name, f.size, s.adjustments, s.orientation, s.crop_width, s.crop_height
          FROM asset_sidecars AS link
          CROSS JOIN sidecars AS s ON s.file_id = link.file_id
          CROSS JOIN files AS f ON f.id = link.file_id WHERE link.asset_id = ? ORDER BY link.file_id
          """), arguments: [id])
    var files: [ResourceRecord] = []
    while let row = try rows.next() {
      let kind = SidecarKind(name: row[0])
      var file = ResourceRecord(
        type: kind.resourceType,
        path: Self.path(of: row[2], in: try path(ofFolder: row[1], in: database)),
        uniformType: kind.uniformType, size: row[3], owner: owner)
      if kind == .adjustmentData {
        let list = AdjustmentList(row, words: 4, cropWidth: 6, cropHeight: 7)
        file.adjustments = list.words(
          for: asset.pixelSize, isTurned: asset.isTurned(to: row[5]))
      }
      files.append(file)
    }
    return files
  }
}

extension ResourceRecord {
  /// Whether it was an asset of its own before it became a resource, so that it may have files itself.
  fileprivate var mayHaveOwnFiles: Bool {
    switch type {
    case .alternatePhoto, .fullSizePhoto: true
    case .pairedVideo: range == nil
    case .photo, .video, .adjustmentData, .sidecar: false
    }
  }
}

extension AssetRecord {
  /// Whether edit instructions show this picture in another orientation than its file. A file without the value is
  /// upright, except for HEIF. What Photos records for a video is not known.
  fileprivate func isTurned(to orientation: Int?) -> Bool {
    guard mediaType == .image, let orientation,
      let own = self.orientation ?? (uniformType.isHeif ? nil : 1)
    else { return false }
    return orientation != own
  }

  /// The asset's own file as its first resource.
  var ownResource: ResourceRecord {
    ResourceRecord(
      type: mediaType == .image ? .photo : .video, path: path, uniformType: uniformType, size: size)
  }
}
