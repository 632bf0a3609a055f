import Catalog
package import MediaModel

/// Which parts of the library folders one scan reads.
package struct WalkOptions: Sendable, Hashable {
  /// Whether the scan skips folders at which a file system is mounted, or was at an earlier scan. The catalog
  /// keeps its files of such folders.
  package var staysOnFileSystem = false
  /// Whether a symbolic link to a file counts as a file, which has the name of the link and the stamp of its
  /// target. Links to folders are never followed: they could lead in circles.
  package var followsLinks = false
  /// Rules that apply to each library folder, as if its own `.shoeboxignore` contained them.
  package var exclusions = IgnorePatterns([])
  /// The shard whose folders are read; nil for all. In other folders, the scan reads only the names of subfolders, and
  /// keeps what the catalog has of their files.
  package var shard: Shard?

  /// Whether the files of a folder are read.
  func reads(_ folder: FolderRecord) -> Bool { shard?.owns(folder: folder.path) ?? true }

  package init() {}
}
