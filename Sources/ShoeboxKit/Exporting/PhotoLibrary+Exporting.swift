import Catalog
import Exporter
import Linux
package import MediaModel
package import Query
public import SystemPackage

extension PhotoLibrary {
  /// Plans the export of assets into a folder, which is made if need be. Originals are never changed; what an earlier
  /// export of the same library made counts as done.
  ///
  /// - Parameters:
  ///   - ids: the assets.
  ///   - representation: what they become.
  ///   - folder: where the results go, below the names of their folders in the library.
  ///   - options: their names, and what happens to files that have them.
  /// - Throws: ``PhotoLibraryError/noAsset(_:)``, ``PhotoLibraryError/invalidRepresentation(_:)``,
  ///   ``PhotoLibraryError/invalidNameTemplate(_:)``, ``PhotoLibraryError/export(reason:)``,
  ///   ``PhotoLibraryError/folder(_:reason:)`` if the folder's path is empty,
  ///   ``PhotoLibraryError/workersMissing(searched:)`` if a file has to be opened.
  nonisolated public func export(
    _ ids: [Asset.ID], as representation: Representation = .compatible, to folder: FilePath,
    options: ExportOptions = ExportOptions()
  ) async throws(PhotoLibraryError) -> ExportSession {
    try await export(ids, as: representation, to: folder, options, visible: nil)
  }

  /// Plans the export of assets.
  ///
  /// - Parameter visible: what the caller may see of the library, if it is a limited one. Then results contain nothing of
  ///   exact copies, which it may not show.
  nonisolated func export(
    _ ids: [Asset.ID], as representation: Representation, to folder: FilePath,
    _ options: ExportOptions, visible: Query::AssetFilter?
  ) async throws(PhotoLibraryError) -> ExportSession {
    var assets: [NamedAsset] = []
    var known: Set<Asset.ID> = []
    for id in ids where known.insert(id).inserted {
      guard var asset = try await record(id) else { throw .noAsset(id) }
      if visible != nil { asset.copiesInAlbums = [] }
      assets.append(NamedAsset(asset))
    }
    return try await export(
      .named(assets), as: representation, in: folder, options,
      visible: visible ?? Query::AssetFilter())
  }

  /// Plans the export of all assets of a fetch. Those that the last scan could not read are skipped.
  ///
  /// - Parameters:
  ///   - result: the assets.
  ///   - representation: what they become.
  ///   - folder: where the results go, below the names of their folders in the library.
  ///   - options: their names, and what happens to files that have them.
  /// - Throws: as ``export(_:as:to:options:)-([Asset.ID],_,_,_)``.
  nonisolated public func export(
    _ result: FetchResult, as representation: Representation = .compatible, to folder: FilePath,
    options: ExportOptions = ExportOptions()
  ) async throws(PhotoLibraryError) -> ExportSession {
    let order = result.options.assetOrder(limit: result.options.limit.map { max(0, $0) })
    return try await export(
      .matching(result.filter, order), as: representation, in: folder, options,
      visible: result.visible)
  }

  nonisolated private func export(
    _ selection: ExportSelection, as representation: Representation, in folder: FilePath,
    _ options: ExportOptions, visible: Query::AssetFilter
  ) async throws(PhotoLibraryError) -> ExportSession {
    guard !folder.isEmpty else {
      throw .folder(folder, reason: "the path of the folder to export to is empty: name a folder")
    }
    do {
      return try await export(
        selection, as: representation, to: try BytePath(folder).absolute(), options: options,
        visible: visible)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }

  /// The one way of every export.
  ///
  /// - Parameters:
  ///   - folder: absolute.
  ///   - visible: what the caller may see of the library.
  nonisolated package func export(
    _ selection: ExportSelection, as representation: Representation, to folder: BytePath,
    options: ExportOptions, visible: Query::AssetFilter = Query::AssetFilter()
  ) async throws -> ExportSession {
    do {
      return try await threads.run {
        try await planned(
          selection, as: representation, to: folder, options: options, visible: visible)
      }
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: configuration.catalog)
    }
  }

  @concurrent
  nonisolated private func planned(
    _ selection: ExportSelection, as representation: Representation, to folder: BytePath,
    options: ExportOptions, visible: Query::AssetFilter
  ) async throws -> ExportSession {
    var request = try representation.request()
    (request.template, request.isFlat) = (try options.template, options.isFlat)
    request.replacement = options.replacement
    request.sidecars = options.sidecars.map { _ in .xmp }
    request.writesMetadata = options.writesMetadata
    request.shard = options.shard?.shard
    let subjects = try Catalog.endingWhenCancelled { [request] in
      try self.subjects(selection, for: request)
    }
    let target = TargetFolder(
      folder, libraries: try catalog.roots().map(\.record), key: try catalog.exportKey(),
      libraryFiles: { [catalog] in try catalog.paths(ofFilesWithInode: $0) })
    let export = Export(
      request, to: target, workers: try await exportWorkers(), planningOn: threads)
    let plan = try await export.plan(subjects) { [catalog] in try catalog.identifiers(among: $0) }
    let bursts = try Catalog.endingWhenCancelled {
      try catalog.burstCounts(of: plan.items.map(\.asset), matching: visible)
    }
    return ExportSession(
      export, plan, bursts: bursts, catalog: configuration.catalog, measuredBy: telemetry)
  }
}
