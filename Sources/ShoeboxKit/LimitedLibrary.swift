import Catalog
import Query
public import SystemPackage

/// Whether a handle sees all of a library, as `PHAuthorizationStatus` says it.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// Every asset.
  case authorized
  /// The assets that a filter allows.
  case limited
}

/// A handle on a library that sees the assets of one filter only, for handing to less trusted code. No filter, id, cursor
/// or token that it is given makes it show another one. It cannot scan.
public struct LimitedLibrary: Sendable {
  private let library: PhotoLibrary
  private let limit: AssetFilter

  init(_ library: PhotoLibrary, _ limit: AssetFilter) {
    (self.library, self.limit) = (library, limit)
  }

  /// Always ``AuthorizationStatus/limited``.
  public var authorization: AuthorizationStatus { .limited }

  /// The allowed assets that match a filter, as ``PhotoLibrary/fetchAssets(_:options:)``.
  public func fetchAssets(
    _ filter: AssetFilter = .everything, options: FetchOptions = FetchOptions()
  ) async throws(PhotoLibraryError) -> FetchResult {
    var allowed: AssetFilter = .all(of: [limit, filter])
    // A filter for missing assets replaces the listed ones, which the limit means, by others.
    if try allowed.query().wantsMissing, try !limit.query().wantsMissing { allowed = .any(of: []) }
    return FetchResult(library, try allowed.query(), options, visible: try limit.query())
  }

  /// One asset; nil if there is none with this id, or it is not allowed.
  public func asset(_ id: Asset.ID) async throws(PhotoLibraryError) -> Asset? {
    try await allows(id) ? try await library.asset(id, visible: try limit.query()) : nil
  }

  /// The asset that a file belongs to, as ``PhotoLibrary/asset(at:)``; nil if there is none, or it is not allowed.
  public func asset(at path: FilePath) async throws(PhotoLibraryError) -> Asset? {
    guard let found = try await library.asset(at: path) else { return nil }
    return try await asset(found.id)
  }

  /// Those of some ids that belong to allowed assets.
  public func allowed(among ids: [Asset.ID]) async throws(PhotoLibraryError) -> Set<Asset.ID> {
    let filter = try limit.query()
    // The beginning of an id, which the command line accepts, is not one.
    let whole = ids.filter { $0.utf8.count == 36 }
    return try await library.query { try $0.identifiers(among: whole, matching: filter) }
  }

  /// The files of an asset; none if there is no such asset, or it is not allowed.
  public func resources(of id: Asset.ID) async throws(PhotoLibraryError) -> [AssetResource] {
    try await allows(id) ? try await library.resources(of: id) : []
  }

  /// Why an asset is of its kinds; nothing if there is no such asset, or it is not allowed.
  public func evidence(for id: Asset.ID) async throws(PhotoLibraryError) -> [Evidence] {
    try await allows(id) ? try await library.evidence(for: id) : []
  }

  /// All metadata in the main file of an allowed asset, as ``PhotoLibrary/metadata(of:)``.
  public func metadata(of id: Asset.ID) async throws(PhotoLibraryError) -> [MetadataTag] {
    guard try await allows(id) else { throw .noAsset(id) }
    return try await library.metadata(of: id)
  }

  /// A picture of an allowed asset, as ``PhotoLibrary/image(for:fitting:priority:)``.
  public func image(
    for id: Asset.ID, fitting size: PixelSize, priority: ImagePriority = .visible
  ) async throws(PhotoLibraryError) -> EncodedImage {
    guard try await allows(id) else { throw .noAsset(id) }
    return try await library.image(for: id, fitting: size, priority: priority)
  }

  /// The export of allowed assets, as ``PhotoLibrary/export(_:as:to:options:)-([Asset.ID],_,_,_)``.
  ///
  /// - Throws: ``PhotoLibraryError/noAsset(_:)`` if one of them is not allowed.
  public func export(
    _ ids: [Asset.ID], as representation: Representation = .compatible, to folder: FilePath,
    options: ExportOptions = ExportOptions()
  ) async throws(PhotoLibraryError) -> ExportSession {
    for id in ids {
      guard try await allows(id) else { throw .noAsset(id) }
    }
    return try await library.export(
      ids, as: representation, to: folder, options, visible: try limit.query())
  }

  /// An allowed asset as a file, as ``PhotoLibrary/data(for:as:)``.
  public func data(
    for id: Asset.ID, as representation: Representation = .compatible
  ) async throws(PhotoLibraryError) -> TransferredFile {
    guard try await allows(id) else { throw .noAsset(id) }
    return try await library.data(for: id, as: representation)
  }

  /// The changes among the allowed assets, from when the sequence's iterator is made. One that the filter begins to match
  /// is inserted, and one that it matches no longer is removed.
  ///
  /// It begins then, not at a token: which assets were allowed at an earlier state is not known.
  public func changes() -> LibraryChanges { library.changes(limitedTo: limit) }

  /// A handle that sees those of the allowed assets that match a filter, too.
  public func limited(to filter: AssetFilter) -> LimitedLibrary {
    LimitedLibrary(library, .all(of: [limit, filter]))
  }

  private func allows(_ id: Asset.ID) async throws(PhotoLibraryError) -> Bool {
    try await !allowed(among: [id]).isEmpty
  }
}

extension PhotoLibrary {
  /// Always ``AuthorizationStatus/authorized``.
  nonisolated public var authorization: AuthorizationStatus { .authorized }

  /// A handle that sees the assets of a filter only.
  nonisolated public func limited(to filter: AssetFilter) -> LimitedLibrary {
    LimitedLibrary(self, filter)
  }
}
