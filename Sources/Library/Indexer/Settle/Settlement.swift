import Catalog
import MediaModel
import Recognition
import WorkerPool

/// Settles the kinds that take more than one file to see, for what has changed since they were last settled: live
/// photos, RAW beside JPEG, edited versions, bursts by name, which sidecars describe which assets, and time zones that
/// neighbours have.
///
/// What should hold follows from the present files alone, so the result does not depend on the order or the number of
/// scans in which they appeared. Only what differs is written.
struct Settlement {
  let catalog: Catalog

  /// How many families or identifiers one transaction settles.
  private static let batchSize = 128
  /// A family whose sidecars change has its identifiers settled again, and these the families of their files. Two
  /// rounds are enough, unless sidecars and identifiers contradict each other; the next scan then goes on.
  private static let mostRounds = 4

  /// Settles all that has changed. Checks between transactions whether the task is cancelled.
  ///
  /// Zones come last, because sidecars give assets their times, and because a clip of a live photo needs no zone.
  ///
  /// - Parameter progress: receives how many families, identifiers and days are settled, and how many there are.
  func run(progress: (_ completed: Int, _ total: Int) -> Void = { _, _ in }) throws {
    var completed = 0
    for _ in 0..<Self.mostRounds {
      let due = try catalog.read { try $0.unsettledCount() }
      if due == 0 { return }
      let total = completed + due
      for step in [settleIdentifiers, settleFamilies, settleZones] {
        while !GracefulCancellation.isRequested, case let count = try step(), count > 0 {
          completed += count
          progress(completed, total)
        }
      }
      if GracefulCancellation.isRequested { return }
    }
  }

  /// Settles some identifiers; returns how many.
  private func settleIdentifiers() throws -> Int {
    try catalog.write { transaction in
      let identifiers = try transaction.unsettledIdentifiers(limit: Self.batchSize)
      for identifier in identifiers { try settle(identifier: identifier, transaction) }
      return identifiers.count
    }
  }

  /// Settles some families; returns how many.
  private func settleFamilies() throws -> Int {
    try catalog.write { transaction in
      let families = try transaction.unsettledFamilies(limit: Self.batchSize)
      for family in families { try FamilyRecording(transaction, family).run() }
      return families.count
    }
  }

  /// Settles the inferred zones of some days of a folder; returns how many.
  private func settleZones() throws -> Int {
    try catalog.write { transaction in
      guard let days = try transaction.unsettledDays() else { return 0 }
      try ZoneSettling(transaction, days).run()
      return days.count
    }
  }

  /// Pairs the stills and clips that share an identifier. Their families are settled after it, because a name counts
  /// only where no identifier decides.
  private func settle(identifier: String, _ transaction: CatalogTransaction) throws {
    let records = try transaction.settlingRecords(identifier: identifier)
    let present = records.filter { !$0.isMissing }.map { PairingCandidate($0, time: $0.time) }
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: present)
    let stills = Dictionary(
      pairs.map { ($0.clip, $0.still) }, uniquingKeysWith: { first, _ in first })
    let labels = try transaction.labels(ofAssets: pairs.map(\.still))
    for record in records where record.absorbedWhy == LivePair.identifierEvidence {
      if let owner = record.absorbedBy, stills[record.assetID] != owner {
        try transaction.release(record.assetID, from: owner)
      }
    }
    let tied = Dictionary(records.map { ($0.assetID, $0) }, uniquingKeysWith: { first, _ in first })
    for pair in pairs {
      let isJoined = tied[pair.clip].map {
        $0.absorbedBy == pair.still && $0.absorbedWhy == LivePair.identifierEvidence
      }
      if isJoined != true {
        try part(pair.still, pair.clip, tied, transaction)
        try transaction.absorb(pair.clip, into: pair.still, as: .pairedVideo, why: pair.evidence)
      }
      if isJoined != true || labels[pair.still]?.contains(pair.label) != true {
        try transaction.setLabel(pair.label, asset: pair.still)
      }
    }
    for record in records { try transaction.markUnsettled(families: [record.assetID]) }
    try transaction.markSettled(identifier: identifier)
  }

  /// Parts the halves of a new pair from other files that their names have given them.
  private func part(
    _ still: Int64, _ clip: Int64, _ records: [Int64: SettlingRecord],
    _ transaction: CatalogTransaction
  ) throws {
    if let owner = records[clip]?.absorbedBy { try transaction.release(clip, from: owner) }
    for other in try transaction.absorbedClips(of: still) where other != clip {
      try transaction.release(other, from: still)
    }
  }
}

extension PairingCandidate {
  /// - Parameter time: the file's own, or the one that sidecars have set.
  init(_ record: SettlingRecord, time: SettlingTime?) {
    self.init(
      id: record.assetID, folderID: record.folderID, folderPath: record.folderPath,
      name: record.name, mediaType: record.mediaType, uniformType: record.uniformType,
      contentIdentifier: record.contentIdentifier,
      time: time.flatMap { PairingTime(wall: $0.wall, offset: $0.offset, source: $0.source) },
      cameraModel: record.model, duration: record.duration, size: record.size,
      embeddedClipLength: record.embeddedClipLength,
      marksStillTime: record.clues.contains { $0.key == .stillImageTime })
  }
}
