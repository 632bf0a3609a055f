import Catalog
import MediaModel
import Recognition

/// Ties the sidecars of one folder to the pictures they belong to, and unties those that are gone.
struct SidecarTying {
  private let transaction: CatalogTransaction

  init(_ transaction: CatalogTransaction) {
    self.transaction = transaction
  }

  /// Brings the ties in a folder up to date; the result depends only on what lies there now.
  func tie(in folder: Int64) throws {
    for asset in try transaction.assetsWithSidecars(in: folder) {
      try transaction.untieSidecars(fromAsset: asset)
      try transaction.unsettleIdentifier(ofAsset: asset)
    }
    let sidecars = try transaction.sidecars(in: folder)
    guard !sidecars.isEmpty else { return }
    let media = try transaction.media(in: folder)
    let matching = SidecarMatching(
      media.map {
        FolderItem(name: $0.name, mediaType: $0.mediaType, isRaw: $0.uniformType.isRaw)
      })
    for sidecar in sidecars {
      for owner in matching.owners(of: sidecar.name, sidecar.facts.kind) {
        try transaction.tie(sidecar, toAsset: media[owner].assetID)
        // A time that a sidecar tells may decide between the copies of a pair.
        try transaction.unsettleIdentifier(ofAsset: media[owner].assetID)
      }
    }
  }
}
