import Catalog
import MediaModel
import Recognition

/// Settles one folder: what its pictures and clips are to each other by their names.
struct FolderSettlement {
  private let transaction: CatalogTransaction
  private let folder: Int64

  init(_ transaction: CatalogTransaction, folder: Int64) {
    self.transaction = transaction
    self.folder = folder
  }

  func run() throws {
    try reset()
    let records = try transaction.settlingRecords(folder: folder).filter { !$0.isMissing }
    try pairByName(records)
    try linkFamilies(records)
    try markEdited(records)
    try markBursts(records)
    try transaction.markSettled(folder: folder)
  }

  /// Takes back what earlier settlements of this folder decided; what identifiers have paired stays.
  private func reset() throws {
    for record in try transaction.settlingRecords(folder: folder) {
      if let owner = record.absorbedBy, record.absorbedWhy != "contentIdentifier" {
        try transaction.release(record.assetID, from: owner)
        if record.mediaType == .video {
          try transaction.removeLabel(.livePhoto, asset: owner)
          try transaction.clearDuration(ofAsset: owner)
        }
      }
      if !record.subtypes.contains(.livePhoto) {
        try transaction.removeLabel(.livePhoto, asset: record.assetID)
      }
      try transaction.removeLabel(.edited, asset: record.assetID)
      if record.subtypes.contains(.raw), !record.uniformType.isRaw {
        try transaction.removeLabel(.raw, asset: record.assetID)
      }
    }
  }

  private func pairByName(_ records: [SettlingRecord]) throws {
    let owners = Set(
      try transaction.settlingRecords(folder: folder)
        .filter { $0.subtypes.contains(.livePhoto) }.map(\.assetID))
    let free = records.filter {
      $0.absorbedWhy != "contentIdentifier" && !owners.contains($0.assetID)
    }
    let names = Dictionary(
      records.map { ($0.assetID, BytePath(bytes: $0.name).display) }, uniquingKeysWith: { $1 })
    let result = LivePhotoPairing.pairs(sharingNames: free.map(PairingCandidate.init))
    for pair in result.pairs { try transaction.join(pair) }
    for refusal in result.refusals {
      let (still, clip) = (names[refusal.still] ?? "?", names[refusal.clip] ?? "?")
      for (asset, other) in [(refusal.still, clip), (refusal.clip, still)] {
        try transaction.setLabel(
          Label(
            .livePhoto, isGiven: false, evidence: ["\(other) has its name, but \(refusal.reason)"]),
          asset: asset)
      }
    }
  }

  private func linkFamilies(_ records: [SettlingRecord]) throws {
    let candidates = records.map(PairingCandidate.init)
    for link in FolderFamilies.alternates(candidates) {
      try transaction.absorb(link.member, into: link.owner, as: "alternatePhoto", why: "name+time")
      try transaction.setLabel(
        Label(.raw, isGiven: true, evidence: ["alternatePhoto"]), asset: link.owner)
    }
    let moving = Set(
      try transaction.settlingRecords(folder: folder)
        .filter { $0.subtypes.contains(.livePhoto) }.map(\.assetID))
    for link in FolderFamilies.edited(candidates) {
      // An edited live photo has a clip of its own and stays an asset of its own.
      if !moving.contains(link.member) {
        try transaction.absorb(link.member, into: link.owner, as: "fullSizePhoto", why: "name")
        try transaction.setLabel(
          Label(.edited, isGiven: true, evidence: ["fullSizePhoto"]), asset: link.owner)
      }
      try transaction.setLabel(
        Label(.edited, isGiven: true, evidence: ["name"]), asset: link.member)
    }
  }

  /// Edit instructions beside a picture or video say that it was edited; beside a fast video, that
  /// somebody chose what plays slowly.
  private func markEdited(_ records: [SettlingRecord]) throws {
    for record in records where record.hasAdjustments {
      try transaction.setLabel(
        Label(.edited, isGiven: true, evidence: ["adjustmentData"]), asset: record.assetID)
      let rate = record.clues.first { $0.key == "mov.trackRate" }?.value.flatMap(Double.init)
      if record.mediaType == .video, let rate, rate >= 100 {
        try transaction.setLabel(
          Label(.slomo, isGiven: true, evidence: ["rate:\(rate)", "adjustmentData"]),
          asset: record.assetID)
      }
    }
  }

  private func markBursts(_ records: [SettlingRecord]) throws {
    // Only this rule writes a group with this mark.
    for record in records where record.burstIdentifier?.hasPrefix("name:") == true {
      try transaction.setBurstIdentifier(nil, asset: record.assetID)
      try transaction.removeLabel(.burst, asset: record.assetID)
    }
    for burst in FolderFamilies.numberedBursts(records.map(PairingCandidate.init)) {
      for member in burst.members {
        let record = records.first { $0.assetID == member }
        if let own = record?.burstIdentifier, !own.hasPrefix("name:") { continue }
        try transaction.setBurstIdentifier("name:" + burst.group, asset: member)
        try transaction.setLabel(Label(.burst, isGiven: true, evidence: ["name"]), asset: member)
      }
    }
  }
}
