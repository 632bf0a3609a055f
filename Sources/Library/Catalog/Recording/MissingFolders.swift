import GRDB
package import MediaModel

// Folders that are not there any more, and the disks that were mounted in them.

extension CatalogTransaction {
  /// A folder (`?1`) and those below it; if `?2`, only as far as nothing was mounted.
  private static let subtree = """
    WITH RECURSIVE subtree(id) AS (
      SELECT id FROM folders WHERE id = ?1 AND NOT (?2 AND is_mount_point)
      UNION ALL
      SELECT folders.id FROM folders JOIN subtree ON folders.parent_id = subtree.id
      WHERE NOT (?2 AND folders.is_mount_point))
    """

  /// Marks every file at and below a folder as missing, and forgets the digests.
  ///
  /// - Parameter sparingMounts: leaves out the folders at which something was mounted, with all below.
  package func markSubtreeMissing(
    _ folder: Int64, sparingMounts: Bool, scan: Int64
  ) throws {
    let ids = try rows(
      Self.subtree + """
         SELECT files.id FROM files JOIN subtree ON files.folder_id = subtree.id
        WHERE files.missing_since IS NULL
        """, [folder, sparingMounts]
    ) { row -> Int64 in row[0] }
    try execute(
      Self.subtree + """
         UPDATE folders SET digest = NULL, media_count = 0, unreadable_count = 0,
          sidecar_count = 0, ignored_count = 0
        WHERE id IN (SELECT id FROM subtree)
          AND (digest IS NOT NULL OR media_count + unreadable_count + sidecar_count + ignored_count > 0)
        """, [folder, sparingMounts])
    try markMissing(ids, scan: scan)
  }

  /// The folders at and below a folder at which something was mounted that holds files, as far as is
  /// known; those inside another are left out.
  package func mountPoints(within folder: Int64) throws -> [FolderRecord] {
    let mounts = try rows(
      Self.subtree + " " + Self.folderColumns + """
         WHERE is_mount_point AND (id = ?1 OR parent_id IN (SELECT id FROM subtree))
        """, [folder, true], self.folder)
    return try mounts.filter { try holdsFiles($0.id) }
  }

  /// Where file systems were mounted in a root at a folder or above it, each as a path below the root; the
  /// root's own folder is left out.
  package func mountPoints(around folder: Int64) throws -> [BytePath] {
    try rows(
      """
      WITH RECURSIVE around(id) AS (
        VALUES (?)
        UNION ALL
        SELECT folders.parent_id FROM folders JOIN around ON folders.id = around.id
        WHERE folders.parent_id IS NOT NULL)
      SELECT path FROM folders
      WHERE id IN (SELECT id FROM around) AND is_mount_point AND parent_id IS NOT NULL
      """, [folder]
    ) { row -> BytePath in row[0] }
  }

  /// Whether files are believed to be in a folder or below it.
  private func holdsFiles(_ folder: Int64) throws -> Bool {
    try !rows(
      Self.subtree + """
         SELECT 1 FROM subtree WHERE EXISTS (
          SELECT 1 FROM files WHERE folder_id = subtree.id AND missing_since IS NULL) LIMIT 1
        """, [folder, false]
    ) { row -> Int in row[0] }.isEmpty
  }

  /// The names directly in a folder under which files are believed to be: of files, and of folders that
  /// hold some at any depth.
  package func namesInUse(in folder: Int64) throws -> Set<[UInt8]> {
    let names = try rows(
      """
      WITH RECURSIVE tree(top, id) AS (
        SELECT id, id FROM folders WHERE parent_id = ?1
        UNION ALL
        SELECT tree.top, folders.id FROM folders JOIN tree ON folders.parent_id = tree.id)
      SELECT name FROM folders WHERE id IN (
        SELECT top FROM tree WHERE EXISTS (
          SELECT 1 FROM files WHERE folder_id = tree.id AND missing_since IS NULL))
      UNION ALL
      SELECT name FROM files WHERE folder_id = ?1 AND missing_since IS NULL
      """, [folder]
    ) { row -> BytePath in row[0] }
    return Set(names.map(\.bytes))
  }
}
