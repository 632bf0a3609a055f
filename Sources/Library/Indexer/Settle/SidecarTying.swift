import Catalog
import MediaModel
import Recognition

/// Ties the sidecars of one folder to the pictures they belong to, and unties those that are gone.
struct SidecarTying {
  private let transaction: CatalogTransaction

  init(_ transaction: CatalogTransaction) {
    self.transaction = transaction
  }

  /// A sidecar and the media files in its folder that it belongs to by its name.
  struct Tie {
    var sidecar: SidecarRecord
    var owners: [MediaRecord]
  }

  /// Updates the ties in a folder; the result depends only on the files that are there now.
  func tie(in folder: Int64) throws {
    for asset in try transaction.assetsWithSidecars(in: folder) {
      try transaction.untieSidecars(fromAsset: asset)
      try transaction.unsettleIdentifier(ofAsset: asset)
    }
    for tie in try ties(in: folder) {
      for owner in tie.owners {
        try transaction.tie(tie.sidecar, toAsset: owner.assetID)
        // A time in a sidecar may decide between the copies of a pair.
        try transaction.unsettleIdentifier(ofAsset: owner.assetID)
        // Settling the folder shares the sidecar with the asset that has absorbed the file.
        if owner.isAbsorbed { try transaction.unsettle(folder: folder) }
      }
    }
  }

  /// What each sidecar of a folder belongs to.
  func ties(in folder: Int64) throws -> [Tie] {
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
      return Tie(sidecar: sidecar, owners: owners.map { media[$0] })
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
    let ties = try ties(in: folder)
    guard !ties.isEmpty else { return }
    for asset in assets.sorted() {
      let own = ties.filter { $0.owners.contains { $0.assetID == asset } }.map(\.sidecar)
      let lent = (members[asset] ?? []).flatMap { member in
        ties.filter { $0.owners.contains { $0.assetID == member } }.map(\.sidecar)
      }
      .filter { $0.facts.kind != .adjustmentData && !own.contains($0) }
      guard !lent.isEmpty || former.contains(asset) else { continue }
      try transaction.untieSidecars(fromAsset: asset)
      // The last XMP file counts.
      for sidecar in lent + own { try transaction.tie(sidecar, toAsset: asset) }
    }
  }
}
