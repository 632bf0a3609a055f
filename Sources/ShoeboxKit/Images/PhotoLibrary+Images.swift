import Catalog
import Linux
import MediaModel
import SystemPackage
import WorkerProtocol

extension PhotoLibrary {
  /// The most pixels on the longer side of an image.
  private static var maximumSide: Int { Thumbnail.maximumSide }

  /// A picture of an asset, as `PHImageManager` makes it: upright, in the sRGB colour space, the edited version if there
  /// is one; a video's poster frame. It is made once and then kept in a file next to the catalog. Equal requests are one.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - size: the picture fits into it and is never enlarged. At most 4096 pixels on the longer side are made.
  ///   - priority: visible pictures are made first.
  /// - Throws: ``PhotoLibraryError/noAsset(_:)``, ``PhotoLibraryError/unreadable(path:reason:)``,
  ///   ``PhotoLibraryError/workersMissing(searched:)``, ``PhotoLibraryError/tooManyRequests``, and
  ///   ``PhotoLibraryError/cancelled``.
  nonisolated public func image(
    for id: Asset.ID, fitting size: PixelSize, priority: ImagePriority = .visible
  ) async throws(PhotoLibraryError) -> EncodedImage {
    try await telemetry.measure(.image, of: id) { () throws(PhotoLibraryError) in
      guard let asset = try await record(id) else { throw .noAsset(id) }
      guard asset.status == .present else {
        throw .unreadable(
          path: FilePath(asset.path), reason: asset.error ?? "The file is missing.")
      }
      let side = Self.longerSide(of: asset.pixelSize, fitting: size)
      return try await imageMaking().image(of: asset, longerSide: side, priority)
    }
  }

  /// The longer side of a picture that fits into a box.
  private static func longerSide(of whole: MediaModel::PixelSize?, fitting box: PixelSize) -> Int {
    let box = (width: max(1, box.width), height: max(1, box.height))
    guard let whole, whole.width > 0, whole.height > 0 else {
      return min(min(box.width, box.height), maximumSide)
    }
    let scale = min(
      Double(box.width) / Double(whole.width), Double(box.height) / Double(whole.height), 1)
    let side = (Double(max(whole.width, whole.height)) * scale).rounded(.down)
    return min(max(1, Int(side)), maximumSide)
  }
}
