import Catalog
import Foundation
import Linux
import MediaModel
import Synchronization
import SystemPackage
import Thumbnails
import WorkerPool
import WorkerProtocol

/// Makes pictures of assets, and keeps them in a file next to the catalog.
struct ImageMaking: Sendable {
  /// The limit on the small pictures of the cache in bytes.
  static let cacheLimit = 512 << 20
  /// The limit on its large pictures, of more than ``Thumbnail/smallSide`` pixels, in bytes.
  private static let largeCacheLimit = 256 << 20
  /// After this number of new small pictures the cache is cut to its limit again.
  private static let trimInterval = 500
  /// The same for bytes of new large pictures.
  private static let largeTrimInterval = 32 << 20

  let cache: ThumbnailCache
  let workers: MediaWorkers
  /// Where the cache is read and written.
  private let threads: BlockingExecutor
  /// Equal requests are one. The result is in the cache, unless that cannot be written.
  private let queue: RequestQueue<ThumbnailKey, UnkeptPicture?>
  /// Requests for large pictures, which leave a worker to the small ones if there is more than one.
  private let largeQueue: RequestQueue<ThumbnailKey, UnkeptPicture?>
  /// The picture in the cache; nil if it is not cut.
  private let kept: Kept?

  /// - Parameters:
  ///   - shared: the library's pictures.
  ///   - threads: where the cache is read and written.
  ///   - jobs: how many pictures are made at once.
  ///   - pending: how many may wait to be made.
  ///   - trimming: whether pictures that were not used for long are removed, if there are too many.
  init(
    _ catalog: Catalog, _ shared: SharedImageCache, _ workers: MediaWorkers,
    on threads: BlockingExecutor, jobs: Int, pending: Int, trimming: Bool
  ) throws(PhotoLibraryError) {
    do {
      cache = try shared.cache(of: catalog)
    } catch {
      throw .system(path: FilePath(catalog.location), reason: error.description)
    }
    if trimming {
      // A cache that cannot be written is one all the same.
      try? cache.trim(to: Self.cacheLimit)
      try? cache.trim(.large, to: Self.largeCacheLimit)
    }
    (self.workers, self.threads) = (workers, threads)
    kept = trimming ? Kept() : nil
    queue = RequestQueue(width: jobs, length: pending)
    largeQueue = RequestQueue(width: max(1, jobs - 1), length: pending)
  }

  /// Times that a picture is made again, if the first one has another shape than the asset's size in the catalog.
  private static let corrections = 3

  /// A picture of an asset that fits into a box.
  func image(
    of asset: AssetRecord, fitting box: ImageBox, _ priority: ImagePriority
  ) async throws(PhotoLibraryError) -> EncodedImage {
    var side = box.longerSide(of: asset.pixelSize)
    for _ in 0..<Self.corrections {
      let image = try await image(of: asset, longerSide: side, priority)
      guard
        let better = box.betterSide(
          than: side, of: image.pixelSize, expecting: asset.pixelSize)
      else { return image }
      side = better
    }
    return try await image(of: asset, longerSide: min(side, box.shorterSide), priority)
  }

  /// A picture of an asset with at most this number of pixels on its longer side.
  ///
  /// - Parameter isOriginal: whether it shows the original although there is an edited version.
  func image(
    of asset: AssetRecord, longerSide: Int, _ priority: ImagePriority, isOriginal: Bool = false
  ) async throws(PhotoLibraryError) -> EncodedImage {
    var request = ThumbnailRequest(asset, longerSide: longerSide)
    if !isOriginal,
      let edited = asset.resources.first(where: { $0.type == .fullSizePhoto && $0.owner == nil })
    {
      request.file = ThumbnailItem(path: edited.path, uniformType: edited.uniformType)
      // The key's times are those of the original.
      request.key.asset += "/\(asset.revision)"
    }
    if let image = try await stored(request, asset) { return image }
    if let unkept = try await wait(for: request, priority, isNeededOnce: true) {
      return EncodedImage(unkept.image)
    }
    if let image = try await stored(request, asset) { return image }
    throw .unreadable(path: FilePath(asset.path), reason: "Its file has changed; scan it again.")
  }

  /// The picture in the cache, which is read on the threads; nil if there is none yet.
  private func stored(
    _ request: ThumbnailRequest, _ asset: AssetRecord
  ) async throws(PhotoLibraryError) -> EncodedImage? {
    try await threads.run { () throws(PhotoLibraryError) in try found(request, asset) }
  }

  /// The picture in the cache; nil if there is none yet.
  ///
  /// - Throws: ``PhotoLibraryError/unreadable(path:reason:)`` if none can be made.
  private func found(
    _ request: ThumbnailRequest, _ asset: AssetRecord
  ) throws(PhotoLibraryError) -> EncodedImage? {
    do {
      if let thumbnail = try cache.thumbnail(for: request.key) {
        cache.noteUse(of: request.key) { threads.start($0) }
        return EncodedImage(thumbnail)
      }
      guard case .failed(let failure) = try cache.outcome(for: request.key),
        !failure.reason.isTransient
      else { return nil }
      throw PhotoLibraryError.unreadable(path: FilePath(asset.path), reason: failure.message)
    } catch let error as PhotoLibraryError {
      throw error
    } catch {
      throw .system(path: nil, reason: String(describing: error))
    }
  }

  /// Makes a picture of an asset's original for the cache. That nothing can be made of the file is kept and no error.
  func make(
    originalOf asset: AssetRecord, longerSide: Int
  ) async throws(PhotoLibraryError) {
    let unkept: UnkeptPicture?
    do {
      unkept = try await wait(for: ThumbnailRequest(asset, longerSide: longerSide), .upcoming)
    } catch .unreadable {
      return
    }
    if let unkept { throw PhotoLibraryError(unkept.reason, catalog: FilePath()) }
  }

  /// Waits until a picture is in the cache.
  ///
  /// - Parameter isNeededOnce: whether a picture that has got there meanwhile will do. An equal request may have ended
  ///   between the look into the cache and this one.
  /// - Returns: the picture, if it is not in the cache.
  private func wait(
    for request: ThumbnailRequest, _ priority: ImagePriority, isNeededOnce: Bool = false
  ) async throws(PhotoLibraryError) -> UnkeptPicture? {
    let isSmall = PictureClass(longerSide: request.key.longerSide) == .small
    let queue = isSmall ? queue : largeQueue
    do {
      return try await queue.value(for: request.key, priority: priority.work) {
        [self, request] priority in
        // To store a picture may take long, too: another process may hold the file.
        try await threads.run {
          if isNeededOnce, try cache.outcome(for: request.key)?.isFinal == true { return nil }
          return try await make(request, priority)
        }
      }
    } catch {
      throw PhotoLibraryError(error, catalog: FilePath())
    }
  }

  /// Makes a picture and puts it into the cache.
  ///
  /// - Returns: the picture, if it is not in the cache, because for example the disk is full.
  private func make(
    _ request: ThumbnailRequest, _ priority: WorkPriority
  ) async throws -> UnkeptPicture? {
    let longerSide = request.key.longerSide
    let outcome = PictureOutcome()
    try await workers.thumbnails(
      WorkQueue([[request]]), longerSide: longerSide, priority: priority, file: \.file
    ) { replies in
      let reply = replies.first?.reply
      do throws(ThumbnailCacheError) {
        try cache.keep(replies.map { ($0.item.key, $0.reply) })
        if let kept { try trim(after: replies.map(\.reply), of: longerSide, kept) }
      } catch {
        // As the cache checks it: a hostile file may have taken over the worker.
        guard case .thumbnail(let image) = reply, image.isSound, image.fits(longerSide: longerSide)
        else { throw error }
        outcome.unkept.withLock { $0 = UnkeptPicture(image: image, reason: error) }
      }
      if case .failed(let reason) = reply { outcome.failure.withLock { $0 = reason.message } }
    }
    guard let reason = outcome.failure.withLock({ $0 }) else {
      return outcome.unkept.withLock { $0 }
    }
    throw PhotoLibraryError.unreadable(path: FilePath(request.file.path), reason: reason)
  }

  /// Cuts the cache to its limits after enough new pictures.
  private func trim(
    after replies: [ThumbnailReply], of longerSide: Int, _ kept: Kept
  ) throws(ThumbnailCacheError) {
    switch PictureClass(longerSide: longerSide) {
    case .small:
      guard kept.pictures(replies.count, reach: Self.trimInterval) else { return }
      try cache.trim(to: Self.cacheLimit)
    case .large:
      let bytes = replies.reduce(0) { sum, reply in
        if case .thumbnail(let image) = reply { sum + image.jpeg.count } else { sum }
      }
      guard kept.bytes(bytes, reach: Self.largeTrimInterval) else { return }
      try cache.trim(.large, to: Self.largeCacheLimit)
    }
  }
}

extension ImagePriority {
  /// The priority of the worker's work.
  fileprivate var work: WorkPriority {
    switch self {
    case .upcoming: .upcoming
    case .visible: .interactive
    }
  }
}

/// The pictures that copies of a value have put into the cache.
private final class Kept: Sendable {
  private let smallPictures = Atomic(0)
  private let largeBytes = Atomic(0)

  /// Adds small pictures; whether their number passes a multiple of `interval`.
  func pictures(_ count: Int, reach interval: Int) -> Bool {
    let (before, after) = smallPictures.add(count, ordering: .relaxed)
    return before / interval != after / interval
  }

  /// Adds bytes of large pictures; whether their number passes a multiple of `interval`.
  func bytes(_ count: Int, reach interval: Int) -> Bool {
    let (before, after) = largeBytes.add(count, ordering: .relaxed)
    return before / interval != after / interval
  }
}

/// A picture that is not in the cache.
private struct UnkeptPicture: Sendable {
  var image: Thumbnail
  var reason: ThumbnailCacheError
}

/// The outcome of a request to a worker for a picture, unless it is in the cache.
private final class PictureOutcome: Sendable {
  /// Why the worker could not make it.
  let failure = Mutex<String?>(nil)
  let unkept = Mutex<UnkeptPicture?>(nil)
}
