import Catalog
import Query

/// Whether a handle sees all of a library, as `PHAuthorizationStatus` says it.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// Every asset.
  case authorized
  /// The assets that a filter allows.
  case limited
}

/// A handle on a library that sees the assets of one filter only, for handing to less trusted code. Nothing that is
/// asked of it shows more, or that there is more.
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
    try await library.fetchAssets(.all(of: [limit, filter]), options: options)
  }

  /// One asset; nil if there is none with this id, or it is not allowed.
  public func asset(_ id: Asset.ID) async throws(PhotoLibraryError) -> Asset? {
    try await allows(id) ? try await library.asset(id) : nil
  }

  /// The files of an asset; none if there is no such asset, or it is not allowed.
  public func resources(of id: Asset.ID) async throws(PhotoLibraryError) -> [AssetResource] {
    try await allows(id) ? try await library.resources(of: id) : []
  }

  /// Why an asset is of its kinds; nothing if there is no such asset, or it is not allowed.
  public func evidence(for id: Asset.ID) async throws(PhotoLibraryError) -> [Evidence] {
    try await allows(id) ? try await library.evidence(for: id) : []
  }

  /// A picture of an allowed asset, as ``PhotoLibrary/image(for:fitting:priority:)``.
  public func image(
    for id: Asset.ID, fitting size: PixelSize, priority: ImagePriority = .visible
  ) async throws(PhotoLibraryError) -> EncodedImage {
    guard try await allows(id) else { throw .noAsset(id) }
    return try await library.image(for: id, fitting: size, priority: priority)
  }

  private func allows(_ id: Asset.ID) async throws(PhotoLibraryError) -> Bool {
    let filter = try limit.query()
    return try await library.query { try $0.matches(id, filter) }
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
