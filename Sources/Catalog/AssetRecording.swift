import Foundation
import GRDB
import MediaModel

extension CatalogTransaction {
  /// Writes the asset of a media file with its labels, its own resources and keywords.
  func writeAsset(
    _ facts: MediaFacts, _ labels: [Label], _ recording: FileRecording, fileID: Int64,
    status: AssetStatus, now: Int64
  ) throws {
    let written = try rows(
      AssetColumns.upsert,
      AssetColumns(facts, labels.subtypes).arguments + [
        origin(of: facts), recording.folderID, fileID, status.rawValue,
        BytePath(bytes: recording.name).display,
        recording.stamp.size, UUID().uuidString, now,
      ]
    ) { row -> Int64 in row[0] }
    guard let id = written.first else { return }
    if recording.fileID != nil {
      try execute("DELETE FROM resources WHERE asset_id = ? AND file_id = ?", [id, fileID])
      try execute("DELETE FROM keywords WHERE asset_id = ?", [id])
      try execute("DELETE FROM labels WHERE asset_id = ?", [id])
    }
    try addResources(facts, asset: id, file: fileID)
    try addKeywords(facts.keywords, asset: id)
    for label in labels { try add(label, asset: id) }
    if let identifier = facts.contentIdentifier { try unsettle(identifier: identifier) }
  }

  /// The row of `origins` that tells what made a file and as what; made for the first one.
  ///
  /// The table's triggers would see to it too, but they look for it twice and write the asset's row anew.
  private func origin(of facts: MediaFacts) throws -> Int64? {
    let values: StatementArguments = [
      facts.uniformType.rawValue, facts.camera.make, facts.camera.model, facts.camera.lens,
      facts.camera.software, facts.video?.codec,
    ]
    let found = try rows(
      """
      SELECT id FROM origins WHERE uniform_type = ? AND make IS ? AND model IS ? AND lens IS ?
      AND software IS ? AND video_codec IS ?
      """, values
    ) { row -> Int64 in row[0] }
    if let found = found.first { return found }
    try execute(
      """
      INSERT INTO origins (uniform_type, make, model, lens, software, video_codec)
      VALUES (?, ?, ?, ?, ?, ?)
      """, values)
    return database.lastInsertedRowID
  }

  private func addResources(_ facts: MediaFacts, asset: Int64, file: Int64) throws {
    try execute(
      "INSERT INTO resources (asset_id, type, file_id, uniform_type) VALUES (?, ?, ?, ?)",
      [asset, facts.mediaType == .image ? "photo" : "video", file, facts.uniformType.rawValue])
    guard let clip = facts.embeddedClip else { return }
    try execute(
      """
      INSERT INTO resources (asset_id, type, file_id, uniform_type, offset, length)
      VALUES (?, 'pairedVideo', ?, ?, ?, ?)
      """,
      [
        asset, file, UniformType.mpeg4.rawValue, Int64(clamping: clip.offset),
        Int64(clamping: clip.length),
      ])
  }

  /// Replaces an asset's keywords.
  func writeKeywords(_ keywords: [String], asset: Int64) throws {
    try execute("DELETE FROM keywords WHERE asset_id = ?", [asset])
    try addKeywords(keywords, asset: asset)
  }

  private func addKeywords(_ keywords: [String], asset: Int64) throws {
    for keyword in keywords {
      try execute(
        "INSERT OR IGNORE INTO keywords (asset_id, keyword) VALUES (?, ?)", [asset, keyword])
    }
  }
}

/// The columns of `assets` that a file's facts fill, in one order for the statement and its values.
private struct AssetColumns {
  private var values: [(name: String, value: (any DatabaseValueConvertible)?)] = []

  var arguments: StatementArguments { StatementArguments(values.map(\.value)) }

  init(_ facts: MediaFacts, _ subtypes: MediaSubtypes) {
    values = [
      ("subtypes", Int64(subtypes.rawValue)),
      ("media_type", facts.mediaType.name),
      ("uniform_type", facts.uniformType.rawValue),
      ("pixel_width", facts.pixelSize?.width),
      ("pixel_height", facts.pixelSize?.height),
      ("orientation", facts.orientation.map { Int($0.rawValue) }),
      ("duration", facts.duration),
    ]
    add(facts.captureTime)
    add(facts.location)
    add(facts.camera, facts.exposure)
    add(facts.video)
    values += [
      ("title", facts.title),
      ("caption", facts.caption),
      ("rating", facts.rating),
      ("content_identifier", facts.contentIdentifier),
      ("burst_identifier", facts.burstIdentifier),
      ("clip_offset", facts.embeddedClip.map { Int64(clamping: $0.offset) }),
      ("clip_length", facts.embeddedClip.map { Int64(clamping: $0.length) }),
      ("clip_evidence", facts.embeddedClip?.evidence),
      ("clues", facts.clues.isEmpty ? nil : facts.clues.map(\.line).joined(separator: "\n")),
      ("warnings", facts.warnings.isEmpty ? nil : facts.warnings.joined(separator: "\n")),
      ("embedded_values", String?.none),
      // Of other content than before, until copies of this are found.
      ("is_duplicate", false),
    ]
  }

  private mutating func add(_ time: CaptureTime?) {
    values += [
      ("capture_wall", time?.wallMilliseconds),
      ("capture_utc", time?.utcMilliseconds),
      ("capture_offset", time?.offsetMinutes),
      ("capture_date", time?.iso8601),
      ("capture_source", time?.source),
    ]
  }

  private mutating func add(_ location: Location?) {
    values += [
      ("latitude", location?.latitude),
      ("longitude", location?.longitude),
      ("altitude", location?.altitude),
    ]
  }

  private mutating func add(_ camera: Camera, _ exposure: Exposure) {
    values += [
      ("make", camera.make),
      ("model", camera.model),
      ("lens", camera.lens),
      ("software", camera.software),
      ("exposure_time", exposure.time),
      ("f_number", exposure.fNumber),
      ("iso", exposure.iso),
      ("focal_length", exposure.focalLength),
      ("focal_length_35mm", exposure.focalLengthIn35mm),
    ]
  }

  private mutating func add(_ video: VideoProperties?) {
    values += [
      ("video_codec", video?.codec),
      ("frame_rate", video?.frameRate),
      ("dynamic_range", video?.dynamicRange?.rawValue),
      ("audio_codec", video?.audioCodec),
    ]
  }

  /// Inserts an asset, or gives the one that its file already has the new facts; the identifier and the
  /// date it was added stay. Gives the row's number.
  static let upsert: String = {
    let names = AssetColumns(MediaFacts(mediaType: .image, uniformType: .jpeg), []).values.map(
      \.name)
    let updated = names + ["origin_id", "file_folder_id", "status", "name", "size"]
    let inserted =
      names + [
        "origin_id", "file_folder_id", "file_id", "status", "name", "size", "identifier",
        "added_date",
      ]
    return """
      INSERT INTO assets (\(inserted.joined(separator: ", ")))
      VALUES (\(inserted.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (file_id) DO UPDATE SET
      \(updated.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")), is_duplicate = 0
      RETURNING id
      """
  }()
}
