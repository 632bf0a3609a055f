import Foundation
import GRDB
import MediaModel
package import Query

/// Where an album comes from.
package enum AlbumKind: String, Sendable, CaseIterable {
  /// The user has made it.
  case user
  /// A folder with a title from a Takeout's JSON file.
  case takeout
  /// A folder, by its name.
  case folder
}

/// An album with the number of its assets.
package struct AlbumSummary: Sendable, Hashable {
  package var kind: AlbumKind
  package var title: String
  /// The name of a folder that is not UTF-8, and that `title` shows with U+FFFD.
  package var titleBytes: [UInt8]?
  /// Listed assets.
  package var count: Int
  /// Assets of a user's album whose files are missing.
  package var missingCount = 0
}

extension Catalog {
  /// The albums of some kinds, by title within a kind. A folder without assets is not an album; folders whose names
  /// differ at most in case and form are one.
  package func albums(of kinds: Set<AlbumKind>) throws -> [AlbumSummary] {
    try read { transaction in
      let database = transaction.database
      var albums: [AlbumSummary] = []
      if kinds.contains(.user) { albums += try Self.userAlbums(in: database) }
      if kinds.contains(.takeout) { albums += try Self.folders(.takeout, in: database) }
      if kinds.contains(.folder) { albums += try Self.folders(.folder, in: database) }
      return albums
    }
  }

  /// Whether there is an album of this title: the user's, or a folder.
  package func hasAlbum(_ title: String) throws -> Bool {
    try read { transaction in
      let database = transaction.database
      let albums = try MatchingAlbums(.equal, title, in: database)
      return try albums.hasUserAlbums || albums.hasFolders(in: database)
    }
  }

  /// The rows of all matching assets.
  package func rows(matching filter: AssetFilter) throws -> [Int64] {
    try read { transaction in
      let database = transaction.database
      let (sql, arguments) = try AssetQuery(filter, order: AssetOrder(), reading: [], in: database)
        .ids()
      return try Int64.fetchAll(database, sql: sql, arguments: arguments)
    }
  }

  /// The rows of the assets with these identifiers, in no order.
  ///
  /// - Throws: ``AssetReferenceError/unknownIdentifier(_:)``.
  package func rows(ofAssets identifiers: [String]) throws -> [Int64] {
    try read { transaction in
      try identifiers.map { identifier in
        let row =
          identifier.utf8.count == 36
          ? try Int64.fetchOne(
            transaction.database.cachedStatement(sql: "SELECT id FROM assets WHERE identifier = ?"),
            arguments: [StoredIdentifier(identifier)]) : nil
        guard let row else { throw AssetReferenceError.unknownIdentifier(identifier) }
        return row
      }
    }
  }

  private static func userAlbums(in database: Database) throws -> [AlbumSummary] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT l.title,
          (SELECT count(*) FROM album_assets AS m CROSS JOIN assets AS a ON a.id = m.asset_id
            WHERE m.album_id = l.id AND a.is_listed),
          (SELECT count(*) FROM album_assets AS m CROSS JOIN assets AS a ON a.id = m.asset_id
            WHERE m.album_id = l.id AND a.is_missing)
        FROM albums AS l
        """)
    return rows.map {
      AlbumSummary(kind: .user, title: $0[0], count: $0[1], missingCount: $0[2])
    }.sorted { $0.title.comparable < $1.title.comparable }
  }

  private static func folders(
    _ kind: AlbumKind, in database: Database
  ) throws -> [AlbumSummary] {
    let hint = try IndexHint("assets_by_folder", in: database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT CAST(\(Attribute.album.sql) AS BLOB),
          (SELECT count(*) FROM assets AS a\(hint.sql) WHERE a.folder_id = d.id AND a.is_listed) AS count
        FROM folders AS d CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE d.title IS \(kind == .takeout ? "NOT " : "")NULL AND count > 0
        """)
    var albums: [String: AlbumSummary] = [:]
    while let row = try rows.next() {
      let name = BytePath(bytes: Array(row[0] as Data? ?? Data()))
      let title = name.display
      let album = AlbumSummary(
        kind: kind, title: title, titleBytes: name.text == nil ? name.bytes : nil, count: 0)
      albums[title.comparable, default: album].count += row[1]
    }
    return albums.sorted { $0.key < $1.key }.map(\.value)
  }
}
