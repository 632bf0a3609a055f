import Foundation
import Linux
import MediaModel

/// A folder that only the user of this process can enter. It is removed with this object, or earlier.
///
/// A process that is killed leaves its folder. The next one that makes a folder of the same kind removes it: the kernel has
/// released its lock.
final class TemporaryFolder: Sendable {
  /// The folder.
  let url: URL
  private let lock: FileLock

  /// - Parameters:
  ///   - kind: begins the folder's name.
  ///   - parent: an existing folder.
  /// - Throws: an error of the file system.
  init(_ kind: String, in parent: URL) throws {
    // Exports do not write through links, and $TMPDIR may be one.
    let parent = parent.resolvingSymlinksInPath()
    url = parent.appending(path: "\(kind)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    guard let lock = try FileLock.take(Self.lockPath(in: url)) else {
      throw CocoaError(.fileLocking)
    }
    self.lock = lock
    Self.removeOthers("\(kind)-", in: parent, ownedAs: url)
  }

  deinit { remove() }

  /// Removes the folder with all that is in it.
  func remove() {
    // It fails if SQLite, for example, removes a file of its own at the same moment.
    for _ in 0..<5 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }

  private static func lockPath(in folder: URL) -> BytePath {
    BytePath(folder.path).appending("lock")
  }

  /// Removes the folders that killed processes of the same user have left. The owner of one that has just been created may
  /// not have locked it yet.
  private static func removeOthers(_ prefix: String, in parent: URL, ownedAs own: URL) {
    let manager = FileManager.default
    guard let owner = try? manager.attributesOfItem(atPath: own.path)[.ownerAccountID] as? NSNumber,
      let names = try? manager.contentsOfDirectory(atPath: parent.path)
    else { return }
    for name in names where name.hasPrefix(prefix) && name != own.lastPathComponent {
      let folder = parent.appending(path: name)
      guard let attributes = try? manager.attributesOfItem(atPath: folder.path),
        attributes[.type] as? FileAttributeType == .typeDirectory,
        attributes[.ownerAccountID] as? NSNumber == owner,
        let changed = attributes[.modificationDate] as? Date, changed < Date() - 60,
        let lock = try? FileLock.take(lockPath(in: folder))
      else { continue }
      try? manager.removeItem(at: folder)
      withExtendedLifetime(lock) {}
    }
  }
}
