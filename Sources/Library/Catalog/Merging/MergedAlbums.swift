import GRDB
import Query

// The user's albums and saved searches of a catalog that is merged.

extension CatalogMerge {
  /// The user's albums, by their titles, in which case and Unicode form do not matter.
  ///
  /// - Parameter date: of the latest addition that both catalogs have had: what the other one has of these and this one has
  ///   not, was removed here.
  func copyAlbums(after date: Int64) throws {
    let known = try Row.fetchAll(database, sql: "SELECT id, title FROM main.albums")
    var ids = Dictionary(
      known.map { (($0[1] as String).comparable, $0[0] as Int64) },
      uniquingKeysWith: { first, _ in first })
    let albums = try Row.fetchAll(
      database,
      sql: """
        SELECT id, title, added_date FROM shard.albums
        WHERE added_date > ?1
          OR EXISTS (SELECT 1 FROM shard.album_assets WHERE album_id = albums.id AND added_date > ?1)
        ORDER BY id
        """, arguments: [date])
    for album in albums {
      let title: String = album[1]
      if ids[title.comparable] == nil {
        try database.execute(
          sql: "INSERT INTO main.albums (title, added_date) VALUES (?, ?)",
          arguments: [title, album[2] as Int64])
        ids[title.comparable] = database.lastInsertedRowID
      }
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO main.album_assets
          SELECT ?, own.new, theirs.added_date FROM shard.album_assets AS theirs
          JOIN merged_files AS own ON own.old = theirs.asset_id
          WHERE theirs.album_id = ? AND theirs.added_date > ?
          """, arguments: [ids[title.comparable], album[0] as Int64, date])
    }
    if date > 0 { try completeAlbums() }
  }

  /// Puts what the other catalog has paired into the albums of each half: a new half has the date of the one that was there.
  private func completeAlbums() throws {
    // A resource may have a resource.
    for _ in 1...2 {
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO main.album_assets
          SELECT known.album_id, part.id, known.added_date FROM main.album_assets AS known
          CROSS JOIN main.assets AS part ON part.absorbed_by = known.asset_id
          WHERE part.id IN (SELECT new FROM merged_files)
          UNION SELECT known.album_id, part.absorbed_by, known.added_date FROM main.album_assets AS known
          CROSS JOIN main.assets AS part ON part.id = known.asset_id
          WHERE part.absorbed_by IN (SELECT new FROM merged_files)
          """)
    }
  }

  /// - Parameter date: as above.
  func copySearches(after date: Int64) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.saved_searches SELECT * FROM shard.saved_searches WHERE saved_date > ?
        """, arguments: [date])
  }
}
