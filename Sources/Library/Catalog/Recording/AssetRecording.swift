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
      try execute("DELETE FROM people WHERE asset_id = ?", [id])
      try execute("DELETE FROM keyword_paths WHERE asset_id = ?", [id])
      try execute("DELETE FROM labels WHERE asset_id = ?", [id])
    } else {
      try write(
        FactColumn.insertion,
        values + [StoredIdentifier.random(), now.databaseValue, id.databaseValue])
    }
    if let details = DetailColumns.values(facts) {
      try write(DetailColumns.insertion, [id.databaseValue] + details)
    }
    try addKeywords(facts.keywords, asset: id)
    try addPeople(facts.people, asset: id)
    try addKeywordPaths(facts.keywordPaths, asset: id)
    for label in labels { try add(label, asset: id) }
    if let identifier = facts.contentIdentifier { try markUnsettled(identifier: identifier) }
  }

  /// Writes the facts of a known asset; false if the file was none before.
  private func update(_ id: Int64, _ values: [DatabaseValue]) throws -> Bool {
    try write(FactColumn.update, values + [id.databaseValue])
    return database.changesCount > 0
  }

  /// An asset's row with the number of the change that last wrote it; nil if the file is none.
  package func written(asset id: Int64) throws -> WrittenAsset? {
    try rows("SELECT revision, * FROM assets WHERE id = ?", [id]) { row -> WrittenAsset in
      let values = zip(row.columnNames, row.databaseValues).filter { $0.0 != "revision" }
      return WrittenAsset(id: id, revision: row[0], values: values.map(\.1))
    }.first
  }

  /// Takes back that an asset has changed, if its row is as it was.
  package func keepRevision(of before: WrittenAsset) throws {
    guard try written(asset: before.id)?.values == before.values else { return }
    try execute("UPDATE assets SET revision = ? WHERE id = ?", [before.revision, before.id])
  }

  /// Replaces an asset's keywords.
  func writeKeywords(_ keywords: [String], asset: Int64) throws {
    try execute("DELETE FROM keywords WHERE asset_id = ?", [asset])
    try addKeywords(keywords, asset: asset)
  }

  /// Replaces an asset's people.
  func writePeople(_ people: [String], asset: Int64) throws {
    try execute("DELETE FROM people WHERE asset_id = ?", [asset])
    try addPeople(people, asset: asset)
  }

  /// An asset's hierarchical keywords.
  func keywordPaths(ofAsset asset: Int64) throws -> [String] {
    try rows("SELECT path FROM keyword_paths WHERE asset_id = ? AND is_whole", [asset]) { $0[0] }
  }

  /// Replaces an asset's hierarchical keywords.
  func writeKeywordPaths(_ paths: [String], asset: Int64) throws {
    try execute("DELETE FROM keyword_paths WHERE asset_id = ?", [asset])
    try addKeywordPaths(paths, asset: asset)
  }

  /// Writes each path, and what else its asset is found by.
  private func addKeywordPaths(_ paths: [String], asset: Int64) throws {
    // A worker is not trusted to have limited them.
    for path in KeywordPath.limited(paths) {
      for term in KeywordPath.terms(of: path) {
        try write(
          """
          INSERT INTO keyword_paths (asset_id, path, is_whole) VALUES (?, ?, ?)
          ON CONFLICT DO UPDATE SET is_whole = max(is_whole, excluded.is_whole)
          """, [asset.databaseValue, term.databaseValue, (term == path).databaseValue])
      }
    }
  }

  private func addPeople(_ people: [String], asset: Int64) throws {
    for person in people {
      try write(
        "INSERT OR IGNORE INTO people (asset_id, name) VALUES (?, ?)",
        [asset.databaseValue, person.databaseValue])
    }
  }

  private func addKeywords(_ keywords: [String], asset: Int64) throws {
    for keyword in keywords {
      try write(
        "INSERT OR IGNORE INTO keywords (asset_id, keyword) VALUES (?, ?)",
        [asset.databaseValue, keyword.databaseValue])
    }
  }
}

/// An asset's row at one moment.
package struct WrittenAsset: Sendable, Hashable {
  let id: Int64
  let revision: Int64
  /// All other columns.
  let values: [DatabaseValue]
}
