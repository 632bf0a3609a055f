import ShoeboxKit

/// A file that is made of an asset, for a host or for a page.
struct Rendition: Sendable, Hashable {
  /// The asset.
  var asset: Asset.ID
  /// Its revision: a changed asset is made again.
  var revision: Int64
  /// What it becomes.
  var representation: Representation
  /// Whether a page shows it, and no host receives it. It is made only as long as the page asks for it.
  var isPreview: Bool

  init(_ asset: Asset, as representation: Representation, isPreview: Bool = false) {
    (self.asset, revision, self.representation) = (asset.id, asset.revision, representation)
    self.isPreview = isPreview
  }
}

/// A part of an asset that a host can fetch.
enum AssetPart: String, Sendable {
  /// The picture, or the video of a video.
  case still
  /// The clip of a live or motion photo.
  case motion
}

extension PickerSession {
  /// What a result becomes: in the format that the host asked for, with the metadata that it and the person accept.
  func representation(of part: AssetPart) -> Representation {
    var representation: Representation =
      config.preferredAssetRepresentationMode == .current ? .current : .compatible
    representation = representation.livePhoto(part == .still ? .still : .motion)
    if removesLocation { representation = representation.removingLocation() }
    if removesCaptions { representation = representation.removingCaptions() }
    return representation
  }
}
