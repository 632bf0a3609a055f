import Catalog
import MediaModel
import Recognition

/// Settles the files of a folder whose names may relate them: writes where the catalog differs from what
/// ``FamilySettlement`` decides. What identifiers have paired stays.
struct FamilyRecording {
  private let transaction: CatalogTransaction
  private let family: FamilyReference

  /// The prefix of the identifier of a burst that numbered names show. The folder is part of the identifier, so
  /// that copies in another one are a burst of their own.
  private static let numbered = "name:"

  init(_ transaction: CatalogTransaction, _ family: FamilyReference) {
    self.transaction = transaction
    self.family = family
  }

  func run() throws {
    let records = try transaction.settlingRecords(family)
    let labels = try transaction.labels(ofAssets: records.map(\.assetID))
    var states = records.map { AssetState($0, labels[$0.assetID] ?? []) }
    let sidecars = try transaction.sidecars(family)
    let settlement = FamilySettlement(
      try states.filter { !$0.record.isMissing }.map(member),
      sidecars: sidecars.map { FamilySidecar(name: $0.name, facts: $0.facts) })
    func verdict(_ state: AssetState) -> FamilyVerdict {
      settlement.verdicts[state.record.assetID] ?? FamilyVerdict()
    }
    let changed = states.filter {
      $0.pairedHalf != .clip && $0.tie != verdict($0).tie.map(AssetState.Tie.init)
    }
    try release(changed, &states)
    for state in changed {
      guard let tie = verdict(state).tie else { continue }
      try transaction.absorb(
        state.record.assetID, into: tie.owner, as: tie.role.resourceType, why: tie.evidence)
    }
    for state in states { try writeLabels(of: state, verdict(state)) }
    try writeBursts(states, settlement.verdicts)
    try linkSidecars(states, sidecars, settlement.verdicts)
    try transaction.markSettled(family)
  }

  private func member(_ state: AssetState) throws -> FamilyMember {
    let record = state.record
    var hasOtherHalf = false
    if state.pairedHalf == nil, let identifier = record.contentIdentifier {
      hasOtherHalf = try transaction.hasPresent(
        record.mediaType == .image ? .video : .image, identifier: identifier)
    }
    return FamilyMember(
      PairingCandidate(record, time: record.ownTime), pairedHalf: state.pairedHalf,
      hasOtherHalf: hasOtherHalf,
      ownSubtypes: state.ownSubtypes,
      hasOwnBurst: record.burstIdentifier?.hasPrefix(Self.numbered) == false,
      trackRate: record.trackRate)
  }

  /// Takes back the ties that do not hold. The still of a released clip loses its label.
  private func release(_ changed: [AssetState], _ states: inout [AssetState]) throws {
    var stills: Set<Int64> = []
    for state in changed {
      guard let owner = state.record.absorbedBy else { continue }
      try transaction.release(state.record.assetID, from: owner)
      // Without a reason, the still has lost the label already.
      if state.record.absorbedAs == .pairedVideo, let why = state.record.absorbedWhy,
        why != FamilySettlement.embeddedClip
      {
        stills.insert(owner)
      }
    }
    for index in states.indices where stills.contains(states[index].record.assetID) {
      states[index].labels.removeAll { $0.subtype == .livePhoto }
    }
  }

  private func writeLabels(of state: AssetState, _ verdict: FamilyVerdict) throws {
    var wanted = [(MediaSubtypes.edited, verdict.edited)]
    if state.pairedHalf != .still { wanted.append((.livePhoto, verdict.livePhoto)) }
    if !state.record.uniformType.isRaw { wanted.append((.raw, verdict.raw)) }
    if verdict.slomo != nil || state.isSlomoByAdjustments {
      wanted.append((.slomo, verdict.slomo ?? state.ownSlomo))
    }
    if verdict.burst != nil || state.isBurstByName { wanted.append((.burst, verdict.burst)) }
    for (subtype, label) in wanted where !state.has(label, of: subtype) {
      if let label {
        try transaction.setLabel(label, asset: state.record.assetID)
      } else {
        try transaction.removeLabel(subtype, asset: state.record.assetID)
      }
    }
  }

  private func writeBursts(_ states: [AssetState], _ verdicts: [Int64: FamilyVerdict]) throws {
    guard
      states.contains(where: {
        verdicts[$0.record.assetID]?.burstGroup != nil || $0.record.burstIdentifier != nil
      })
    else { return }
    let place = try transaction.folder(family.folder)
    let prefix = place.map { Self.numbered + "\($0.rootID)/\($0.path.display)/" }
    for state in states {
      let current = state.record.burstIdentifier
      guard current?.hasPrefix(Self.numbered) != false else { continue }
      let group = verdicts[state.record.assetID]?.burstGroup
      let wanted = group.flatMap { group in prefix.map { $0 + group } }
      guard current != wanted else { continue }
      try transaction.setBurstIdentifier(wanted, asset: state.record.assetID)
    }
  }

  /// Links each asset's sidecars again if others describe it now, or in another order.
  private func linkSidecars(
    _ states: [AssetState], _ sidecars: [SidecarRecord], _ verdicts: [Int64: FamilyVerdict]
  ) throws {
    let linked = try transaction.sidecarFiles(ofAssets: states.map(\.record.assetID))
    for state in states where !state.record.isMissing {
      let asset = state.record.assetID
      let own = (verdicts[asset]?.sidecars ?? []).map { sidecars[$0] }
      let shared = (verdicts[asset]?.sharedSidecars ?? []).map { sidecars[$0] }
      var all = own + shared
      let files = all.map(\.fileID)
      // A sidecar that was read again is not linked, but its former values are still there.
      guard files != linked[asset] ?? [] || files.isEmpty && state.record.hasSidecarValues else {
        continue
      }
      try transaction.withdrawInferredZone(ofAsset: asset)
      try transaction.unlinkSidecars(fromAsset: asset)
      let timed =
        own.map(\.facts).indexOfTime ?? shared.map(\.facts).indexOfTime.map { own.count + $0 }
      for index in all.indices where index != timed { all[index].facts.captureTime = nil }
      for sidecar in all { try transaction.link(sidecar, toAsset: asset) }
      // Keywords, people and the sidecars themselves are not in the asset's row.
      try transaction.markChanged(asset: asset)
      // A time in a sidecar may decide between the copies of a pair, and the number of sidecars which copy is spare.
      try transaction.markIdentifierUnsettled(ofAsset: asset)
      try transaction.markCopiesUnsettled(ofFiles: [asset])
    }
  }
}

/// What the catalog contains of an asset before its family is settled.
private struct AssetState {
  struct Tie: Equatable {
    var owner: Int64
    var type: ResourceType?
    var evidence: String?
  }

  let record: SettlingRecord
  var labels: [Label]

  init(_ record: SettlingRecord, _ labels: [Label]) {
    self.record = record
    self.labels = labels
  }

  var tie: Tie? {
    record.absorbedBy.map {
      Tie(owner: $0, type: record.absorbedAs, evidence: record.absorbedWhy)
    }
  }

  var pairedHalf: FamilyMember.Half? {
    if record.absorbedWhy == LivePair.identifierEvidence { return .clip }
    return label(.livePhoto)?.evidence == [LivePair.identifierEvidence] ? .still : nil
  }

  func label(_ subtype: MediaSubtypes) -> Label? { labels.first { $0.subtype == subtype } }

  /// Whether the asset has just this label, or none of the kind.
  func has(_ label: Label?, of subtype: MediaSubtypes) -> Bool {
    guard let current = self.label(subtype), let label else { return self.label(subtype) == label }
    // The catalog stores evidence in lines.
    return current.isGiven == label.isGiven && current.score == label.score
      && current.evidence.joined(separator: "\n") == label.evidence.joined(separator: "\n")
  }

  /// The kinds that no other file decides.
  var ownSubtypes: MediaSubtypes {
    var own = record.subtypes
    if isSlomoByAdjustments { own.remove(.slomo) }
    if isBurstByName { own.remove(.burst) }
    return own
  }

  var isSlomoByAdjustments: Bool { label(.slomo)?.evidence.last == "adjustmentData" }

  var isBurstByName: Bool { label(.burst)?.evidence == [FamilySettlement.numberedName] }

  /// The label of a fast video without instructions for slow motion.
  var ownSlomo: Label? { record.trackRate.map { .slomo(rate: $0, isEdited: false) } }
}

extension AssetState.Tie {
  init(_ tie: FamilyTie) {
    self.init(owner: tie.owner, type: tie.role.resourceType, evidence: tie.evidence)
  }
}

extension FamilyTie.Role {
  fileprivate var resourceType: ResourceType {
    switch self {
    case .pairedVideo: .pairedVideo
    case .alternatePhoto: .alternatePhoto
    case .fullSizePhoto: .fullSizePhoto
    }
  }
}

extension SettlingRecord {
  /// Frames a second that a video's track plays.
  fileprivate var trackRate: Double? {
    clues.first { $0.key == .trackRate }?.value.flatMap(Double.init)
  }
}
