import Catalog
import Linux
import MediaModel
import Recognition

/// Settles the kinds that take more than one file to see, for what has changed since they were last
/// settled: live photos, RAW beside JPEG, edited versions, bursts by name.
///
/// It settles each folder and identifier from scratch, from the present files only. So the result does not
/// depend on the order or the number of scans in which the files appeared.
struct Settlement {
  let catalog: Catalog
  /// Whether to stop; checked between transactions.
  var isStopped: () -> Bool = { Interruption.isRequested }

  /// How many folders or identifiers one transaction settles.
  private static let batchSize = 64

  /// Settles all that has changed, until it is stopped.
  func run() throws {
    while try !isStopped() && settleIdentifiers() > 0 {}
    while try !isStopped() && settleFolders() > 0 {}
  }

  /// Settles some identifiers; returns how many.
  private func settleIdentifiers() throws -> Int {
    try catalog.write { transaction in
      let identifiers = try transaction.unsettledIdentifiers(limit: Self.batchSize)
      for identifier in identifiers { try settle(identifier: identifier, transaction) }
      return identifiers.count
    }
  }

  /// Settles some folders; returns how many.
  private func settleFolders() throws -> Int {
    try catalog.write { transaction in
      let folders = try transaction.unsettledFolders(limit: Self.batchSize)
      for folder in folders { try FolderSettlement(transaction, folder: folder).run() }
      return folders.count
    }
  }

  /// Pairs the stills and clips that share an identifier. Their folders are settled after it, for a
  /// name counts only where no identifier has spoken.
  private func settle(identifier: String, _ transaction: CatalogTransaction) throws {
    let records = try transaction.settlingRecords(identifier: identifier)
    for record in records {
      try transaction.dissolveLivePhoto(of: record)
      try transaction.markUnsettled(folder: record.folderID)
    }
    let present = records.filter { !$0.isMissing }.map(PairingCandidate.init)
    for pair in LivePhotoPairing.pairs(sharingIdentifier: present) {
      try transaction.join(pair)
    }
    try transaction.markSettled(identifier: identifier)
  }
}

extension CatalogTransaction {
  /// Parts a still or clip from the other half that it has.
  func dissolveLivePhoto(of record: SettlingRecord) throws {
    if let owner = record.absorbedBy { try release(record.assetID, from: owner) }
    guard record.subtypes.contains(.livePhoto) else { return }
    for clip in try absorbedAssets(by: record.assetID) {
      try release(clip, from: record.assetID)
    }
  }

  /// Makes a live photo of a pair.
  func join(_ pair: LivePair) throws {
    try absorb(pair.clip, into: pair.still, as: .pairedVideo, why: pair.evidence)
    try setLabel(
      Label(.livePhoto, isGiven: true, score: pair.certainty, evidence: [pair.evidence]),
      asset: pair.still)
  }
}

extension PairingCandidate {
  init(_ record: SettlingRecord) {
    self.init(
      id: record.assetID, folderID: record.folderID, folderPath: record.folderPath,
      name: record.name, mediaType: record.mediaType, uniformType: record.uniformType,
      contentIdentifier: record.contentIdentifier,
      time: record.captureWall.flatMap {
        PairingTime(wall: $0, offset: record.captureOffset, source: record.captureSource ?? "")
      },
      cameraModel: record.model, duration: record.duration, size: record.size,
      embeddedClipLength: record.embeddedClipLength,
      marksStillTime: record.clues.contains { $0.key == .stillImageTime })
  }
}

/// Links the sidecars of one folder to the assets they belong to, and unlinks those that are gone.
struct SidecarLinking {
  private let transaction: CatalogTransaction

  init(_ transaction: CatalogTransaction) {
    self.transaction = transaction
  }

  /// A sidecar and the media files in its folder that it belongs to by its name.
  struct Link {
    var sidecar: SidecarRecord
    var owners: [MediaRecord]
  }

  /// Updates the links in a folder; the result depends only on the files that are there now.
  func link(in folder: Int64) throws {
    for asset in try transaction.assetsWithSidecars(in: folder) {
      try transaction.unlinkSidecars(fromAsset: asset)
      try transaction.markIdentifierUnsettled(ofAsset: asset)
    }
    for link in try links(in: folder) {
      for owner in link.owners {
        try transaction.link(link.sidecar, toAsset: owner.assetID)
        // A time in a sidecar may decide between the copies of a pair.
        try transaction.markIdentifierUnsettled(ofAsset: owner.assetID)
        // Settling the folder shares the sidecar with the asset that has absorbed the file.
        if owner.isAbsorbed { try transaction.markUnsettled(folder: folder) }
      }
    }
  }

  /// What each sidecar of a folder belongs to.
  func links(in folder: Int64) throws -> [Link] {
    let sidecars = try transaction.sidecars(in: folder)
    guard !sidecars.isEmpty else { return [] }
    let media = try transaction.media(in: folder)
    let matching = SidecarMatching(
      media.map {
        FolderItem(name: $0.name, mediaType: $0.mediaType, isRaw: $0.uniformType.isRaw)
      })
    return sidecars.map { sidecar in
      let owners = matching.owners(
        of: sidecar.name, sidecar.facts.kind, describing: sidecar.facts.describedName)
      return Link(sidecar: sidecar, owners: owners.map { media[$0] })
    }
  }

  /// Lets the XMP and Takeout files of absorbed files describe the asset too: Lightroom rates the RAW of a
  /// RAW+JPEG pair, digiKam the edited version. What the asset's own sidecars say comes first.
  ///
  /// - Parameters:
  ///   - members: the absorbed files of each asset in the folder.
  ///   - former: assets that had absorbed files until now.
  func share(in folder: Int64, members: [Int64: [Int64]], former: Set<Int64>) throws {
    let assets = former.union(members.keys)
    guard !assets.isEmpty else { return }
    let links = try links(in: folder)
    guard !links.isEmpty else { return }
    for asset in assets.sorted() {
      let own = links.filter { $0.owners.contains { $0.assetID == asset } }.map(\.sidecar)
      let memberSidecars = (members[asset] ?? []).flatMap { member in
        links.filter { $0.owners.contains { $0.assetID == member } }.map(\.sidecar)
      }
      .filter { $0.facts.kind != .adjustmentData && !own.contains($0) }
      guard !memberSidecars.isEmpty || former.contains(asset) else { continue }
      try transaction.unlinkSidecars(fromAsset: asset)
      // The last XMP file counts.
      for sidecar in memberSidecars + own { try transaction.link(sidecar, toAsset: asset) }
    }
  }
}
