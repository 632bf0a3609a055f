import Foundation
import GRDB
package import MediaModel

/// A sidecar file of a folder and what it says.
package struct SidecarRecord: Sendable, Hashable {
  package let fileID: Int64
  package let name: [UInt8]
  package var facts: SidecarFacts
}

/// That a sidecar describes an asset.
package struct SidecarLink: Sendable, Hashable {
  let asset: Int64
  let file: Int64
  /// Its place in the order in which the values of the asset's sidecars apply.
  let position: Int64
}

extension CatalogTransaction {
  /// Notes what a sidecar says.
  func writeSidecar(_ facts: SidecarFacts, fileID: Int64) throws {
    try execute(
      """
      INSERT INTO sidecars (file_id, kind, capture_wall, capture_offset, capture_fraction,
        capture_source, latitude, longitude, altitude, title, caption, keywords, rating,
        orientation, adjustment_format, described_name, people, is_favorite, label, pick, keyword_paths,
        adjustments, crop_width, crop_height)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        fileID, facts.kind.name, facts.captureTime?.wallSeconds,
        facts.captureTime?.offsetMinutes, facts.captureTime?.fraction, facts.captureTime?.source,
        facts.location?.latitude, facts.location?.longitude, facts.location?.altitude,
        facts.title, facts.caption,
        facts.keywords.isEmpty ? nil : facts.keywords.joined(separator: "\n"), facts.rating,
        facts.orientation.map { Int($0.rawValue) }, facts.adjustmentFormat, facts.describedName,
        facts.people.isEmpty ? nil : facts.people.joined(separator: "\n"), facts.isFavorite,
        facts.label, facts.pick?.rawValue,
        facts.keywordPaths.isEmpty
          ? nil : KeywordPath.limited(facts.keywordPaths).joined(separator: "\n"),
        facts.adjustments.words.isEmpty ? nil : facts.adjustments.words.joined(separator: "\n"),
        facts.adjustments.cornerCrop?.width, facts.adjustments.cornerCrop?.height,
      ])
  }

  /// The sidecars of a family now: those in its folder, and Ente's in its folders `metadata` and
  /// `.meta`.
  package func sidecars(_ family: FamilyReference) throws -> [SidecarRecord] {
    try rows(
      """
      SELECT files.id, files.name, sidecars.kind, capture_wall, capture_offset, capture_fraction,
        capture_source, latitude, longitude, altitude, title, caption, keywords, rating,
        orientation, adjustment_format, described_name, people,
        sidecars.is_favorite, label, pick, keyword_paths, adjustments, crop_width, crop_height
      FROM (SELECT ?1 AS id, 1 AS is_own UNION ALL SELECT id, 0 FROM folders
        WHERE parent_id = ?1 AND name IN ('metadata', '.meta')) AS place
      CROSS JOIN files INDEXED BY files_by_family ON files.folder_id = place.id AND files.family = ?2
      CROSS JOIN sidecars ON sidecars.file_id = files.id
      WHERE files.missing_since IS NULL AND (is_own OR capture_source LIKE 'ente:%') ORDER BY files.name, files.id
      """, [family.folder, family.family]
    ) { row in
      let name: BytePath = row[1]
      return SidecarRecord(fileID: row[0], name: name.bytes, facts: SidecarFacts(row))
    }
  }

  /// The files of the sidecars that describe assets, in the order of their priority.
  package func sidecarFiles(ofAssets assets: [Int64]) throws -> [Int64: [Int64]] {
    let links = try rows(
      """
      SELECT asset_id, file_id FROM asset_sidecars WHERE asset_id IN (\(RowSet.sql))
      ORDER BY asset_id, position
      """, [RowSet(assets).argument]
    ) { row -> (asset: Int64, file: Int64) in (row[0], row[1]) }
    return Dictionary(grouping: links, by: \.asset).mapValues { $0.map(\.file) }
  }

  /// The assets that a sidecar describes.
  package func links(ofSidecar file: Int64) throws -> [SidecarLink] {
    try rows("SELECT asset_id, position FROM asset_sidecars WHERE file_id = ?", [file]) {
      SidecarLink(asset: $0[0], file: file, position: $0[1])
    }
  }

  /// Makes a sidecar that was read again, and says what it said before, describe assets as before.
  package func restore(_ links: [SidecarLink]) throws {
    for link in links {
      try execute(
        "INSERT OR IGNORE INTO asset_sidecars (asset_id, file_id, position) VALUES (?, ?, ?)",
        [link.asset, link.file, link.position])
    }
  }

  /// Takes an asset's sidecars away and gives it back what its own file says.
  package func unlinkSidecars(fromAsset asset: Int64) throws {
    try execute("DELETE FROM asset_sidecars WHERE asset_id = ?", [asset])
    let texts = try rows("SELECT embedded_values FROM asset_details WHERE asset_id = ?", [asset]) {
      row -> String? in row[0]
    }
    guard let text = texts.first ?? nil else { return }
    let saved = try EmbeddedValues(json: text)
    try set(saved.columns, embedded: nil, ofAsset: asset)
    if let keywords = saved.keywords { try writeKeywords(keywords, asset: asset) }
    if let people = saved.people { try writePeople(people, asset: asset) }
    if let paths = saved.keywordPaths { try writeKeywordPaths(paths, asset: asset) }
  }

  /// Makes a sidecar a resource of an asset and lets it speak: an XMP sidecar's title, caption, rating
  /// and keywords are newer than the file's own, because programs write them there instead; time and
  /// place only fill gaps. It replaces nothing from sidecars that were linked earlier.
  package func link(_ sidecar: SidecarRecord, toAsset asset: Int64) throws {
    try execute(
      """
      INSERT OR IGNORE INTO asset_sidecars (asset_id, file_id, position)
      SELECT ?1, ?2, count(*) FROM asset_sidecars WHERE asset_id = ?1
      """, [asset, sidecar.fileID])
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT \(SidecarColumn.list), capture_sources.name AS source, embedded_values FROM assets
          LEFT JOIN capture_sources ON capture_sources.id = capture_source_id
          LEFT JOIN asset_details ON asset_details.asset_id = assets.id WHERE assets.id = ?
          """), arguments: [asset])
    guard let row = found else { return }
    var saved = try (row["embedded_values"] as String?).map(EmbeddedValues.init(json:)) ?? .init()
    var changes: [SidecarColumn: DatabaseValue] = [:]
    let newer = try SidecarColumn.changes(
      by: sidecar.facts, to: row, besides: Set(saved.columns.keys),
      source: row["source"], sourceID: self.row(ofCaptureSource:))
    for (column, value) in newer {
      if saved.columns[column] == nil { saved.columns[column] = row[column.rawValue] }
      changes[column] = value
    }
    if !sidecar.facts.keywords.isEmpty {
      let own = try rows("SELECT keyword FROM keywords WHERE asset_id = ?", [asset]) {
        row -> String in row[0]
      }
      if saved.keywords == nil { saved.keywords = own }
      try writeKeywords(own + sidecar.facts.keywords, asset: asset)
    }
    if !sidecar.facts.people.isEmpty {
      let own = try rows("SELECT name FROM people WHERE asset_id = ?", [asset]) {
        row -> String in row[0]
      }
      if saved.people == nil { saved.people = own }
      try writePeople(own + sidecar.facts.people, asset: asset)
    }
    if !sidecar.facts.keywordPaths.isEmpty {
      let own = try keywordPaths(ofAsset: asset)
      if saved.keywordPaths == nil { saved.keywordPaths = own }
      try writeKeywordPaths(own + sidecar.facts.keywordPaths, asset: asset)
    }
    guard let text = try saved.json() else { return }
    try set(changes, embedded: text, ofAsset: asset)
  }

  /// Writes an asset's columns, and what its own file has in them.
  private func set(
    _ columns: [SidecarColumn: DatabaseValue], embedded: String?, ofAsset asset: Int64
  ) throws {
    let written = SidecarColumn.allCases.filter { columns[$0] != nil }
    if !written.isEmpty {
      let names = written.map { "\($0.rawValue) = ?" }.joined(separator: ", ")
      try execute(
        "UPDATE assets SET \(names) WHERE id = ?",
        StatementArguments(written.map { columns[$0] ?? .null } + [asset.databaseValue]))
    }
    try execute(
      """
      INSERT INTO asset_details (asset_id, embedded_values) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET embedded_values = excluded.embedded_values
      """, [asset, embedded])
  }
}

extension SidecarKind {
  /// The word in `sidecars.kind`.
  var name: String {
    switch self {
    case .adjustmentData: "adjustmentData"
    case .xmp: "xmp"
    case .takeoutJSON: "takeoutJSON"
    case .albumJSON: "albumJSON"
    }
  }

  init(name: String) {
    self =
      switch name {
      case "adjustmentData": .adjustmentData
      case "xmp": .xmp
      case "albumJSON": .albumJSON
      default: .takeoutJSON
      }
  }

  /// What the sidecar is to its asset.
  var resourceType: ResourceType {
    self == .adjustmentData ? .adjustmentData : .sidecar
  }

  var uniformType: UniformType {
    switch self {
    case .adjustmentData: .aae
    case .xmp: .xmp
    case .takeoutJSON, .albumJSON: .json
    }
  }
}

extension SidecarFacts {
  /// Reads the columns of ``CatalogTransaction/sidecars(_:)`` from `kind` on.
  fileprivate init(_ row: Row) {
    self.init(kind: SidecarKind(name: row[2]))
    if let wall: Int64 = row[3] {
      captureTime = CaptureTime(
        wallSeconds: wall, fraction: row[5] ?? "", offsetMinutes: row[4], source: row[6] ?? "")
    }
    if let latitude: Double = row[7], let longitude: Double = row[8] {
      location = Location(latitude: latitude, longitude: longitude, altitude: row[9])
    }
    title = row[10]
    caption = row[11]
    keywords = (row[12] as String?)?.split(separator: "\n").map(String.init) ?? []
    rating = row[13]
    orientation = (row[14] as Int?).flatMap { UInt8(exactly: $0) }
      .flatMap(Orientation.init(rawValue:))
    adjustmentFormat = row[15]
    describedName = row[16]
    people = (row[17] as String?)?.split(separator: "\n").map(String.init) ?? []
    isFavorite = row[18]
    label = row[19]
    pick = (row[20] as Int?).flatMap(Pick.init(rawValue:))
    keywordPaths = (row[21] as String?)?.split(separator: "\n").map(String.init) ?? []
    adjustments = AdjustmentList(row, words: 22, cropWidth: 23, cropHeight: 24)
  }
}

extension AdjustmentList {
  /// Reads the columns of `sidecars` with these indices.
  init(_ row: Row, words: Int, cropWidth: Int, cropHeight: Int) {
    self.init(words: AssetRow.lines(row[words]))
    if let width: Int = row[cropWidth], let height: Int = row[cropHeight] {
      cornerCrop = PixelSize(width: width, height: height)
    }
  }
}
