import Catalog
import Foundation
import Linux
package import MediaModel
import SystemPackage
import Thumbnails
import WorkerProtocol

/// The pictures of assets that were made before, read on the caller's thread: those that ``PhotoLibrary/image(for:fitting:priority:)``
/// makes, of the originals and of one size.
package struct StoredImages: Sendable {
  /// The outcome of a request for a picture.
  package enum State: Sendable {
    /// It is there.
    case made
    /// It could not be made; the sentence says why. Another try would perhaps end otherwise, unless it is final.
    case failed(String, isFinal: Bool)
  }

  private let cache: ThumbnailCache
  private let longerSide: Int

  init(_ cache: ThumbnailCache, longerSide: Int) {
    (self.cache, self.longerSide) = (cache, longerSide)
  }

  /// The state of an asset's picture; nil if none was asked for.
  package func state(of asset: AssetRecord) throws -> State? {
    switch try translating({ try cache.outcome(for: key(asset)) }) {
    case nil: nil
    case .made: .made
    case .failed(let failure): .failed(failure.message, isFinal: !failure.reason.isTransient)
    }
  }

  /// The picture of an asset; nil if there is none.
  package func image(of asset: AssetRecord) throws -> EncodedImage? {
    try translating { try cache.thumbnail(for: key(asset)) }.map { EncodedImage($0) }
  }

  /// Removes the oldest pictures of the library if all take too much room.
  package func trim() throws { try translating { try cache.trim(to: ImageMaking.cacheLimit) } }

  private func key(_ asset: AssetRecord) -> ThumbnailKey {
    ThumbnailKey(asset, longerSide: longerSide)
  }

  private func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: FilePath())
    }
  }
}

extension PhotoLibrary {
  /// The pictures of originals with at most this number of pixels on the longer side.
  nonisolated package func storedImages(longerSide: Int) throws -> StoredImages {
    do {
      return StoredImages(try imageCache.cache(of: catalog), longerSide: longerSide)
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: configuration.catalog)
    }
  }

  /// A picture of an original with at most this number of pixels on its longer side, from the cache if it is there.
  ///
  /// - Throws: ``PhotoLibraryError/unreadable(path:reason:)`` if none can be made of the file, and as
  ///   ``makeImages(of:longerSide:progress:)``.
  nonisolated package func originalImage(
    of asset: AssetRecord, longerSide: Int
  ) async throws(PhotoLibraryError) -> EncodedImage {
    try await imageMaking().image(
      of: asset, longerSide: longerSide, .upcoming, isOriginal: true)
  }

  /// Makes pictures of originals. What cannot be made of a file is recorded, see ``StoredImages/state(of:)``. Starts no
  /// worker without assets.
  ///
  /// - Parameter progress: called after each picture, from several tasks.
  /// - Throws: ``PhotoLibraryError/workersMissing(searched:)``, ``PhotoLibraryError/workers(reason:)``,
  ///   ``PhotoLibraryError/cancelled``.
  nonisolated package func makeImages(
    of assets: [AssetRecord], longerSide: Int, progress: @escaping @Sendable () -> Void
  ) async throws(PhotoLibraryError) {
    guard !assets.isEmpty else { return }
    let making = try await imageMaking(trimming: false)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        var rest = assets[...]
        func addNext() {
          guard let asset = rest.popFirst() else { return }
          group.addTask {
            try await making.make(originalOf: asset, longerSide: longerSide)
            progress()
          }
        }
        // Enough that no worker waits for the next request.
        for _ in 0..<(2 * jobs) { addNext() }
        while try await group.next() != nil { addNext() }
      }
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }
}
