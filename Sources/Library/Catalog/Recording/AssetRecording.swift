import GRDB
import MediaModel

extension CatalogTransaction {
  /// Writes the asset of a media file with its labels, details and keywords.
  func writeAsset(
    _ facts: MediaFacts, _ labels: [Label], _ recording: FileRecording, fileID id: Int64,
    status: AssetStatus, now: Int64
  ) throws {
    let values = FactColumn.values(
      AssetSource(
        facts: facts, subtypes: labels.subtypes, origin: try row(of: Origin(facts)),
        captureSource: try facts.captureTime.map { try row(ofCaptureSource: $0.source) },
        recording: recording, fileID: id, status: status))
    if try recording.fileID != nil && update(id, values) {
      try execute("DELETE FROM asset_details WHERE asset_id = ?", [id])
      // Its values are the file's own again, so its sidecars have to be linked again.
      try execute("DELETE FROM asset_sidecars WHERE asset_id = ?", [id])
      try execute("DELETE FROM keywords WHERE asset_id = ?", [id])
      try execute("DELETE FROM labels WHERE asset_id = ?", [id])
    } else {
      try execute(
        FactColumn.insertion,
        StatementArguments(values + [StoredIdentifier.random(), now, id]))
    }
    if let details = DetailColumns.values(facts) {
      try execute(DetailColumns.insertion, StatementArguments([id] + details))
    }
    try addKeywords(facts.keywords, asset: id)
    for label in labels { try add(label, asset: id) }
    if let identifier = facts.contentIdentifier { try markUnsettled(identifier: identifier) }
  }

  /// Writes the facts of a known asset; false if the file was none before.
  private func update(_ id: Int64, _ values: [(any DatabaseValueConvertible)?]) throws -> Bool {
    try execute(FactColumn.update, StatementArguments(values + [id]))
    return database.changesCount > 0
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
