import Foundation
import GRDB
package import MediaModel

/// A library folder.
package struct LibraryRoot: Sendable, Hashable {
  package var record: RootRecord
  /// Milliseconds since 1970 UTC.
  package var added: Int64
  /// Media files that the last scans saw in it.
  package var mediaCount: Int
}

/// Why a root cannot be forgotten or moved.
package enum RootError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknown(BytePath)
  case alreadyARoot(BytePath)
  /// Where it is said to lie now is inside of where it was, or the other way round.
  case nested(old: BytePath, new: BytePath)

  package var description: String {
    switch self {
    case .unknown(let path):
      "\(path.display) is not a library folder: `shoebox roots` lists them"
    case .alreadyARoot(let path): "\(path.display) is a library folder already"
    case .nested(let old, let new):
      new.isWithin(old)
        ? "\(new.display) lies inside \(old.display): a library folder cannot move into itself"
        : "\(old.display) lies inside \(new.display): `shoebox scan` adds a folder around another"
    }
  }
}

extension Catalog {
  /// Every root, in the order they were added.
  package func roots() throws -> [LibraryRoot] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, path, device, inode, added_date, \
          (SELECT ifnull(sum(media_count), 0) FROM folders WHERE root_id = roots.id) \
          FROM roots ORDER BY id
          """)
      return rows.map { row in
        LibraryRoot(
          record: RootRecord(
            id: row[0], path: row[1], device: UInt64(bitPattern: row[2]),
            inode: UInt64(bitPattern: row[3])), added: row[4], mediaCount: row[5])
      }
    }
  }

  /// Deletes a root and all that is known of the files in it; no file is touched.
  ///
  /// - Returns: how many listed assets the catalog no longer knows.
  package func forgetRoot(_ path: BytePath) throws -> Int {
    try change { database in
      let identifier = try Self.rootID(path, in: database)
      let listed = "SELECT count(*) FROM assets WHERE absorbed_by IS NULL"
      let before = try Int.fetchOne(database, sql: listed) ?? 0
      try CatalogTransaction(database: database).partRoot(identifier)
      // Without parents, the deletion is not carried down folder by folder, for which SQLite allows
      // a thousand levels only.
      try database.execute(
        sql: "UPDATE folders SET parent_id = NULL WHERE root_id = ?", arguments: [identifier])
      try database.execute(sql: "DELETE FROM roots WHERE id = ?", arguments: [identifier])
      try CatalogTransaction(database: database).resettleDuplicates()
      try CatalogTransaction(database: database).writeSearch(limit: .max)
      return before - (try Int.fetchOne(database, sql: listed) ?? 0)
    }
  }

  /// Says that a root lies somewhere else now; everything in it keeps its identity.
  ///
  /// - Parameters:
  ///   - device: `st_dev` of the new folder.
  ///   - inode: `st_ino` of the new folder.
  ///   - isTelling: whether the other name may change what the files directly in it are taken for: the
  ///     next scan looks at them again then.
  package func moveRoot(
    _ old: BytePath, to new: BytePath, device: UInt64, inode: UInt64, isTelling: Bool = false
  ) throws {
    guard old == new || !(old.isWithin(new) || new.isWithin(old)) else {
      throw RootError.nested(old: old, new: new)
    }
    try change { database in
      let identifier = try Self.rootID(old, in: database)
      let taken = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM roots WHERE path = ? AND id <> ?)",
        arguments: [new, identifier])
      guard taken == false else { throw RootError.alreadyARoot(new) }
      try database.execute(
        sql: "UPDATE roots SET path = ?, device = ?, inode = ? WHERE id = ?",
        arguments: [new, Int64(bitPattern: device), Int64(bitPattern: inode), identifier])
      if isTelling { try CatalogTransaction(database: database).retellTop(ofRoot: identifier) }
    }
  }

  private static func rootID(_ path: BytePath, in database: Database) throws -> Int64 {
    let found = try Int64.fetchOne(
      database, sql: "SELECT id FROM roots WHERE path = ?", arguments: [path])
    guard let found else { throw RootError.unknown(path) }
    return found
  }
}
