import Catalog
import MediaModel
import Synchronization
import Thumbnails

/// The pictures that are kept next to the catalog of one library.
///
/// They are opened once: where the folder of the catalog is not writable, they are in a temporary file, and a
/// second cache would not contain what was put there.
final class SharedImageCache: Sendable {
  /// Nil until they are used. A failure is not kept: the next use tries again.
  private let opened = Mutex<ThumbnailCache?>(nil)

  /// - Parameter catalog: the library's, at each call the same.
  func cache(of catalog: Catalog) throws(ThumbnailCacheError) -> ThumbnailCache {
    try opened.withLock { opened throws(ThumbnailCacheError) -> ThumbnailCache in
      if let opened { return opened }
      let cache = try ThumbnailCache(path: catalog.location.display + ".thumbnails")
      opened = cache
      return cache
    }
  }
}
