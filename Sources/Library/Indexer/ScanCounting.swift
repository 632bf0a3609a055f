import Catalog

// How the files that a scan meets are counted: in its report, and for the digest of each folder.

extension ScanCounts {
  /// Adds the files of a folder that need not be read.
  mutating func add(unchanged folder: FolderCounts) {
    unchanged += folder.media
    unreadable += folder.unreadable
    sidecars += folder.sidecars
    ignored += folder.ignored
  }

  /// Adds what the examination of one folder has counted.
  mutating func add(_ other: ScanCounts) {
    added += other.added
    changed += other.changed
    moved += other.moved
    unchanged += other.unchanged
    unreadable += other.unreadable
    sidecars += other.sidecars
    ignored += other.ignored
  }
}

extension FolderCounts {
  /// Counts a file that was read.
  ///
  /// - Returns: false if the next scan has to read it again.
  mutating func add(_ content: FileRecording.Content) -> Bool {
    switch content {
    case .media: media += 1
    case .sidecar: sidecars += 1
    case .other(let isTransient):
      ignored += 1
      return !isTransient
    case .unreadable:
      // `known_failures` says when it is read again.
      unreadable += 1
    }
    return true
  }
}
