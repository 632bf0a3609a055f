import Foundation
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
  /// A sidecar that describes no asset, and why.
  case untiedSidecar(BytePath, reason: String)

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
    case .untiedSidecar(let path, let reason):
      "\(path.display) describes no picture or video: \(reason)"
    }
  }
}

extension Catalog {
  /// The one asset that `reference` names, with all its parts and where its copies are.
  ///
  /// - Throws: ``AssetReferenceError``, ``CatalogError``.
  package func asset(_ reference: AssetReference) throws -> AssetRecord {
    try read { transaction in
      let database = transaction.database
      let rowID =
        switch reference {
        case .identifier(let text): try Self.rowID(identifier: text, in: database)
        case .path(let path): try Self.rowID(path: path, in: database)
        }
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT \(AssetRow.columns(with: .all)) FROM assets AS a\(AssetRow.tables(with: .all).joins) \
          WHERE a.id = ?
          """, arguments: [rowID])
      guard let row else { throw CatalogError.damaged(self.path) }
      var asset = try AssetReader(parts: .all).asset(row, in: database)
      if asset.isDuplicate { asset.copies = try Self.copies(of: rowID, in: database) }
      return asset
    }
  }

  /// Where the other files lie that have exactly the content of an asset's own.
  private static func copies(of rowID: Int64, in database: Database) throws -> [BytePath] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT r.path, d.path, f.name FROM files AS own CROSS JOIN files AS f
          ON f.content_digest = own.content_digest AND f.size = own.size AND f.id <> own.id
        CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE own.id = ? AND f.status = 'present'
        """, arguments: [rowID])
    return rows.map { AssetRow.path($0, root: 0, folder: 1, name: 2) }.sorted()
  }

  private static let joined = """
    FROM assets AS a CROSS JOIN files AS f ON f.id = a.id
    CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
    """

  /// Those of some identifiers that assets have, missing assets among them.
  package func identifiers(among identifiers: Set<String>) throws -> Set<String> {
    try read { transaction in
      let statement = try transaction.database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE identifier = ?)")
      return try identifiers.filter {
        try Bool.fetchOne(statement, arguments: [StoredIdentifier($0)]) ?? false
      }
    }
  }

  /// Identifiers between a prefix and what follows all that begin with it.
  private static func rowID(identifier text: String, in database: Database) throws -> Int64 {
    guard let prefix = identifierPrefix(text) else {
      throw AssetReferenceError.unknownIdentifier(text)
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT a.id, a.identifier, r.path, d.path, f.name \(joined)
        WHERE a.identifier BETWEEN ? AND ? ORDER BY a.identifier LIMIT 6
        """,
      arguments: [prefix.lowerBound, prefix.upperBound])
    guard let first = rows.first else { throw AssetReferenceError.unknownIdentifier(text) }
    guard rows.count == 1 else {
      throw AssetReferenceError.ambiguous(
        text,
        rows.map { row in
          AssetReferenceError.Candidate(
            identifier: (row[1] as StoredIdentifier).text,
            path: AssetRow.path(row, root: 2, folder: 3, name: 4))
        })
    }
    return first[0]
  }

  /// The first and the last 16 bytes that begin with typed hexadecimal digits, with hyphens or without; nil for what
  /// cannot be the beginning of an identifier.
  static func identifierPrefix(_ text: String) -> (lowerBound: Data, upperBound: Data)? {
    guard text.utf8.count <= 36 else { return nil }
    let digits = text.filter { $0 != "-" }
    guard (6...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    func bytes(filledWith digit: String) -> Data {
      let all = Array(String(digits) + String(repeating: digit, count: 32 - digits.count))
      return Data(
        stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(all[$0...$0 + 1]), radix: 16) })
    }
    return (bytes(filledWith: "0"), bytes(filledWith: "F"))
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
          for (folder, name) in places {
            let reason = try reasonForUntied(name, in: folder, ofRoot: root.id, database)
            if let reason { throw AssetReferenceError.untiedSidecar(path, reason: reason) }
          }
        }
      }
    }
    throw AssetReferenceError.unknownPath(path)
  }

  /// Why a sidecar belongs to no asset; nil if there is no sidecar of this name.
  private static func reasonForUntied(
    _ name: BytePath, in folder: BytePath, ofRoot root: Int64, _ database: Database
  ) throws -> String? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT s.kind, s.title, s.described_name FROM folders AS d
        CROSS JOIN files AS f ON f.folder_id = d.id CROSS JOIN sidecars AS s ON s.file_id = f.id
        WHERE d.root_id = ? AND d.path = ? AND f.name = ? AND f.missing_since IS NULL
        """, arguments: [root, folder, name])
    guard let row else { return nil }
    switch SidecarKind(name: row[0]) {
    case .albumJSON: return "it contains the title of the album, '\(row[1] as String? ?? "")'"
    case .takeoutJSON:
      let title = (row[2] as String?).map { " '\($0)'" } ?? ""
      return "none in its folder has the name\(title) that it describes, or several may have it"
    case .xmp, .adjustmentData: return "none in its folder has its name"
    }
  }

  /// The live photo rather than its clip, what is there rather than what was there. The clip of an edited
  /// picture belongs to that picture, which belongs to the asset.
  private static func rowID(
    of name: BytePath, in folder: BytePath, ofRoot root: Int64, _ database: Database
  ) throws -> Int64? {
    try Int64.fetchOne(
      database,
      sql: """
        WITH named(file) AS MATERIALIZED (
          SELECT f.id FROM folders AS d CROSS JOIN files AS f ON f.folder_id = d.id
          WHERE d.root_id = ? AND d.path = ? AND f.name = ?),
        part(asset, file) AS (
          SELECT file, file FROM named
          UNION ALL SELECT asset_id, file FROM named JOIN asset_sidecars ON file_id = file)
        SELECT coalesce(o.absorbed_by, a.absorbed_by, a.id) FROM part
        CROSS JOIN assets AS a ON a.id = part.asset CROSS JOIN files AS f ON f.id = part.file
        LEFT JOIN assets AS o ON o.id = a.absorbed_by
        ORDER BY f.missing_since IS NOT NULL, a.is_missing, a.absorbed_by IS NOT NULL LIMIT 1
        """,
      arguments: [root, folder, name])
  }
}
