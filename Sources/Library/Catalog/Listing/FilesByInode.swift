import GRDB
package import MediaModel

extension Catalog {
  /// The full paths of files with this inode, on any file system, missing ones among them. An inode may be one of an earlier
  /// state of a file: compare it with the file's own.
  package func paths(ofFilesWithInode inode: UInt64) throws -> [BytePath] {
    try read { transaction in
      try transaction.rows(
        """
        SELECT r.path, d.path, f.name
        FROM files AS f CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id
        WHERE f.inode = ?
        """, [Int64(bitPattern: inode)]
      ) { row in AssetRow.path(row, root: 0, folder: 1, name: 2) }
    }
  }
}
