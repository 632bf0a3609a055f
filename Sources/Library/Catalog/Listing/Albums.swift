import GRDB
package import Query

/// The number of assets in the albums of one name: the user's, and folders.
package struct AlbumCount: Sendable, Hashable {
  /// As the user's album, or one of the folders, is spelled.
  package var name: String
  /// At least 1.
  package var count: Int
}

extension Catalog {
  /// Counts the matching assets of each album, by name: of the user's album and of the folders whose names differ at most
  /// in case and form.
  package func albums(matching filter: AssetFilter) throws -> [AlbumCount] {
    try read { transaction in
      let database = transaction.database
      let folders = try Self.countsByFolder(filter, in: database)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT \(Attribute.album.sql), n.count FROM (\(folders.sql)) AS n
          CROSS JOIN folders AS d ON d.id = n.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
          """, arguments: folders.arguments)
      var albums: [String: AlbumCount] = [:]
      while let row = try rows.next() {
        let name = row[0] as String? ?? ""
        albums[name.comparable, default: AlbumCount(name: name, count: 0)].count += row[1]
      }
      for album in try Self.countsByUserAlbum(filter, in: database) {
        let key = album.name.comparable
        guard albums[key] != nil else {
          albums[key] = album
          continue
        }
        // An asset may be in the album and in a folder of its name.
        var both = AssetFilter()
        both.others = [filter]
        both.expressions = [.comparison(.album, .text(.equal, album.name))]
        albums[key] = AlbumCount(name: album.name, count: try count(matching: both, in: database))
      }
      return albums.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// The user's albums with matching assets.
  private static func countsByUserAlbum(
    _ filter: AssetFilter, in database: Database
  ) throws -> [AlbumCount] {
    let required = filter.requirements
    let conditions = try AssetConditions(required, isListed: false, in: database)
    return try Row.fetchAll(
      database,
      sql: """
        SELECT l.title, count(*) FROM albums AS l CROSS JOIN album_assets AS m ON m.album_id = l.id
        CROSS JOIN assets AS a ON a.id = m.asset_id\(required.tables.joins)
        WHERE \(conditions.sql) GROUP BY l.id
        """, arguments: StatementArguments(conditions.arguments)
    ).map { AlbumCount(name: $0[0], count: $0[1]) }
  }

  /// Entries of a facet whose assets are read in less time than the index of folders.
  private static let mostRows = 20_000

  /// A statement with the `folder_id` and `count` of each folder with matching assets.
  private static func countsByFolder(
    _ filter: AssetFilter, in database: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let required = filter.requirements
    // The index of folders has all that is asked for, so that no row is read.
    if required.allSatisfy({ $0.isKind || $0.isRange(of: .captureDate) }),
      try !hasSmallFacet(required, in: database)
    {
      let hint = try IndexHint("assets_by_folder", in: database)
      let conditions = try AssetConditions(required, isListed: true, in: database)
      return (
        """
        SELECT a.folder_id, count(*) AS count FROM assets AS a\(hint.sql)
        WHERE a.is_listed AND \(conditions.sql) GROUP BY a.folder_id
        """, StatementArguments(conditions.arguments)
      )
    }
    let query = try AssetQuery(filter, order: nil, reading: [], in: database)
    return (
      "SELECT a.folder_id, count(*) AS count \(query.source) GROUP BY a.folder_id",
      StatementArguments(query.arguments)
    )
  }

  private static func hasSmallFacet(_ required: [Condition], in database: Database) throws -> Bool {
    guard let facet = try Facet.smallest(of: required, in: database) else { return false }
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (SELECT 1 FROM facets WHERE facet = ? LIMIT ?)",
      arguments: [facet.bit, mostRows])
    return count ?? 0 < mostRows
  }
}
