import GRDB
package import MediaModel
package import Query

/// Why an album cannot be found, named or changed.
package enum AlbumError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The user has no album of this title. The suggestions are the nearest ones.
  case unknown(UnknownWord)
  /// There is no such album of the user, but a folder that is one.
  case isFolder(String)
  case badTitle(BadValue)
  /// Another album has this title.
  case taken(String)

  package var description: String {
    switch self {
    case .unknown(let word): word.description
    case .isFolder(let title):
      "the album '\(title)' is a folder: create an album with `shoebox albums add`, or move the files"
    case .badTitle(let value): value.description
    case .taken(let title): "there is already an album '\(title)': choose another title"
    }
  }
}

/// What an addition to an album has done.
package struct AlbumAddition: Sendable, Hashable {
  /// As the album is spelled.
  package var title: String
  /// Whether it did not exist before.
  package var isNew: Bool
  /// The assets that were not in it before.
  package var count: Int
}

extension Catalog {
  /// Characters of an album's title.
  private static let longestTitle = 200

  /// A title as the user typed it, without spaces at its ends.
  ///
  /// - Throws: ``AlbumError/badTitle(_:)``.
  package static func albumTitle(typed text: String) throws(AlbumError) -> String {
    let title = text.trimmed
    let isText = title.unicodeScalars.allSatisfy { scalar in
      ![.control, .lineSeparator, .paragraphSeparator, .surrogate].contains(
        scalar.properties.generalCategory)
    }
    guard !title.isEmpty, title.count <= longestTitle, isText else {
      throw .badTitle(
        BadValue(text, "is not an album title: use 1 to \(longestTitle) characters on one line"))
    }
    return title
  }

  /// Puts assets into an album of the user, which is created if need be. An asset brings its resources.
  ///
  /// - Parameters:
  ///   - assets: rows; those that do not exist are left out.
  ///   - now: milliseconds since 1970 UTC.
  package func add(_ assets: [Int64], toAlbum text: String, now: Int64) throws -> AlbumAddition {
    let title = try Self.albumTitle(typed: text)
    return try write { transaction in
      let known = try transaction.album(title)
      let album = try known?.id ?? transaction.createAlbum(title, now: now)
      let count = try transaction.add(assets, toAlbum: album, now: now)
      return AlbumAddition(title: known?.title ?? title, isNew: known == nil, count: count)
    }
  }

  /// Creates an album without assets.
  ///
  /// - Throws: ``AlbumError``.
  package func createAlbum(_ text: String, now: Int64) throws {
    let title = try Self.albumTitle(typed: text)
    try write { transaction in
      if let known = try transaction.album(title) { throw AlbumError.taken(known.title) }
      _ = try transaction.createAlbum(title, now: now)
    }
  }

  /// Takes assets out of an album of the user.
  ///
  /// - Returns: the album's title, and how many were in it.
  /// - Throws: ``AlbumError``.
  package func remove(
    _ assets: [Int64], fromAlbum title: String
  ) throws -> (title: String, count: Int) {
    try write { transaction in
      let album = try transaction.existingAlbum(title)
      return (album.title, try transaction.remove(assets, fromAlbum: album.id))
    }
  }

  /// Deletes an album of the user; its assets stay.
  ///
  /// - Returns: its title.
  /// - Throws: ``AlbumError``.
  package func deleteAlbum(_ title: String) throws -> String {
    try write { transaction in
      let album = try transaction.existingAlbum(title)
      // Not all at once by the cascade, see ``CatalogTransaction/assetsAtOnce``.
      for batch in try transaction.members(ofAlbum: album.id) {
        try transaction.execute(
          "DELETE FROM album_assets WHERE album_id = ? AND asset_id IN (\(RowSet.sql))",
          [album.id, batch.argument])
      }
      try transaction.execute("DELETE FROM albums WHERE id = ?", [album.id])
      return album.title
    }
  }

  /// Gives an album of the user another title.
  ///
  /// - Returns: both titles.
  /// - Throws: ``AlbumError``.
  package func renameAlbum(_ old: String, to text: String) throws -> (old: String, new: String) {
    let title = try Self.albumTitle(typed: text)
    return try write { transaction in
      let album = try transaction.existingAlbum(old)
      if let other = try transaction.album(title), other.id != album.id {
        throw AlbumError.taken(other.title)
      }
      try transaction.execute("UPDATE albums SET title = ? WHERE id = ?", [title, album.id])
      for batch in try transaction.members(ofAlbum: album.id) {
        try transaction.execute(
          """
          UPDATE assets SET revision = (SELECT revision + 1 FROM changes)
          WHERE id IN (\(RowSet.sql)) AND is_listed
          """, [batch.argument])
      }
      return (album.title, title)
    }
  }
}

extension CatalogTransaction {
  /// The user's album of a title, in any case and form; nil if there is none.
  fileprivate func album(_ title: String) throws -> (id: Int64, title: String)? {
    let sought = title.trimmed.comparable
    return try rows("SELECT id, title FROM albums") { row -> (id: Int64, title: String) in
      (row[0], row[1])
    }.first { $0.title.comparable == sought }
  }

  /// - Throws: ``AlbumError`` if there is none.
  fileprivate func existingAlbum(_ title: String) throws -> (id: Int64, title: String) {
    if let album = try album(title) { return album }
    let folders = try MatchingAlbums(.equal, title, in: database)
    if try folders.hasFolders(in: database) { throw AlbumError.isFolder(title) }
    let known = try rows("SELECT title FROM albums") { $0[0] as String }
    throw AlbumError.unknown(UnknownWord(title, kind: "album", among: known))
  }

  fileprivate func createAlbum(_ title: String, now: Int64) throws -> Int64 {
    try execute("INSERT INTO albums (title, added_date) VALUES (?, ?)", [title, now])
    return database.lastInsertedRowID
  }

  /// The assets of rows, `tops`, and with all of their resources, `whole`: a resource stands for its asset, and may have a
  /// resource of its own.
  private static let wholeAssets = """
    WITH tops(id) AS MATERIALIZED (
      SELECT DISTINCT coalesce(o.absorbed_by, a.absorbed_by, a.id) FROM json_each(?) AS given
      CROSS JOIN assets AS a ON a.id = given.value LEFT JOIN assets AS o ON o.id = a.absorbed_by),
    parts(id) AS MATERIALIZED (
      SELECT a.id FROM tops CROSS JOIN assets AS a INDEXED BY assets_absorbed ON a.absorbed_by = tops.id),
    whole(id) AS (SELECT id FROM tops UNION SELECT id FROM parts
      UNION SELECT a.id FROM parts CROSS JOIN assets AS a INDEXED BY assets_absorbed ON a.absorbed_by = parts.id)
    """

  /// - Returns: how many assets were not in it before.
  func add(_ assets: [Int64], toAlbum album: Int64, now: Int64) throws -> Int {
    var added = 0
    for batch in assets.inBatches(of: Self.assetsAtOnce) {
      let rows = RowSet(batch).argument
      added += try count(
        """
        \(Self.wholeAssets) SELECT count(*) FROM tops WHERE NOT EXISTS (
          SELECT 1 FROM album_assets WHERE album_id = ? AND asset_id = tops.id)
        """, [rows, album])
      try execute(
        """
        \(Self.wholeAssets) INSERT INTO album_assets SELECT ?, id, ? FROM whole WHERE true ON CONFLICT DO NOTHING
        """, [rows, album, now])
    }
    return added
  }

  /// - Returns: how many of the assets were in it.
  fileprivate func remove(_ assets: [Int64], fromAlbum album: Int64) throws -> Int {
    var removed = 0
    for batch in assets.inBatches(of: Self.assetsAtOnce) {
      let rows = RowSet(batch).argument
      removed += try count(
        """
        \(Self.wholeAssets) SELECT count(*) FROM tops WHERE EXISTS (
          SELECT 1 FROM album_assets WHERE album_id = ? AND asset_id = tops.id)
        """, [rows, album])
      try execute(
        "\(Self.wholeAssets) DELETE FROM album_assets WHERE album_id = ? AND asset_id IN (SELECT id FROM whole)",
        [rows, album])
    }
    return removed
  }

  /// The rows that one statement changes, to limit the memory that its journal takes.
  private static let assetsAtOnce = 5_000

  /// The rows of an album's assets, in batches.
  fileprivate func members(ofAlbum album: Int64) throws -> [RowSet] {
    try rows("SELECT asset_id FROM album_assets WHERE album_id = ?", [album]) { $0[0] as Int64 }
      .inBatches(of: Self.assetsAtOnce).map { RowSet($0) }
  }

  /// Puts a file's asset into the albums of one that is about to be forgotten, because the file is a copy in its place.
  func takeAlbums(_ copy: Int64, of gone: Int64) throws {
    let albums = try rows(
      "SELECT album_id, added_date FROM album_assets WHERE asset_id = ?", [gone]
    ) { row -> (id: Int64, added: Int64) in (row[0], row[1]) }
    for album in albums { _ = try add([copy], toAlbum: album.id, now: album.added) }
  }
}
