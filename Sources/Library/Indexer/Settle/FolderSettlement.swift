import Catalog
import MediaModel
import Recognition

/// Settles one folder: what its pictures and clips are to each other by their names.
struct FolderSettlement {
  private let transaction: CatalogTransaction
  private let folder: Int64

  /// What marks the group of a burst that numbered names gave, and its evidence. The folder is part of
  /// the group's name, so that copies in another one are a burst of their own.
  private static let numbered = "name:"
  private static let byNumber = "name"

  init(_ transaction: CatalogTransaction, folder: Int64) {
    self.transaction = transaction
    self.folder = folder
  }

  func run() throws {
    let former = try reset()
    let records = try transaction.settlingRecords(folder: folder).filter { !$0.isMissing }
    let paired = Set(records.filter { $0.subtypes.contains(.livePhoto) }.map(\.assetID))
    let copies = try linkExtractedClips(records, besides: paired)
    let moving = try paired.union(pairByName(records, besides: paired.union(copies)))
    let members = try linkFamilies(records, moving: moving)
    try SidecarLinking(transaction).share(in: folder, members: members, former: former)
    try markEdited(records)
    try markBursts(records)
    try transaction.markSettled(folder: folder)
  }

  /// Takes back what earlier settlements of this folder decided; what identifiers have paired stays.
  ///
  /// - Returns: the assets that files of this folder were resources of.
  private func reset() throws -> Set<Int64> {
    var owners: Set<Int64> = []
    for record in try transaction.settlingRecords(folder: folder) {
      if let owner = record.absorbedBy, !record.isPairedByIdentifier {
        try transaction.release(record.assetID, from: owner)
        owners.insert(owner)
      }
      if !record.subtypes.contains(.livePhoto) {
        try transaction.removeLabel(.livePhoto, asset: record.assetID)
      }
      if record.subtypes.contains(.edited) {
        try transaction.removeLabel(.edited, asset: record.assetID)
      }
      if record.subtypes.contains(.raw), !record.uniformType.isRaw {
        try transaction.removeLabel(.raw, asset: record.assetID)
      }
      try resetSlomo(record)
      try resetBurst(record)
    }
    return owners
  }

  /// Takes back a slow motion that edit instructions gave.
  private func resetSlomo(_ record: SettlingRecord) throws {
    guard record.subtypes.contains(.slomo), let rate = record.trackRate,
      try transaction.evidence(of: .slomo, asset: record.assetID)?.last == "adjustmentData"
    else { return }
    try transaction.setLabel(.slomo(rate: rate, isEdited: false), asset: record.assetID)
  }

  /// Takes back a burst that names gave; only ``markBursts(_:)`` writes a group with this mark.
  private func resetBurst(_ record: SettlingRecord) throws {
    guard record.burstIdentifier?.hasPrefix(Self.numbered) == true else { return }
    try transaction.setBurstIdentifier(nil, asset: record.assetID)
    if try transaction.evidence(of: .burst, asset: record.assetID) == [Self.byNumber] {
      try transaction.removeLabel(.burst, asset: record.assetID)
    }
  }

  /// Gives stills that hold a clip the copy of it beside them; that makes no live photo.
  ///
  /// - Parameter paired: the stills that have a clip by their identifier.
  /// - Returns: the copies.
  private func linkExtractedClips(
    _ records: [SettlingRecord], besides paired: Set<Int64>
  ) throws -> [Int64] {
    let free = records.filter {
      !$0.isPairedByIdentifier && !paired.contains($0.assetID)
    }
    let links = FolderFamilies.extractedClips(free.map(PairingCandidate.init))
    for link in links {
      try transaction.absorb(
        link.member, into: link.owner, as: .pairedVideo, why: CatalogTransaction.embeddedClip)
    }
    return links.map(\.member)
  }

  /// Pairs what no identifier has paired.
  ///
  /// - Parameter owners: the stills that have a clip by their identifier, and clips that have a still.
  /// - Returns: the stills that have one by their name.
  private func pairByName(
    _ records: [SettlingRecord], besides owners: Set<Int64>
  ) throws -> [Int64] {
    let free = records.filter {
      !$0.isPairedByIdentifier && !owners.contains($0.assetID)
    }
    let result = LivePhotoPairing.pairs(sharingNames: free.map(PairingCandidate.init))
    for pair in result.pairs { try transaction.join(pair) }
    let paired = Set(result.pairs.flatMap { [$0.still, $0.clip] })
    let single = free.filter { !paired.contains($0.assetID) }
    for record in single {
      guard let identifier = record.contentIdentifier else { continue }
      try noteMissingHalf(of: record, identifier)
    }
    let names = Dictionary(
      single.map { ($0.assetID, BytePath(bytes: $0.name).display) }, uniquingKeysWith: { $1 })
    for refusal in result.refusals {
      for (asset, other) in [(refusal.still, refusal.clip), (refusal.clip, refusal.still)] {
        guard names[asset] != nil, let name = names[other] else { continue }
        try notLive(asset, "\(name) has its name, but \(refusal.reason)")
      }
    }
    return result.pairs.map(\.still)
  }

  /// A half that has an identifier and no other half: says where that is.
  private func noteMissingHalf(of record: SettlingRecord, _ identifier: String) throws {
    let isStill = record.mediaType == .image
    let other = isStill ? "clip" : "picture"
    let isThere = try transaction.hasPresent(isStill ? .video : .image, identifier: identifier)
    try notLive(
      record.assetID,
      isThere
        ? "every \(other) with its identifier is paired with a copy"
        : "no \(other) in the catalog has its identifier")
  }

  private func notLive(_ asset: Int64, _ reason: String) throws {
    try transaction.setLabel(
      Label(.livePhoto, isGiven: false, evidence: [reason]), asset: asset)
  }

  /// Links the RAW of an exposure and the edited version of a picture to the picture.
  ///
  /// An edited live photo goes with its original, and its clip with it: the clip belongs to the edited picture,
  /// which belongs to the asset.
  ///
  /// - Parameter moving: the stills that are live photos.
  /// - Returns: the files that each asset has absorbed.
  private func linkFamilies(
    _ records: [SettlingRecord], moving: Set<Int64>
  ) throws -> [Int64: [Int64]] {
    var members: [Int64: [Int64]] = [:]
    let candidates = records.map(PairingCandidate.init)
    let videos = Set(records.filter { $0.mediaType == .video }.map(\.assetID))
    var alternates: [Int64: Int64] = [:]
    // A RAW that moves has a clip of its own and stays an asset of its own.
    for link in FolderFamilies.alternates(candidates) where !moving.contains(link.member) {
      alternates[link.member] = link.owner
      members[link.owner, default: []].append(link.member)
      try transaction.absorb(link.member, into: link.owner, as: .alternatePhoto, why: "name+time")
      try transaction.setLabel(
        Label(.raw, isGiven: true, evidence: ["alternatePhoto"]), asset: link.owner)
    }
    let owners = Set(alternates.values)
    for link in FolderFamilies.edited(candidates) {
      let owner = alternates[link.owner] ?? link.owner
      // So does an edited picture that moves where its original does not, or that has a RAW; and a video, which
      // has no such resource.
      if !videos.contains(link.member), !moving.contains(link.member) || moving.contains(owner),
        !owners.contains(link.member),
        alternates[link.member] == nil
      {
        members[owner, default: []].append(link.member)
        try transaction.absorb(link.member, into: owner, as: .fullSizePhoto, why: "name")
        try transaction.setLabel(
          Label(.edited, isGiven: true, evidence: ["fullSizePhoto"]), asset: owner)
      }
      try transaction.setLabel(
        Label(.edited, isGiven: true, evidence: ["name"]), asset: link.member)
    }
    return members
  }

  /// Labels pictures and videos with edit instructions as edited. Instructions for slow motion also show that the user
  /// chose which part of a high-speed video plays slowly; a trim does not.
  private func markEdited(_ records: [SettlingRecord]) throws {
    for record in records where record.hasAdjustments {
      try transaction.setLabel(
        Label(.edited, isGiven: true, evidence: ["adjustmentData"]), asset: record.assetID)
      if record.hasSlowMotion, record.mediaType == .video, !record.subtypes.contains(.slomo),
        let rate = record.trackRate, rate >= 100
      {
        try transaction.setLabel(.slomo(rate: rate, isEdited: true), asset: record.assetID)
      }
    }
  }

  private func markBursts(_ records: [SettlingRecord]) throws {
    let known = Dictionary(records.map { ($0.assetID, $0) }, uniquingKeysWith: { $1 })
    let bursts = FolderFamilies.numberedBursts(records.map(PairingCandidate.init))
    guard !bursts.isEmpty, let place = try transaction.folder(folder) else { return }
    let mark = Self.numbered + "\(place.rootID)/\(place.path.display)/"
    for burst in bursts {
      for member in burst.members {
        guard let record = known[member], record.burstIdentifier == nil else { continue }
        try transaction.setBurstIdentifier(mark + burst.group, asset: member)
        if !record.subtypes.contains(.burst) {
          try transaction.setLabel(
            Label(.burst, isGiven: true, evidence: [Self.byNumber]), asset: member)
        }
      }
    }
  }
}

extension SettlingRecord {
  /// Whether it is the clip of a still that has its identifier.
  fileprivate var isPairedByIdentifier: Bool { absorbedWhy == "contentIdentifier" }

  /// Frames a second that a video's track plays.
  fileprivate var trackRate: Double? {
    clues.first { $0.key == .trackRate }?.value.flatMap(Double.init)
  }
}
