package import Catalog
import Linux
package import MediaModel
package import WorkerPool

/// Merges other catalogs into one, and settles what relates their files to each other.
package struct Merge: Sendable {
  private let catalog: Catalog
  private let workers: MediaWorkers

  /// - Parameter workers: read files that may be copies of each other, as far as they are there.
  package init(into catalog: Catalog, workers: MediaWorkers) {
    (self.catalog, self.workers) = (catalog, workers)
  }

  /// Merges one catalog after the other, each in one transaction.
  ///
  /// - Parameters:
  ///   - catalogs: absolute paths.
  ///   - merged: receives each path with what was taken from it.
  /// - Throws: ``CatalogError``, `WorkerError`, `CancellationError`; the catalogs before are merged.
  package func run(
    _ catalogs: [BytePath], merged: @escaping @Sendable (BytePath, MergeCounts) -> Void
  ) async throws {
    try await GracefulCancellation.run {
      for other in catalogs {
        if GracefulCancellation.isRequested { throw CancellationError() }
        merged(other, try catalog.merge(other))
      }
      try Settlement(catalog: catalog).run()
      while !GracefulCancellation.isRequested,
        try catalog.write({ try $0.writeSearch(limit: Self.searchBatch) }) > 0
      {}
      let roots = try catalog.read { try $0.roots() }
      let copies = CopySearch(
        catalog: catalog, workers: workers,
        source: { path in SourceFile(path, root: roots.first { path.isWithin($0.path) }?.path) },
        progress: { _, _ in })
      try await copies.run()
      if GracefulCancellation.isRequested { throw CancellationError() }
    }
  }

  private static let searchBatch = 4096
}
