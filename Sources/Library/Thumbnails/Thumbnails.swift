// Thumbnails: small pictures of assets, made once and kept.
//
// Workers open the pictures and return small JPEGs. This module keeps them in a file next to the catalog, so that the
// second contact sheet of a library opens no picture. The file is a cache: it may be deleted at any time, it is rebuilt
// when it is damaged, and its size has a limit.

package import MediaModel
package import WorkerProtocol

/// Identifies the source of a thumbnail. Another file, another size, or a changed file has another key.
package struct ThumbnailKey: Sendable, Hashable {
  /// The asset's id.
  package var asset: String
  /// Bytes of the asset's own file.
  package var size: Int64
  /// When that changed, in nanoseconds since 1970 UTC.
  package var modified: Int64
  /// Pixels that the longer side has at most.
  package var longerSide: Int

  package init(asset: String, size: Int64, modified: Int64, longerSide: Int) {
    self.asset = asset
    self.size = size
    self.modified = modified
    self.longerSide = longerSide
  }

  package init(_ asset: AssetRecord, longerSide: Int) {
    self.init(
      asset: asset.identifier, size: asset.size, modified: asset.modified, longerSide: longerSide)
  }
}

/// An asset of which a thumbnail is to be made.
package struct ThumbnailRequest: Sendable, Hashable {
  package var key: ThumbnailKey
  package var file: ThumbnailItem

  package init(_ asset: AssetRecord, longerSide: Int) {
    key = ThumbnailKey(asset, longerSide: longerSide)
    file = ThumbnailItem(path: asset.path, uniformType: asset.uniformType)
  }
}
