import Catalog
public import Foundation
import Linux
import MediaModel
public import SystemPackage

/// A picture or video that a scan found gone. The catalog keeps its asset in case it returns.
public struct MissingFile: Sendable, Hashable {
  /// Its last path.
  public let path: FilePath
  /// Its asset.
  public let assetID: Asset.ID?
  /// Bytes.
  public let size: Int64
  /// When the scan began that found it gone.
  public let missingSince: Date
  /// Whether it is in an album of the user.
  public let isInAlbum: Bool

  init(_ file: Catalog::MissingFile) {
    (path, assetID, size) = (FilePath(file.path), file.asset, file.size)
    missingSince = Date(milliseconds: file.since)
    isInAlbum = file.isInAlbum
  }
}

extension PhotoLibrary {
  /// The pictures and videos that are gone, the longest missing first.
  ///
  /// - Parameters:
  ///   - date: only those that scans found gone before; nil for all.
  ///   - folder: only those in this folder or below; nil for all.
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)`` if the date is not a number, or the folder's path is empty.
  nonisolated public func missingFiles(
    before date: Date? = nil, under folder: FilePath? = nil
  ) async throws(PhotoLibraryError) -> [MissingFile] {
    try Self.checkSelection(folder)
    return try await query { try Self.missingFiles(before: date, under: folder, in: $0) }
  }

  /// The same on the caller's thread.
  nonisolated package func listedMissingFiles(
    before date: Date?, under folder: FilePath?
  ) throws -> [MissingFile] {
    try read { try Self.missingFiles(before: date, under: folder, in: $0) }
  }

  nonisolated private static func missingFiles(
    before date: Date?, under folder: FilePath?, in catalog: Catalog
  ) throws -> [MissingFile] {
    let bound = try date?.selectedMilliseconds ?? .max
    return try catalog.read { transaction in
      try transaction.missingFiles(
        before: bound, under: folder.map { BytePath($0) })
    }.map(MissingFile.init)
  }

  /// Forgets the assets of files that are gone. A file that returns later is a new asset, in no album. No file is touched.
  ///
  /// - Parameters:
  ///   - date: only files that scans found gone before.
  ///   - folder: only those in this folder or below; nil for all.
  ///   - includesAlbums: whether assets are forgotten that are in the user's albums.
  /// - Returns: the forgotten pictures and videos. Sidecars that are gone are forgotten, too.
  /// - Throws: ``PhotoLibraryError/busy(catalog:)`` while a scan runs, ``PhotoLibraryError/readOnly(catalog:)``,
  ///   ``PhotoLibraryError/invalidFilter(_:)`` if the date is not a number, or the folder's path is empty.
  @discardableResult
  nonisolated public func purgeMissingFiles(
    before date: Date, under folder: FilePath? = nil, includesAlbums: Bool = false
  ) async throws(PhotoLibraryError) -> [MissingFile] {
    try Self.checkSelection(folder)
    let bound = try date.selectedMilliseconds
    return try await change { _ in
      try changing { catalog in
        try catalog.purgeMissingFiles(
          before: bound, under: folder.map { BytePath($0) },
          includesAlbums: includesAlbums
        ).map(MissingFile.init)
      }
    }
  }

  nonisolated private static func checkSelection(
    _ folder: FilePath?
  ) throws(PhotoLibraryError) {
    if folder?.isEmpty == true { throw .invalidFilter("the folder's path is empty") }
  }
}
