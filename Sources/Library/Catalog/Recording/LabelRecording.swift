import GRDB
package import MediaModel

extension CatalogTransaction {
  /// Adds a label to an asset, in the place of one of the same kind.
  package func setLabel(_ label: Label, asset: Int64) throws {
    try removeLabel(label.subtype, asset: asset)
    try add(label, asset: asset)
    guard label.isGiven else { return }
    try execute(
      "UPDATE assets SET subtypes = subtypes | ? WHERE id = ?",
      [Int64(label.subtype.rawValue), asset])
  }

  /// Takes a label, given or nearly, from an asset.
  package func removeLabel(_ subtype: MediaSubtypes, asset: Int64) throws {
    try execute(
      "DELETE FROM labels WHERE asset_id = ? AND subtype = ?",
      [asset, subtype.name])
    // A row that is written back as it was costs as much as one that changes.
    let bits = Int64(subtype.rawValue)
    try execute(
      "UPDATE assets SET subtypes = subtypes & ~? WHERE id = ? AND subtypes & ? <> 0",
      [bits, asset, bits])
  }

  /// Writes a label's row alone.
  func add(_ label: Label, asset: Int64) throws {
    try write(
      """
      INSERT INTO labels (asset_id, subtype, is_given, score, evidence) VALUES (?, ?, ?, ?, ?)
      """,
      [
        asset.databaseValue, label.subtype.name.databaseValue, label.isGiven.databaseValue,
        label.score?.databaseValue ?? .null,
        label.evidence.joined(separator: "\n").databaseValue,
      ])
  }
}
