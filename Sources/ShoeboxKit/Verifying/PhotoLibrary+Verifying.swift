import Catalog
import Indexer
import Linux
import MediaModel
package import Query
import SystemPackage
import Verifier

/// How much of the content a verification reads: those files first that were not checked for the longest time.
public enum VerificationExtent: Sendable, Hashable {
  /// All files.
  case all
  /// Files until they have this many bytes. The last one is read completely.
  case slice(bytes: Int64)
  /// This part of the bytes of all files, 0 to 1. With a thirtieth a night, each file is checked once a month.
  case share(Double)

  /// The verifier's form.
  var extent: Verifier::VerificationExtent {
    switch self {
    case .all: .all
    case .slice(let bytes): .bytes(bytes)
    case .share(let share): .share(share)
    }
  }
}

/// The files that a verification is about.
package enum VerificationSelection: Sendable {
  /// All files of the catalog, also sidecars that describe nothing.
  case everything
  /// All files of the assets that match; of folders, if nothing else is asked for, all files like ``everything``.
  case matching(Query::AssetFilter)
  /// All files of these assets, or those that were named.
  case named([NamedAsset])

  fileprivate var files: FilesToVerify {
    switch self {
    case .everything: .everything
    case .matching(let filter): .matching(filter)
    case .named(let assets):
      .assets(Dictionary(assets.map { ($0.asset.rowID, $0.files) }) { first, _ in first })
    }
  }
}

extension PhotoLibrary {
  /// Reads the content of files again, from the disk and not from the cache, and compares it with the SHA-256 that an earlier
  /// verification has recorded. The first verification of a file records it. Files are only read.
  ///
  /// Other content is an edit if the file's size or modification time is another too, and bit rot otherwise. Files that the
  /// last scan has not seen in their present state are left out, as are library folders that are unavailable. A scan of
  /// another task or process may run at the same time.
  ///
  /// - Parameters:
  ///   - extent: how much is read.
  ///   - filter: the assets whose files are verified, with their clips and sidecars; everything by default.
  ///   - acceptingContent: whether the present content of files that have rotted becomes the recorded one.
  /// - Throws: ``PhotoLibraryError/readOnly(catalog:)``, ``PhotoLibraryError/invalidFilter(_:)``,
  ///   ``PhotoLibraryError/catalog(path:reason:)``.
  nonisolated public func verify(
    _ extent: VerificationExtent = .all, _ filter: AssetFilter = .everything,
    acceptingContent: Bool = false
  ) async throws(PhotoLibraryError) -> VerificationSession {
    try await onThreads {
      try verify(
        filter == .everything ? .everything : .matching(filter.query()), extent,
        isAccepting: acceptingContent)
    }
  }

  /// The same for all selections.
  nonisolated package func verify(
    _ selection: VerificationSelection, _ extent: VerificationExtent, isAccepting: Bool
  ) throws -> VerificationSession {
    guard configuration.access == .readWrite else {
      throw PhotoLibraryError.readOnly(catalog: configuration.catalog)
    }
    let (roots, unavailable) = try read { catalog in
      var (roots, unavailable): ([Int64], [ScanReport.UnavailableFolder]) = ([], [])
      for root in try catalog.roots().map(\.record) {
        if let reason = try ScanScope.unavailability(of: root, in: catalog) {
          unavailable.append(.init(path: FilePath(root.path), reason: reason))
        } else {
          roots.append(root.id)
        }
      }
      return (roots, unavailable)
    }
    let verification = Verification(
      selection.files, in: catalog, extent.extent, roots: roots, isAccepting: isAccepting,
      jobs: max(1, configuration.jobs ?? Self.readers),
      timeout: configuration.fileTimeout ?? .seconds(20))
    return VerificationSession(verification, without: unavailable, in: self)
  }

  /// Files that are read at the same time by default: one is read while the digest of another is computed. More would make
  /// the heads of a rotating disk move to and fro.
  private static var readers: Int { 2 }
}
