import Catalog
import Indexer
import Linux
import MediaModel
public import SystemPackage

/// The counts of the rows that a merge has taken from one catalog.
public struct MergedCatalog: Sendable, Hashable {
  /// Its path.
  public let path: FilePath
  /// Pictures and videos that were new.
  public let added: Int
  /// Pictures and videos that were known, with other facts.
  public let changed: Int
  /// The pictures and videos that it has.
  public let total: Int
  /// Whether it is as it was when it was merged last, so that nothing was taken.
  public let isUnchanged: Bool

  init(_ path: BytePath, _ counts: MergeCounts) {
    self.path = FilePath(path)
    (added, changed, total) = (counts.added, counts.changed, counts.total)
    isUnchanged = counts.isUnchanged
  }
}

extension PhotoLibrary {
  /// Takes into this catalog what other catalogs have of their library folders: those of the shards of a library, or of
  /// other libraries. Then finds what spans several of them, such as copies, and live photos whose halves are apart.
  ///
  /// Library folders and files are matched by their paths, assets by their ids first. Each catalog is taken in one
  /// transaction; a merge that was interrupted can be repeated, and leaves out what is merged already. Files are only
  /// read to compare possible copies; where they are not there, the next scan compares them.
  ///
  /// - Parameters:
  ///   - catalogs: the other catalogs, which stay as they are.
  ///   - merged: receives what was taken from each.
  /// - Throws: ``PhotoLibraryError/busy(catalog:)`` while a scan runs, ``PhotoLibraryError/readOnly(catalog:)``,
  ///   ``PhotoLibraryError/catalog(path:reason:)``, ``PhotoLibraryError/cancelled``.
  @concurrent
  nonisolated public func merge(
    _ catalogs: [FilePath], merged: @escaping @Sendable (MergedCatalog) -> Void = { _ in }
  ) async throws(PhotoLibraryError) {
    do {
      let lock = try takeScanLock()
      let merge = Merge(into: catalog, workers: try await startedWorkers())
      try await merge.run(try catalogs.map { try BytePath($0).absolute() }) {
        merged(MergedCatalog($0, $1))
      }
      _ = consume lock
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }

  /// Makes a new catalog of others, several times as fast as ``merge(_:merged:)`` fills one that exists. It appears when it
  /// is complete. If this was interrupted, the next call goes on from what it finds in files next to the catalog.
  ///
  /// - Parameters:
  ///   - file: does not exist.
  ///   - catalogs: the other catalogs, which stay as they are.
  ///   - merged: receives what was taken from each.
  /// - Returns: the catalogs that are left to be merged, such as a second one of the same folders. Open the new catalog and
  ///   call ``merge(_:merged:)`` with them, even if there are none: it also finds what spans several catalogs.
  /// - Throws: ``PhotoLibraryError/busy(catalog:)`` while another process makes it,
  ///   ``PhotoLibraryError/catalog(path:reason:)``, ``PhotoLibraryError/system(path:reason:)``,
  ///   ``PhotoLibraryError/cancelled``.
  @concurrent
  public static func createCatalog(
    at file: FilePath, merging catalogs: [FilePath],
    merged: @escaping @Sendable (MergedCatalog) -> Void = { _ in }
  ) async throws(PhotoLibraryError) -> [FilePath] {
    do {
      let path = try BytePath(file).absolute()
      let others = try catalogs.map { try BytePath($0).absolute() }
      // After a wrong name there is no new file, not even a lock.
      try Catalog.checkName(path)
      for other in others { _ = try Catalog.open(at: other.display, mode: .readOnly) }
      try path.parent.makeFolders()
      guard let lock = try FileLock.take(Catalog.lockPath(of: path)) else {
        throw PhotoLibraryError.busy(catalog: file)
      }
      let left = try await Merge.create(path, of: others) {
        merged(MergedCatalog($0, $1))
      }
      _ = consume lock
      return left.map { FilePath($0) }
    } catch {
      throw PhotoLibraryError(error, catalog: file)
    }
  }

  /// Writes the part of this catalog that belongs to a shard as a catalog of its own, in which scans of the shard go on.
  /// Identifiers, albums and what was verified stay. ``merge(_:merged:)`` takes it back.
  ///
  /// - Parameters:
  ///   - shard: one of several parts of the library.
  ///   - file: replaced if it is an earlier backup of a catalog.
  /// - Returns: the bytes of the file.
  /// - Throws: as ``backup(to:)``.
  @concurrent @discardableResult
  nonisolated public func split(
    _ shard: LibraryShard, to file: FilePath
  ) async throws(PhotoLibraryError) -> Int64 {
    let scratch = try TemporaryFolder()
    let part = scratch.path.appending(Array("catalog.sqlite".utf8))
    do {
      try CatalogSplit(catalog.location, shard: shard.shard, now: millisecondsSince1970())
        .write(to: part)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
    var settings = configuration
    (settings.catalog, settings.access) = (FilePath(part), .readWrite)
    let library = PhotoLibrary(
      settings, try Self.catalog(at: settings.catalog.string, .readWrite), surroundings)
    // Settles what has its other half in another shard.
    try await library.merge([])
    return try await library.backup(to: file)
  }
}
