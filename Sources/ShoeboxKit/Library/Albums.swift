import Catalog
import Linux
import MediaModel
package import Query

/// A named set of assets: one that the user has made, or a folder.
public struct Album: Sendable, Hashable, Codable, Identifiable {
  /// Where an album comes from.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The user has made it. Scans never change it: missing and moved assets stay in it.
    case user
    /// A folder of a Google Takeout, with the title of its album.
    case takeout
    /// A folder with its name.
    case folder
  }

  /// Where it comes from.
  public let kind: Kind
  /// Its title, as ``AssetFilter/album(_:)`` takes it. Titles of one kind differ in more than case.
  public let title: String
  /// The bytes of a folder's name that is not UTF-8, which ``title`` shows with U+FFFD; nil for all others.
  public let titleBytes: [UInt8]?
  /// The number of assets in it, without missing ones.
  public let count: Int
  /// The number of missing assets in an album that the user has made.
  public let missingCount: Int

  /// Its kind and title.
  public var id: String { "\(kind.rawValue):\(title)" }

  init(_ album: AlbumSummary) {
    kind =
      switch album.kind {
      case .user: .user
      case .takeout: .takeout
      case .folder: .folder
      }
    (title, titleBytes) = (album.title, album.titleBytes)
    (count, missingCount) = (album.count, album.missingCount)
  }
}

extension PhotoLibrary {
  /// The albums of some kinds, by title within a kind.
  ///
  /// ```swift
  /// try await library.add(ids, toAlbum: "Best of 2024")
  /// let best = try await library.fetchAssets(.album("Best of 2024"))
  /// ```
  nonisolated public func albums(
    of kinds: Set<Album.Kind> = [.user, .takeout]
  ) async throws(PhotoLibraryError) -> [Album] {
    try await query { try Self.albums(kinds, in: $0) }
  }

  /// Creates an album without assets.
  ///
  /// - Parameter title: 1 to 200 characters on one line.
  /// - Throws: ``PhotoLibraryError/invalidAlbum(reason:)`` if the user has an album of this title, or it cannot be one;
  ///   ``PhotoLibraryError/readOnly(catalog:)``.
  nonisolated public func createAlbum(_ title: String) async throws(PhotoLibraryError) {
    try await change { _ in try writing { try $0.createAlbum(title, now: millisecondsSince1970()) }
    }
  }

  /// Puts assets into an album of the user, which is created if there is none of this title, in any case.
  ///
  /// - Returns: the number of assets that were not in it.
  /// - Throws: ``PhotoLibraryError/unknownAsset(reason:)``, after which nothing has changed;
  ///   ``PhotoLibraryError/invalidAlbum(reason:)``, ``PhotoLibraryError/readOnly(catalog:)``.
  @discardableResult
  nonisolated public func add(
    _ assets: [Asset.ID], toAlbum title: String
  ) async throws(PhotoLibraryError) -> Int {
    try await change { _ in
      try writing { catalog in
        try catalog.add(
          catalog.rows(ofAssets: assets), toAlbum: title, now: millisecondsSince1970()
        ).count
      }
    }
  }

  /// Takes assets out of an album of the user.
  ///
  /// - Returns: the number of assets that were in it.
  /// - Throws: ``PhotoLibraryError/unknownAlbum(reason:)``, ``PhotoLibraryError/unknownAsset(reason:)``, after which nothing
  ///   has changed; ``PhotoLibraryError/readOnly(catalog:)``.
  @discardableResult
  nonisolated public func remove(
    _ assets: [Asset.ID], fromAlbum title: String
  ) async throws(PhotoLibraryError) -> Int {
    try await change { _ in
      try writing { try $0.remove($0.rows(ofAssets: assets), fromAlbum: title).count }
    }
  }

  /// Gives an album of the user another title.
  ///
  /// - Throws: ``PhotoLibraryError/unknownAlbum(reason:)``, ``PhotoLibraryError/invalidAlbum(reason:)``,
  ///   ``PhotoLibraryError/readOnly(catalog:)``.
  nonisolated public func renameAlbum(
    _ old: String, to new: String
  ) async throws(PhotoLibraryError) {
    try await change { _ in _ = try writing { try $0.renameAlbum(old, to: new) } }
  }

  /// Deletes an album of the user. Its assets stay in the library.
  ///
  /// - Throws: ``PhotoLibraryError/unknownAlbum(reason:)``, ``PhotoLibraryError/readOnly(catalog:)``.
  nonisolated public func deleteAlbum(_ title: String) async throws(PhotoLibraryError) {
    try await change { _ in _ = try writing { try $0.deleteAlbum(title) } }
  }

  nonisolated private static func albums(
    _ kinds: Set<Album.Kind>, in catalog: Catalog
  ) throws -> [Album] {
    try catalog.albums(of: Set(kinds.compactMap { AlbumKind(rawValue: $0.rawValue) }))
      .map(Album.init)
  }

  /// Changes what users decide, also while a scan runs.
  nonisolated private func writing<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
    guard configuration.access == .readWrite else {
      throw PhotoLibraryError.readOnly(catalog: configuration.catalog)
    }
    return try body(catalog)
  }
}

// For the command line, on the caller's thread.

/// The result of an addition to an album.
package struct AlbumAddition: Sendable, Hashable {
  /// As the album is spelled.
  package let title: String
  /// Whether it did not exist before.
  package let isNew: Bool
  /// The assets that were not in it before.
  package let count: Int
}

/// The assets that a command changes in an album.
package enum AlbumSelection: Sendable {
  /// Those that match.
  case matching(Query::AssetFilter)
  /// These.
  case named([NamedAsset])
}

extension PhotoLibrary {
  /// The albums of some kinds.
  nonisolated package func listedAlbums(of kinds: Set<Album.Kind>) throws -> [Album] {
    try read { try Self.albums(kinds, in: $0) }
  }

  /// Checks that there is an album of this title: the user's, a Takeout's or a folder.
  ///
  /// - Throws: `UnknownWord` with similar titles.
  nonisolated package func checkAlbum(_ title: String) throws {
    try read { catalog in
      guard try !catalog.hasAlbum(title) else { return }
      let known = try catalog.albums(of: Set(AlbumKind.allCases)).map(\.title)
      throw UnknownWord(
        title, kind: "album", among: known,
        remedy: "`shoebox albums --folders` lists all albums")
    }
  }

  /// Checks the title of an album.
  nonisolated package func checkAlbumTitle(_ title: String) throws {
    _ = try read { _ in try Catalog.albumTitle(typed: title) }
  }

  /// Puts assets into an album of the user, which is created if need be.
  nonisolated package func add(
    _ assets: AlbumSelection, toAlbum title: String
  ) throws -> AlbumAddition {
    try read { catalog in
      let done = try catalog.add(
        Self.rows(assets, in: catalog), toAlbum: title, now: millisecondsSince1970())
      return AlbumAddition(title: done.title, isNew: done.isNew, count: done.count)
    }
  }

  /// Takes assets out of an album of the user.
  nonisolated package func remove(
    _ assets: AlbumSelection, fromAlbum title: String
  ) throws -> (title: String, count: Int) {
    try read { try $0.remove(Self.rows(assets, in: $0), fromAlbum: title) }
  }

  /// Whether a filter matches any asset.
  nonisolated package func isEmpty(_ assets: AlbumSelection) throws -> Bool {
    switch assets {
    case .matching(let filter): try count(matching: filter) == 0
    case .named(let assets): assets.isEmpty
    }
  }

  /// Deletes an album of the user, and returns its title.
  nonisolated package func deletedAlbum(_ title: String) throws -> String {
    try read { try $0.deleteAlbum(title) }
  }

  /// Gives an album of the user another title, and returns both.
  nonisolated package func renamedAlbum(
    _ old: String, to new: String
  ) throws -> (old: String, new: String) {
    try read { try $0.renameAlbum(old, to: new) }
  }

  nonisolated private static func rows(
    _ assets: AlbumSelection, in catalog: Catalog
  ) throws -> [Int64] {
    switch assets {
    case .matching(let filter): try catalog.rows(matching: filter)
    case .named(let assets): assets.map(\.asset.rowID)
    }
  }
}
