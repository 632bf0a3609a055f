import Foundation
import GRDB
package import MediaModel

/// A library folder.
package struct LibraryRoot: Sendable, Hashable {
  package var record: RootRecord
  /// Milliseconds since 1970 UTC.
  package var added: Int64
  /// Media files that the last scans saw in it, those that cannot be read among them.
  package var mediaCount: Int
}

/// Why a root cannot be forgotten, moved or merged.
package enum RootError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknown(BytePath)
  case alreadyARoot(BytePath)
  /// The new path is not a folder.
  case noFolder(BytePath)
  /// One of the old and the new path is inside the other.
  case nested(old: BytePath, new: BytePath)
  /// One of a root and a root of a catalog that is to be merged is inside the other.
  case overlapping(BytePath, BytePath, catalog: String)

  package var description: String {
    switch self {
    case .unknown(let path):
      "\(path.display) is not a library folder: `shoebox roots` lists them"
    case .alreadyARoot(let path): "\(path.display) is a library folder already"
    case .noFolder(let path): "\(path.display) is not a folder: move the files first"
    case .nested(let old, let new):
      new.isWithin(old)
        ? "\(new.display) is inside \(old.display): a library folder cannot move into itself"
        : "\(old.display) is inside \(new.display): use `shoebox scan` to add a folder around another"
    case .overlapping(let root, let other, let catalog):
      "the catalog \(catalog) has the library folder \(other.display), which is "
        + "\(other.isWithin(root) ? "inside" : "around") \(root.display), so that files would be listed twice: merge "
        + "catalogs of the same folders, or of folders of which none is inside another"
    }
  }
}

extension Catalog {
  /// Every root, in the order they were added.
  package func roots() throws -> [LibraryRoot] {
    try read { transaction in
      let database = transaction.database
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, path, device, inode, added_date, \
          (SELECT ifnull(sum(media_count + unreadable_count), 0) \
          FROM folders WHERE root_id = roots.id) \
          FROM roots ORDER BY id
          """)
      return rows.map { row in
        LibraryRoot(
          record: RootRecord(
            id: row[0], path: row[1],
            identity: FolderIdentity(storedDevice: row[2], storedInode: row[3])),
          added: row[4], mediaCount: row[5])
      }
    }
  }

  /// Deletes a root and all that is known of the files in it; no file is touched.
  ///
  /// - Returns: how many listed assets the catalog no longer knows.
  package func forgetRoot(_ path: BytePath) throws -> Int {
    try write { transaction in
      let database = transaction.database
      let identifier = try Self.rootID(path, in: database)
      let listed = "SELECT count(*) FROM assets WHERE absorbed_by IS NULL"
      let before = try Int.fetchOne(database, sql: listed) ?? 0
      try transaction.detach(root: identifier)
      try database.execute(
        sql: "DELETE FROM folder_search WHERE rowid IN (SELECT id FROM folders WHERE root_id = ?)",
        arguments: [identifier])
      // Without parents, the deletion is not carried down folder by folder, for which SQLite allows
      // a thousand levels only.
      try database.execute(
        sql: "UPDATE folders SET parent_id = NULL WHERE root_id = ?", arguments: [identifier])
      try database.execute(sql: "DELETE FROM roots WHERE id = ?", arguments: [identifier])
      try transaction.moveFailures(from: path, to: nil)
      try transaction.resettleDuplicates()
      try transaction.writeSearch(limit: .max)
      return before - (try Int.fetchOne(database, sql: listed) ?? 0)
    }
  }

  /// Changes the path of a root and of the roots inside it; all assets keep their identifiers.
  ///
  /// - Parameters:
  ///   - affectsLabels: whether the other name may change what the files directly in it are taken for: the
  ///     next scan looks at them again then.
  ///   - folder: the folder at a path; nil if there is none.
  /// - Returns: the roots that were inside it, with their new paths: nil for those that are not there.
  @discardableResult
  package func moveRoot(
    _ old: BytePath, to new: BytePath, affectsLabels: Bool = false,
    folder: (BytePath) -> FolderIdentity?
  ) throws -> [(old: BytePath, new: BytePath?)] {
    guard old == new || !(old.isWithin(new) || new.isWithin(old)) else {
      throw RootError.nested(old: old, new: new)
    }
    guard let identity = folder(new) else { throw RootError.noFolder(new) }
    return try write { transaction in
      let database = transaction.database
      let identifier = try Self.rootID(old, in: database)
      try Self.place(identifier, at: new, identity, in: database)
      try transaction.moveFailures(from: old, to: new)
      if old != new { try transaction.markMoved(root: identifier) }
      if affectsLabels { try transaction.relabelTopFolder(ofRoot: identifier) }
      return old == new ? [] : try Self.moveInside(old, to: new, folder: folder, in: transaction)
    }
  }

  /// Moves the roots inside one along with it.
  private static func moveInside(
    _ old: BytePath, to new: BytePath, folder: (BytePath) -> FolderIdentity?,
    in transaction: CatalogTransaction
  ) throws -> [(old: BytePath, new: BytePath?)] {
    let database = transaction.database
    let roots = try Row.fetchAll(database, sql: "SELECT id, path FROM roots ORDER BY id")
      .map { (id: $0[0] as Int64, path: BytePath(bytes: AssetRow.bytes($0[1]))) }
    return try roots.filter { $0.path.isWithin(old) }.map { root in
      let below = root.path.bytes.dropFirst(old.bytes.count).drop { $0 == UInt8(ascii: "/") }
      let path = new.appending(Array(below))
      guard let identity = folder(path) else { return (root.path, nil) }
      try place(root.id, at: path, identity, in: database)
      try transaction.markMoved(root: root.id)
      return (root.path, path)
    }
  }

  private static func place(
    _ root: Int64, at path: BytePath, _ identity: FolderIdentity, in database: Database
  ) throws {
    let isTaken = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM roots WHERE path = ? AND id <> ?)",
      arguments: [path, root])
    guard isTaken == false else { throw RootError.alreadyARoot(path) }
    try database.execute(
      sql: "UPDATE roots SET path = ?, device = ?, inode = ? WHERE id = ?",
      arguments: [path, identity.storedDevice, identity.storedInode, root])
  }

  private static func rootID(_ path: BytePath, in database: Database) throws -> Int64 {
    let found = try Int64.fetchOne(
      database, sql: "SELECT id FROM roots WHERE path = ?", arguments: [path])
    guard let found else { throw RootError.unknown(path) }
    return found
  }
}
