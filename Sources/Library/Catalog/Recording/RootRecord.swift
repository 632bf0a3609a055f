import GRDB
package import MediaModel

/// A library folder that the user gave to `shoebox scan`.
package struct RootRecord: Sendable, Hashable {
  package let id: Int64
  /// Absolute, without symbolic links.
  package let path: BytePath
  /// The folder when it was last scanned: an empty one that is another is the place where a disk is not
  /// mounted.
  package let identity: FolderIdentity

  package init(id: Int64, path: BytePath, identity: FolderIdentity) {
    self.id = id
    self.path = path
    self.identity = identity
  }
}

extension FolderIdentity {
  /// As the catalog stores them: SQLite has signed integers only.
  init(storedDevice: Int64, storedInode: Int64) {
    self.init(
      device: UInt64(bitPattern: storedDevice), inode: UInt64(bitPattern: storedInode))
  }

  var storedDevice: Int64 { Int64(bitPattern: device) }
  var storedInode: Int64 { Int64(bitPattern: inode) }
}

extension CatalogTransaction {
  /// Every root, in the order of their paths.
  package func roots() throws -> [RootRecord] {
    try rows("SELECT id, path, device, inode FROM roots ORDER BY path") { row in
      RootRecord(
        id: row[0], path: row[1],
        identity: FolderIdentity(storedDevice: row[2], storedInode: row[3]))
    }
  }

  /// Adds a root; the path must not be one already.
  package func addRoot(_ path: BytePath, _ identity: FolderIdentity, now: Int64) throws {
    try execute(
      "INSERT INTO roots (path, added_date, device, inode) VALUES (?, ?, ?, ?)",
      [path, now, identity.storedDevice, identity.storedInode])
  }

  /// Records the identity of the folder at the root's path.
  package func updateRoot(_ id: Int64, _ identity: FolderIdentity) throws {
    try execute(
      "UPDATE roots SET device = ?, inode = ? WHERE id = ?",
      [identity.storedDevice, identity.storedInode, id])
  }

  /// How many of a root's files are believed to be there.
  package func presentFileCount(root: Int64) throws -> Int {
    let counts = try rows(
      """
      SELECT COUNT(*) FROM files JOIN folders ON folders.id = files.folder_id
      WHERE folders.root_id = ? AND files.missing_since IS NULL
      """, [root]
    ) { row -> Int in row[0] }
    return counts.first ?? 0
  }
}
