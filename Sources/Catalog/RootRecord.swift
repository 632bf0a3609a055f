import GRDB
package import MediaModel

/// A library folder that somebody named to `shoebox scan`.
package struct RootRecord: Sendable, Hashable {
  package let id: Int64
  /// Absolute, without symbolic links.
  package let path: BytePath
  /// Device and inode of the folder when it was last scanned: an empty folder with others is the place
  /// where a disk is not mounted.
  package let device: UInt64
  package let inode: UInt64

  package init(id: Int64, path: BytePath, device: UInt64, inode: UInt64) {
    self.id = id
    self.path = path
    self.device = device
    self.inode = inode
  }
}

extension CatalogTransaction {
  /// Every root, in the order of their paths.
  package func roots() throws -> [RootRecord] {
    try rows("SELECT id, path, device, inode FROM roots ORDER BY path") { row in
      RootRecord(
        id: row[0], path: row[1], device: UInt64(bitPattern: row[2]),
        inode: UInt64(bitPattern: row[3]))
    }
  }

  /// Adds a root; the path must not be one already.
  package func addRoot(_ path: BytePath, device: UInt64, inode: UInt64, now: Int64) throws {
    try execute(
      "INSERT INTO roots (path, added_date, device, inode) VALUES (?, ?, ?, ?)",
      [path, now, Int64(bitPattern: device), Int64(bitPattern: inode)])
  }

  /// Notes which folder lies at the root's path now.
  package func updateRoot(_ id: Int64, device: UInt64, inode: UInt64) throws {
    try execute(
      "UPDATE roots SET device = ?, inode = ? WHERE id = ?",
      [Int64(bitPattern: device), Int64(bitPattern: inode), id])
  }

  /// How many of a root's files are believed to be there.
  package func presentFileCount(root: Int64) throws -> Int {
    let counts = try rows(
      """
      SELECT COUNT(*) FROM files JOIN folders ON folders.id = files.folder_id
      WHERE folders.root_id = ? AND files.status <> 'missing'
      """, [root]
    ) { row -> Int in row[0] }
    return counts.first ?? 0
  }
}
