import GRDB
package import MediaModel

/// How a user may name one asset.
package enum AssetReference: Sendable, Hashable {
  /// A UUID or the first six or more of its hexadecimal digits, hyphens or not, in either case.
  case identifier(String)
  /// An absolute path of one of its files.
  case path(BytePath)
}

/// Why a reference names no asset.
package enum AssetReferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknownIdentifier(String)
  case shortIdentifier(String)
  /// The prefix of several; some of them, each with its path.
  case ambiguous(String, [Candidate])
  case unknownPath(BytePath)

  /// One asset that may have been meant.
  package struct Candidate: Sendable, Hashable {
    package let identifier: String
    package let path: BytePath
  }

  package var description: String {
    switch self {
    case .unknownIdentifier(let text): "no asset has an id that begins with \(text)"
    case .shortIdentifier(let text):
      "the id prefix '\(text)' is too short; use at least 6 characters"
    case .ambiguous(let text, let candidates):
      "several assets have an id that begins with \(text): "
        + candidates.map { "\($0.identifier) (\($0.path.display))" }.joined(separator: ", ")
    case .unknownPath(let path):
      "\(path.display) is not in the catalog: `shoebox scan` adds new files, and `--under` "
        + "selects the files of a folder"
    }
  }
}

extension Catalog {
  /// The one asset that `reference` names, with all its parts and where its copies are.
  ///
  /// - Throws: ``AssetReferenceError``, ``CatalogError``.
  package func asset(_ reference: AssetReference) throws -> Asset {
    try read { transaction in
      let database = transaction.database
      let rowID =
        switch reference {
        case .identifier(let text): try Self.rowID(identifier: text, in: database)
        case .path(let path): try Self.rowID(path: path, in: database)
        }
      let row = try Row.fetchOne(
        database, sql: "SELECT \(AssetRow.columns) \(Self.joined) WHERE a.id = ?",
        arguments: [rowID])
      guard let row else { throw CatalogError.damaged(self.path) }
      var asset = try AssetReader(database, parts: .all).asset(row)
      if asset.isDuplicate { asset.copies = try Self.copies(of: rowID, in: database) }
      return asset
    }
  }

  /// Where the other files lie that have exactly the content of an asset's own.
  private static func copies(of rowID: Int64, in database: Database) throws -> [BytePath] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT r.path, d.path, f.name FROM assets AS a CROSS JOIN files AS own ON own.id = a.file_id
        CROSS JOIN files AS f INDEXED BY files_by_content_digest
          ON f.content_digest = own.content_digest AND f.size = own.size AND f.id <> own.id
        CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE a.id = ? AND f.status = 'present'
        """, arguments: [rowID])
    return rows.map { AssetRow.path($0, root: 0, folder: 1, name: 2) }.sorted()
  }

  private static let joined = """
    FROM assets AS a CROSS JOIN files AS f ON f.id = a.file_id
    CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
    """

  /// Identifiers between a prefix and what follows all that begin with it.
  private static func rowID(identifier text: String, in database: Database) throws -> Int64 {
    guard let prefix = identifierPrefix(text) else {
      throw AssetReferenceError.unknownIdentifier(text)
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT a.id, a.identifier, r.path, d.path, f.name \(joined)
        WHERE a.identifier >= ? AND a.identifier < ? ORDER BY a.identifier LIMIT 6
        """,
      arguments: [prefix, prefix + "~"])
    guard let first = rows.first else { throw AssetReferenceError.unknownIdentifier(text) }
    guard rows.count == 1 else {
      throw AssetReferenceError.ambiguous(
        text,
        rows.map { .init(identifier: $0[1], path: AssetRow.path($0, root: 2, folder: 3, name: 4)) })
    }
    return first[0]
  }

  /// A prefix as identifiers are written, upper case with hyphens; nil for what cannot be one.
  static func identifierPrefix(_ text: String) -> String? {
    guard text.utf8.count <= 36 else { return nil }
    let digits = text.uppercased().filter { $0 != "-" }
    guard (6...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    var prefix = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { prefix.append("-") }
      prefix.append(digit)
    }
    return prefix
  }

  /// The asset that has a file as one of its resources, however the accents in its path are composed.
  private static func rowID(path: BytePath, in database: Database) throws -> Int64 {
    let roots = try Row.fetchAll(database, sql: "SELECT id, path FROM roots").compactMap { row in
      BytePath.fromDatabaseValue(row[1]).map { (id: row[0] as Int64, path: $0) }
    }
    // The very bytes first: two files may look alike. Else the root, the folder and the name may each
    // be composed in its own way.
    let readings: [(BytePath) -> [BytePath]] = [{ [$0] }, \.canonicalForms]
    for forms in readings {
      for path in forms(path) {
        for root in roots where path.isWithin(root.path) {
          let below = path.bytes.dropFirst(root.path.bytes.count).drop { $0 == UInt8(ascii: "/") }
          let file = BytePath(bytes: Array(below))
          let places = forms(file.parent).flatMap { folder in
            forms(BytePath(bytes: file.lastComponent)).map { (folder, name: $0) }
          }
          for (folder, name) in places {
            let found = try rowID(of: name, in: folder, ofRoot: root.id, database)
            if let found { return found }
          }
        }
      }
    }
    throw AssetReferenceError.unknownPath(path)
  }

  /// The live photo rather than its clip, what is there rather than what was there. The clip of an edited
  /// picture belongs to that picture, which belongs to the asset.
  private static func rowID(
    of name: BytePath, in folder: BytePath, ofRoot root: Int64, _ database: Database
  ) throws -> Int64? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT coalesce(o.absorbed_by, a.absorbed_by, a.id) FROM folders AS d
        CROSS JOIN files AS f INDEXED BY files_by_folder ON f.folder_id = d.id
        CROSS JOIN resources AS s ON s.file_id = f.id CROSS JOIN assets AS a ON a.id = s.asset_id
        LEFT JOIN assets AS o ON o.id = a.absorbed_by
        WHERE d.root_id = ? AND d.path = ? AND f.name = ?
        ORDER BY f.status = 'missing', a.absorbed_by IS NOT NULL LIMIT 1
        """,
      arguments: [root, folder, name])
  }
}
