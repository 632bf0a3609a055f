// Thumbnails: small pictures of assets, made once and kept.
//
// Workers open the pictures and return small JPEGs. This module keeps them in a file next to the catalog, so that the
// second contact sheet of a library opens no picture. The file is a cache: it may be deleted at any time, it is rebuilt
// when it is damaged, and its size has a limit. The signatures of pictures, by which those that look the same are
// found, are in the same file. They are small and have no limit: the search needs all of them.

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

/// Pictures that share a limit on their bytes: large ones, which take as much as fifty small ones, never displace these.
package enum PictureClass: Sendable, CaseIterable {
  /// Of a contact sheet or a grid.
  case small
  /// A person sees one at a time.
  case large

  /// The class of pictures with this number of pixels on their longer side.
  package init(longerSide: Int) {
    self = longerSide <= Thumbnail.smallSide ? .small : .large
  }

  /// The SQL condition on the cache's rows, literally as in its index.
  var condition: String {
    switch self {
    case .small: "longer_side <= \(Thumbnail.smallSide)"
    case .large: "longer_side > \(Thumbnail.smallSide)"
    }
  }

  /// The index of its pictures by age.
  var index: String {
    switch self {
    case .small: "small_by_age"
    case .large: "large_by_age"
    }
  }

  /// If the numbers of its pictures are less apart, their uses are not recorded.
  var fewest: Int {
    switch self {
    case .small: 1000
    case .large: 20
    }
  }
}
