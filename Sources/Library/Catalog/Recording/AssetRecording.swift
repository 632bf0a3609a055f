import GRDB
import MediaModel

extension CatalogTransaction {
  /// Writes the asset of a media file with its labels, its own resources and keywords.
  func writeAsset(
    _ facts: MediaFacts, _ labels: [Label], _ recording: FileRecording, fileID: Int64,
    status: AssetStatus, now: Int64
  ) throws {
    let source = AssetSource(
      facts: facts, subtypes: labels.subtypes, origin: try origin(of: facts),
      recording: recording, fileID: fileID, status: status, now: now)
    let written = try rows(FactColumn.upsert, FactColumn.arguments(source)) { row -> Int64 in
      row[0]
    }
    guard let id = written.first else { return }
    if recording.fileID != nil {
      try execute("DELETE FROM resources WHERE asset_id = ? AND file_id = ?", [id, fileID])
      try execute("DELETE FROM keywords WHERE asset_id = ?", [id])
      try execute("DELETE FROM labels WHERE asset_id = ?", [id])
    }
    try addResources(facts, asset: id, file: fileID)
    try addKeywords(facts.keywords, asset: id)
    for label in labels { try add(label, asset: id) }
    if let identifier = facts.contentIdentifier { try markUnsettled(identifier: identifier) }
  }

  /// The row of `origins` with a file's camera, software, type and codec; inserted for the first such file.
  ///
  /// The table's triggers would do so, too, but they search twice and rewrite the asset's row.
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
