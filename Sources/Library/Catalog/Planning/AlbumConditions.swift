import GRDB
import Query

/// The albums whose names match a text: the user's, and folders.
struct MatchingAlbums {
  /// The rows of the user's albums.
  private let albums: [Int64]
  /// The condition on a folder, `d`, and its root, `r`.
  private let names: ConditionSQL
  /// The same on a row of ``namedFolders``.
  private let folderNames: ConditionSQL

  init(_ relation: TextRelation, _ typed: String, in database: Database) throws {
    let titles = ConditionSQL.text("title", relation, typed)
    albums = try Int64.fetchAll(
      database, sql: "SELECT id FROM albums WHERE \(titles.sql) ORDER BY id",
      arguments: StatementArguments(titles.arguments))
    names = ConditionSQL.text(.album, relation, typed)
    folderNames = ConditionSQL.text("named.title", relation, typed)
  }

  /// Whether the asset `a` is in one of them.
  ///
  /// Without an album of the user, each asset's own folder is compared: its row is joined as `d`.
  func condition(in database: Database) throws -> ConditionSQL {
    guard let members else { return names }
    let isMember = ConditionSQL(
      "EXISTS (SELECT 1 FROM album_assets AS m WHERE m.asset_id = a.id AND m.\(members.sql))",
      members.arguments)
    guard try hasFolders(in: database) else { return isMember }
    let folders = foldersCondition
    return ConditionSQL(
      "(\(isMember.sql) OR \(folders.sql))", isMember.arguments + folders.arguments)
  }

  /// The assets of the albums by the indexes of members and folders.
  func lookup(in database: Database) throws -> IndexLookup {
    guard let members else { return try folderLookup(in: database) }
    let distinct = albums.count > 1 ? "DISTINCT " : ""
    let own = IndexLookup(
      ids: "SELECT \(distinct)asset_id AS id FROM album_assets WHERE \(members.sql)",
      members.arguments)
    guard try hasFolders(in: database) else { return own }
    return IndexLookup(union: [own, try folderLookup(in: database)], isExact: true)
  }

  private func folderLookup(in database: Database) throws -> IndexLookup {
    let folders = foldersCondition
    return IndexLookup(
      try IndexHint("assets_by_folder", in: database), where: folders.sql, folders.arguments)
  }

  /// The albums that are written out in a statement.
  private static let mostListed = 50

  /// The condition on `album_id`; nil without an album of the user.
  private var members: ConditionSQL? {
    switch albums.count {
    case 0: nil
    case 1: ConditionSQL("album_id = ?", [albums[0]])
    case ...Self.mostListed:
      ConditionSQL("album_id IN (\(albums.map { _ in "?" }.joined(separator: ", ")))", albums)
    default: ConditionSQL("album_id IN (\(RowSet.sql))", [RowSet(albums).argument])
    }
  }

  private var foldersCondition: ConditionSQL {
    ConditionSQL(
      "a.folder_id IN (SELECT named.id FROM (\(Self.namedFolders)) AS named WHERE \(folderNames.sql))",
      folderNames.arguments)
  }

  /// Folders with their names. In a statement of its own, the expression of the name takes less of the parser's stack, of
  /// which conditions leave little.
  private static let namedFolders = "SELECT d.id, \(Attribute.album.sql) AS title \(folders)"

  /// Whether a folder is one of the albums.
  func hasFolders(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 \(Self.folders) WHERE \(names.sql))",
      arguments: StatementArguments(names.arguments)) == true
  }

  /// Whether an album of the user is one of them.
  var hasUserAlbums: Bool { !albums.isEmpty }

  private static let folders = "FROM folders AS d CROSS JOIN roots AS r ON r.id = d.root_id"
}
