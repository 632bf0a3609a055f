import GRDB
package import MediaModel

// Time zones that are inferred from neighbours in time, or from places. Only the time's columns change: without the inference the time
// is as the file or a sidecar has it.

/// Days of a folder whose inferred zones have to be settled again.
package struct UnsettledDays: Sendable, Hashable {
  /// The folder's row.
  package let folder: Int64
  /// Days since 1970 on the wall clock.
  package let days: ClosedRange<Int64>
  /// How many of them are queued.
  package let count: Int

  /// The wall times of these days in milliseconds. Division rounds towards 1970, so it begins a day earlier.
  package var walls: ClosedRange<Int64> {
    let day: Int64 = 86_400_000
    return (days.lowerBound - 1) * day...(days.upperBound + 1) * day
  }
}

/// A listed picture or video as far as inferring time zones reads it.
package struct ZoneRecord: Sendable, Hashable {
  package let assetID: Int64
  package let name: String
  /// Milliseconds on the wall clock, as stored.
  package let storedWall: Int64
  /// The time without an inferred zone.
  package let time: SettlingTime
  /// The camera's.
  package let model: String?
  package let location: Location?
  /// Minutes east of UTC, and the evidence; nil if the zone is not inferred.
  package let inferredOffset: Int?
  package let evidence: String?
}

extension CatalogTransaction {
  /// The number of days that one call settles at once; the days of a folder follow each other.
  private static let mostDays = 64

  /// Some of the days that have to be settled, all of one folder; nil when all are.
  package func unsettledDays() throws -> UnsettledDays? {
    let found = try rows(
      """
      SELECT folder_id, day FROM unsettled_zones
      WHERE folder_id = (SELECT folder_id FROM unsettled_zones LIMIT 1) ORDER BY day LIMIT ?
      """, [Self.mostDays]
    ) { row -> (folder: Int64, day: Int64) in (row[0], row[1]) }
    guard let first = found.first else { return nil }
    // Days that are farther apart have no neighbours in common.
    let widest: Int64 = 8
    var (last, count) = (first.day, 0)
    for (_, day) in found where day - last <= widest { (last, count) = (day, count + 1) }
    return UnsettledDays(folder: first.folder, days: first.day...last, count: count)
  }

  package func markSettled(_ days: UnsettledDays) throws {
    try execute(
      "DELETE FROM unsettled_zones WHERE folder_id = ? AND day BETWEEN ? AND ?",
      [days.folder, days.days.lowerBound, days.days.upperBound])
  }

  /// The listed assets of a folder with a stored wall time in a range.
  package func zoneRecords(
    folder: Int64, walls: ClosedRange<Int64>
  ) throws -> [ZoneRecord] {
    try rows(
      """
      SELECT assets.id, assets.name, capture_wall, capture_offset, capture_sources.name, model, longitude,
        latitude, capture_zone_evidence
      FROM assets INDEXED BY assets_by_folder CROSS JOIN origins ON origins.id = origin_id
      CROSS JOIN capture_sources ON capture_sources.id = capture_source_id
      WHERE folder_id = ? AND is_listed AND capture_wall BETWEEN ? AND ?
      """, [folder, walls.lowerBound, walls.upperBound]
    ) { row in
      let (wall, offset, source): (Int64, Int?, String) = (row[2], row[3], row[4])
      let (longitude, latitude): (Double?, Double?) = (row[6], row[7])
      let location = latitude.flatMap { latitude in
        longitude.flatMap { Location(latitude: latitude, longitude: $0) }
      }
      let own = ZoneKnowledge.own(wall: wall, offset: offset, source: source)
      let time = own ?? (wall, offset, source)
      return ZoneRecord(
        assetID: row[0], name: row[1], storedWall: wall,
        time: SettlingTime(wall: time.wall, offset: time.offset, source: time.source),
        model: row[5], location: location, inferredOffset: own == nil ? nil : offset,
        evidence: row[8])
    }
  }

  /// Gives an asset a zone that no file records, or takes it back.
  ///
  /// - Parameter zone: minutes east of UTC, and the evidence for people; nil for the asset's own time.
  package func setInferredZone(
    _ zone: (offset: Int, basis: ZoneKnowledge.Basis, evidence: String)?, of record: ZoneRecord
  ) throws {
    let own = record.time
    var (wall, source) = (own.wall, own.source)
    if let zone {
      // A time in UTC moves to the clock of the place.
      if own.offset == 0 { wall += Int64(zone.offset) * 60_000 }
      source = ZoneKnowledge.inferred(source, from: zone.basis)
    }
    try execute(
      """
      UPDATE assets SET capture_wall = ?, capture_offset = ?, capture_source_id = ?, capture_zone_evidence = ?
      WHERE id = ?
      """,
      [
        wall, zone?.offset ?? own.offset, try row(ofCaptureSource: source), zone?.evidence,
        record.assetID,
      ])
  }

  /// Takes an inferred zone back, before the asset's own time is replaced or compared, or when the asset is no longer
  /// listed by itself.
  package func withdrawInferredZone(ofAsset asset: Int64) throws {
    let found = try rows(
      """
      SELECT capture_wall, capture_offset, capture_sources.name FROM assets
      JOIN capture_sources ON capture_sources.id = capture_source_id
      WHERE assets.id = ? AND capture_zone_evidence IS NOT NULL
      """, [asset]
    ) { row -> (wall: Int64, offset: Int?, source: String) in (row[0], row[1], row[2]) }
    guard let stored = found.first,
      let own = ZoneKnowledge.own(
        wall: stored.wall, offset: stored.offset, source: stored.source)
    else { return }
    try execute(
      """
      UPDATE assets SET capture_wall = ?, capture_offset = ?, capture_source_id = ?, capture_zone_evidence = NULL
      WHERE id = ?
      """, [own.wall, own.offset, try row(ofCaptureSource: own.source), asset])
  }
}
