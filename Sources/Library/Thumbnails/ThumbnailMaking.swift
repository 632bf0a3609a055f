import MediaModel
package import WorkerPool
import WorkerProtocol

/// Makes thumbnails in workers, and stores them.
package struct ThumbnailMaking: Sendable {
  private let cache: ThumbnailCache
  private let workers: MediaWorkers
  private let longerSide: Int

  /// The number of files sent to a worker at once. It is small, because a file that crashes the worker costs the
  /// whole batch.
  private static let batchSize = 16

  package init(cache: ThumbnailCache, workers: MediaWorkers, longerSide: Int) {
    self.cache = cache
    self.workers = workers
    self.longerSide = longerSide
  }

  /// Makes the requested thumbnails and stores them in the cache, or the reason why one cannot be made. After the
  /// task is cancelled, at most one further file is finished.
  ///
  /// - Parameter progress: receives the number of further thumbnails that are done; called from several
  ///   tasks.
  /// - Throws: `WorkerError`, `CancellationError`.
  package func make(
    _ requests: [ThumbnailRequest], progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    guard !requests.isEmpty else { return }
    try await GracefulCancellation.run {
      try await makeAll(requests, progress: progress)
      if GracefulCancellation.isRequested { throw CancellationError() }
    }
  }

  private func makeAll(
    _ requests: [ThumbnailRequest], progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    let batches = WorkQueue(requests.inBatches(of: Self.batchSize))
    try await workers.thumbnails(batches, longerSide: longerSide, file: \.file) { replies in
      try cache.keep(replies.map { ($0.item.key, $0.reply) })
      progress(replies.count)
    }
  }
}
