import Catalog
import MediaModel
import Query

extension PhotoLibrary {
  /// The assets that match a filter. They are read when the result is asked for them.
  ///
  /// - Parameters:
  ///   - filter: which assets.
  ///   - options: their order and number.
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)``.
  @concurrent
  nonisolated public func fetchAssets(
    _ filter: AssetFilter = .everything, options: FetchOptions = FetchOptions()
  ) async throws(PhotoLibraryError) -> FetchResult {
    FetchResult(self, try filter.query(), options, visible: Query::AssetFilter())
  }

  /// One asset; nil if there is none with this id.
  nonisolated public func asset(_ id: Asset.ID) async throws(PhotoLibraryError) -> Asset? {
    try await asset(id, visible: Query::AssetFilter())
  }

  /// One asset as a library with this visible part shows it; nil if there is none with this id.
  nonisolated func asset(
    _ id: Asset.ID, visible: Query::AssetFilter
  ) async throws(PhotoLibraryError) -> Asset? {
    guard let record = try await record(id) else { return nil }
    return try await query { try $0.assets([record], visible: visible).first }
  }

  /// The files that an asset consists of; none if there is no asset with this id.
  nonisolated public func resources(of id: Asset.ID) async throws(PhotoLibraryError)
    -> [AssetResource]
  {
    try await record(id)?.resources.map(AssetResource.init) ?? []
  }

  /// Why an asset is of its kinds, and what nearly made it one of others; nothing if there is no asset with this id.
  nonisolated public func evidence(for id: Asset.ID) async throws(PhotoLibraryError) -> [Evidence] {
    Evidence.list(try await record(id)?.labels ?? [])
  }

  /// The asset with an id; nil if the catalog has none.
  nonisolated func record(_ id: Asset.ID) async throws(PhotoLibraryError) -> AssetRecord? {
    // The beginning of an id, which `shoebox show` accepts, is none.
    guard id.utf8.count == 36 else { return nil }
    return try await query { catalog in
      do {
        return try catalog.asset(.identifier(id))
      } catch is AssetReferenceError {
        return nil
      }
    }
  }
}
