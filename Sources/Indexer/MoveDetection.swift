import Catalog
import MediaModel
import POSIX

/// Finds the known file that a file at another place is.
struct MoveDetection {
  let transaction: CatalogTransaction
  let scope: Scope

  /// Where a file may have come from.
  struct Scope: Sendable {
    /// The disks of the roots that can be seen now: in others nothing is known to be gone.
    var disks: [Int64: DiskWitness]
    /// False for the first scan of all, before which nothing was known that could have moved.
    var hasKnownFiles: Bool
  }

  /// Rows whose file is being looked at where it lies: what their stamp and content are now is not yet
  /// known, and nothing else is taken for them.
  var inHand: Set<Int64>

  /// The known file with this very stamp, if its old place no longer holds it.
  func source(ofStamp stamp: FileStamp, at path: BytePath) throws -> FilePlace? {
    guard scope.hasKnownFiles else { return nil }
    return try transaction.files(stamp: stamp).first {
      try $0.path != path && isGone($0, anyInode: false)
    }
  }

  /// The known file with this content, if its old place no longer holds it; one of the same name
  /// before others.
  func source(
    ofContent fingerprint: Fingerprint, size: Int64, at path: BytePath
  ) throws -> FilePlace? {
    guard scope.hasKnownFiles else { return nil }
    let candidates = try transaction.files(fingerprint: fingerprint, size: size)
      .filter { try isGone($0, anyInode: true) }
    return candidates.first { $0.path == path }
      ?? candidates.first { $0.file.name == path.lastComponent } ?? candidates.first
  }

  /// Whether a file has left the place where it was last seen.
  ///
  /// - Parameter anyInode: whether a file there of its size and time is taken for it whatever its inode:
  ///   some file systems number their files anew at each mount.
  private func isGone(_ place: FilePlace, anyInode: Bool) throws -> Bool {
    guard let disk = scope.disks[place.rootID], !inHand.contains(place.file.id) else {
      return false
    }
    do {
      let status = try FileStatus(of: place.path)
      var stamp = status.stamp
      if stamp.inode == place.file.stamp.inode, status.kind == .regular { return false }
      stamp.inode = place.file.stamp.inode
      if anyInode, stamp == place.file.stamp, status.kind == .regular { return false }
    } catch {
      guard error.isNotFound else { return false }
    }
    // Nothing is gone from a disk that is away itself.
    return try disk.isInPlace
      && transaction.mountPoints(around: place.file.folderID)
        .allSatisfy { disk.path.appending($0.bytes).isMountPoint }
  }
}
