import Catalog
import Recognition

/// Settles the time zones that are inferred from neighbours and places, for days of a folder in which times have changed: writes
/// where the catalog differs from what ``ZoneInference`` decides.
///
/// Reads the assets of these days and of three days around them, by an index. A changed time matters to those within
/// ``ZoneInference/widestReach`` of it, and their neighbours are within the same distance of them.
struct ZoneSettling {
  private let transaction: CatalogTransaction
  private let days: UnsettledDays

  init(_ transaction: CatalogTransaction, _ days: UnsettledDays) {
    self.transaction = transaction
    self.days = days
  }

  func run() throws {
    let affected = days.walls.widened(by: ZoneInference.widestReach)
    let records = try transaction.zoneRecords(
      folder: days.folder, walls: affected.widened(by: ZoneInference.widestReach))
    let zones = ZoneInference.zones(of: records.map(ZoneCandidate.init))
    for record in records where affected.contains(record.storedWall) {
      let zone = zones[record.assetID]
      guard zone?.offset != record.inferredOffset || zone?.evidence != record.evidence else {
        continue
      }
      try transaction.setInferredZone(
        zone.map { ($0.offset, $0.basis, $0.evidence) }, of: record)
    }
    // Without the days that these writes have queued: no other zone depends on an inferred one.
    try transaction.markSettled(days)
  }
}

extension ZoneCandidate {
  fileprivate init(_ record: ZoneRecord) {
    self.init(
      id: record.assetID, name: record.name, wall: record.time.wall, offset: record.time.offset,
      source: record.time.source, model: record.model, location: record.location)
  }
}

extension ClosedRange<Int64> {
  /// The range with as much before it and after it.
  fileprivate func widened(by margin: Int64) -> ClosedRange {
    lowerBound - margin...upperBound + margin
  }
}
