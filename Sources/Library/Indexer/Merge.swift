package import Catalog
import Foundation
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
      let lastFile = try catalog.read { try $0.lastFile() }
      var departed: [Int64] = []
      var replaced: [ReplacedFile] = []
      var readAgain: Set<BytePath> = []
      for other in catalogs {
        if GracefulCancellation.isRequested { throw CancellationError() }
        let counts = try catalog.merge(other, now: millisecondsSince1970())
        departed += counts.departed
        replaced += counts.replaced
        readAgain.formUnion(counts.readAgain)
        merged(other, counts)
      }
      if !departed.isEmpty || !replaced.isEmpty {
        try catalog.write { [departed, replaced] transaction in
          let found = try transaction.follow(
            replaced, filesAfter: lastFile, now: millisecondsSince1970())
          try transaction.reunite(departed, filesAfter: lastFile, except: found)
        }
      }
      try forgetFailures(of: readAgain, except: catalogs)
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

  /// Forgets that folders and files could not be read that the catalogs of their shards have read since. The other shards have
  /// folders below them, which their own scans may still not have read.
  private func forgetFailures(of paths: Set<BytePath>, except catalogs: [BytePath]) throws {
    var paths = paths
    for other in catalogs where !paths.isEmpty {
      let opened = try Catalog.open(at: other.display, mode: .readOnly)
      paths.subtract(try opened.read { try $0.failedPaths() })
    }
    if !paths.isEmpty { try catalog.write { [paths] in try $0.forgetFailures(of: paths) } }
  }

  private static let searchBatch = 4096

  /// Makes a new catalog of others. It appears under its name when it is complete. What is left by a merge that was
  /// interrupted, in files next to it, is used.
  ///
  /// - Parameters:
  ///   - path: does not exist. The caller holds the lock of its scans.
  ///   - catalogs: absolute paths.
  ///   - merged: receives each path with what was taken from it.
  /// - Returns: the catalogs that were not taken, because their rows have to be compared: to be merged into the new catalog,
  ///   which does not exist if that are all of them.
  /// - Throws: ``CatalogError``, `SystemError`, `CancellationError`.
  package static func create(
    _ path: BytePath, of catalogs: [BytePath],
    merged: @escaping @Sendable (BytePath, MergeCounts) -> Void
  ) async throws -> [BytePath] {
    try Catalog.checkName(path)
    let name = path.lastComponent + Array(".merging".utf8)
    for ending in ["", "-journal", "-parts", "-parts-journal"] {
      let left = path.parent.appending(name + Array(ending.utf8))
      if let kind = try left.status()?.kind, kind != .regular {
        throw CatalogError.cannotOpen(left.display, "it is not a regular file; remove it")
      }
    }
    // Another list of catalogs starts from the beginning.
    let session = ([try bootIdentifier()] + catalogs.map(\.display)).joined(separator: "\n")
    let bulk = try BulkMerge(
      at: path.parent.appending(name), session: session, now: millisecondsSince1970())
    let left = try await GracefulCancellation.run {
      try await bulk.run(
        catalogs, isCancelled: { GracefulCancellation.isRequested }, merged: merged)
    }
    guard let left else { return catalogs }
    let folder = try OpenFolder(path.parent)
    try AppendFile(name, in: folder).sync()
    // SQLite would apply the log of a catalog that was deleted to this one.
    for ending in ["-wal", "-shm", "-journal"] {
      let left = BytePath(bytes: path.bytes + Array(ending.utf8))
      if try left.status() != nil { try left.removeFile() }
    }
    try folder.rename(name, to: path.lastComponent, replacing: false)
    try folder.sync()
    return left
  }

  /// Distinguishes this run of the system from others (random(4)).
  private static func bootIdentifier() throws -> String {
    try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
  }
}
