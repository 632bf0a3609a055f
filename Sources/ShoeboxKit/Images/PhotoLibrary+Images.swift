import Catalog
import Linux
import MediaModel
import SystemPackage

extension PhotoLibrary {
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
      return try await imageMaking().image(of: asset, fitting: ImageBox(size), priority)
    }
  }
}
