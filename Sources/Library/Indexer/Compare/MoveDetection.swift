import Catalog
import Linux
import MediaModel

/// Finds the known file that a file at another place is.
struct MoveDetection {
  let transaction: CatalogTransaction
  let scope: Scope

  /// Where a file may have come from.
  struct Scope: Sendable {
    /// The disks of the roots that can be seen now: in others nothing is known to be gone.
    var disks: [Int64: MountIdentity]
    /// False for the first scan of all, before which nothing was known that could have moved.
    var hasKnownFiles: Bool
    /// Whether a known file may be a symbolic link to a file.
    var followsLinks: Bool
  }

  /// This scan.
  let scan: Int64

  /// The folder that is examined, with the names that the file system has just listed in it.
  var listed: (folder: Int64, names: ListedNames)?

  /// Rows whose file is being read in its place: its stamp and content are not known yet, so no other file is
  /// taken for it.
  var inProgress: Set<Int64>

  init(
    transaction: CatalogTransaction, scope: Scope, scan: Int64, inProgress: Set<Int64>
  ) {
    self.transaction = transaction
    self.scope = scope
    self.scan = scan
    self.inProgress = inProgress
  }

  /// The known file with this very stamp, if its old place no longer holds it. A backup next to a file is not that file.
  func source(ofStamp stamp: FileStamp, at path: BytePath) throws -> FilePlace? {
    guard scope.hasKnownFiles else { return nil }
    return try transaction.files(stamp: stamp).first {
      try $0.path != path && isGone($0, anyInode: false)
        && !(isBackup(path, of: $0) && isReplaced($0))
    }
  }

  /// The known file with this content, if its old place no longer holds it; one of the same name before others.
  ///
  /// If another file has its name now, only a file with its time is taken for it, as programs that move a file to another
  /// disk keep the time. Without that, a file that was copied and then edited would lose its identifier to the copy.
  func source(
    ofContent fingerprint: Fingerprint, stamp: FileStamp, at path: BytePath
  ) throws -> FilePlace? {
    guard scope.hasKnownFiles else { return nil }
    let candidates = try transaction.files(fingerprint: fingerprint, size: stamp.size).filter {
      try isGone($0, anyInode: true)
        && (!isReplaced($0) || hasTime(stamp, of: $0.file) && !isBackup(path, of: $0))
    }
    return candidates.first { $0.path == path }
      ?? candidates.first { $0.file.name == path.lastComponent } ?? candidates.first
  }

  /// The known file that a file is which was read under a name that is new in its folder, or known there only as missing.
  ///
  /// It is the missing file with the same content, or a file that has moved here. A file with other content is
  /// another file, even if a missing one had its name. The inode proves nothing: a new file often gets the
  /// inode of a deleted one. If one of the two could not be read, size and time decide.
  func knownFile(for probed: ProbedFile) throws -> KnownPlace? {
    guard scope.hasKnownFiles else { return nil }
    let item = probed.item
    let missing = try transaction.missingFiles(named: item.name, in: item.folderID)
    let size = item.stamp.size
    var content: Fingerprint?
    if case .media(_, let fingerprint, _) = probed.content {
      content = fingerprint
      if let same = missing.first(where: { $0.fingerprint == fingerprint && $0.stamp.size == size })
      {
        return KnownPlace(id: same.id, folder: item.folderID)
      }
      if let source = try source(
        ofContent: fingerprint, stamp: item.stamp, at: item.path)
      {
        return KnownPlace(
          id: source.file.id, folder: source.file.folderID, isMove: source.path != item.path,
          change: source.file.wasMissing(before: scan) ? .returned : .moved, oldPath: source.path)
      }
    }
    return missing.first {
      ($0.fingerprint == nil || content == nil) && $0.stamp.size == size
        && $0.stamp.modified == item.stamp.modified
    }.map { KnownPlace(id: $0.id, folder: item.folderID) }
  }

  /// Whether a file has left the place where it was last seen.
  ///
  /// - Parameter anyInode: whether a file there of its size and time is taken for it whatever its inode: some
  ///   file systems renumber their files at each mount.
  private func isGone(_ place: FilePlace, anyInode: Bool) throws -> Bool {
    guard let disk = scope.disks[place.rootID], !inProgress.contains(place.file.id) else {
      return false
    }
    guard wasNotListed(place.file) || hasLeft(place, anyInode: anyInode) else { return false }
    return try isInPlace(disk, around: place.file.folderID)
  }

  /// Whether a folder has left the place where it was last seen.
  ///
  /// - Parameter identity: what it is if it has moved.
  func isGone(_ folder: FolderRecord, now identity: FolderIdentity) throws -> Bool {
    guard let disk = scope.disks[folder.rootID] else { return false }
    do {
      // The same folder under two paths, as by a bind mount, has not moved.
      let path = disk.path.appending(folder.path.bytes)
      if try FileStatus(of: path).folderIdentity == identity { return false }
    } catch {
      guard error.isNotFound else { return false }
    }
    return try isInPlace(disk, around: folder.id)
  }

  /// Whether the disks around a folder are mounted: nothing is gone from a disk that is away itself.
  private func isInPlace(_ disk: MountIdentity, around folder: Int64) throws -> Bool {
    try disk.isInPlace
      && transaction.mountPoints(around: folder)
        .allSatisfy { disk.path.appending($0.bytes).isMountPoint }
  }

  /// Whether this scan has read the file's folder, and the folder had no such name. That outweighs what the
  /// file system answers for the name: one that ignores case finds a renamed file by its old name, too.
  private func wasNotListed(_ file: FileRecord) -> Bool {
    if file.status == .missing, file.missingSince == scan { return true }
    guard let listed, listed.folder == file.folderID else { return false }
    return !listed.names.contains(file.name)
  }

  /// Whether the file system has another file at a file's place, or none.
  private func hasLeft(_ place: FilePlace, anyInode: Bool) -> Bool {
    do {
      let status = try FileStatus(of: place.path, followingLinks: scope.followsLinks)
      guard status.kind == .regular else { return true }
      if status.stamp.inode == place.file.stamp.inode {
        return !status.stamp.hasSizeAndTime(of: place.file.stamp)
          && isBornLater(than: place.file, at: place.path)
      }
      return !(anyInode && status.stamp.hasSizeAndTime(of: place.file.stamp))
    } catch {
      return error.isNotFound
    }
  }

  /// Whether the file at a path was created after a known file was last changed: then it is another one, although it has the
  /// inode of the known one. File systems give the inodes of deleted files to new ones.
  func isBornLater(than file: FileRecord, at path: BytePath) -> Bool {
    guard file.changed != FileRecord.young,
      let birth = FileStatus.birth(of: path, followingLinks: scope.followsLinks)
    else { return false }
    return birth > file.changed
  }

  /// Whether the place of a file that is gone has another file now.
  private func isReplaced(_ place: FilePlace) -> Bool {
    guard !wasNotListed(place.file), !place.file.wasMissing(before: scan) else { return false }
    let status = try? FileStatus(of: place.path, followingLinks: scope.followsLinks)
    return status?.kind == .regular
  }

  /// The largest difference between the times of a file and of its copy on another file system, nanoseconds: FAT stores
  /// even seconds.
  private static let coarsestTime: UInt64 = 2_000_000_000

  private func hasTime(_ stamp: FileStamp, of file: FileRecord) -> Bool {
    let (distance, isFar) = stamp.modified.subtractingReportingOverflow(file.stamp.modified)
    return !isFar && distance.magnitude <= Self.coarsestTime
  }

  /// Whether a program has kept the previous state of a file next to it.
  private func isBackup(_ path: BytePath, of place: FilePlace) -> Bool {
    path.parent == place.path.parent && BackupName.isBackup(path.lastComponent, of: place.file.name)
  }
}

/// The known file that a file with a new name is.
struct KnownPlace {
  var id: Int64
  /// The folder in which it was.
  var folder: Int64
  /// Whether it had another path.
  var isMove = false
  var change = FileChange.Kind.returned
  var oldPath: BytePath?
}
