package import Foundation
import Linux
package import MediaModel
import SystemPackage

/// A folder that only this user can read. It is deleted with this object, or earlier.
///
/// A process that is killed leaves its folder. The next one that makes a folder for the same purpose deletes it: the kernel
/// has released its lock.
package final class TemporaryFolder: Sendable {
  package let url: URL
  /// Nil on a file system without locks, where a folder that is left stays.
  private let lock: FileLock?

  package var path: BytePath { BytePath(url.path) }

  /// - Parameters:
  ///   - purpose: a part of the folder's name.
  ///   - parent: an existing folder.
  /// - Throws: ``PhotoLibraryError/system(path:reason:)`` if it cannot be created.
  package init(
    for purpose: String = "work", in parent: URL = FileManager.default.temporaryDirectory
  ) throws(PhotoLibraryError) {
    // Exports do not write through links, and $TMPDIR may be one.
    let parent = parent.resolvingSymlinksInPath()
    let prefix = "shoebox-\(purpose)-"
    url = parent.appending(path: prefix + UUID().uuidString)
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .system(
        path: FilePath(url.path),
        reason: "\(url.path) cannot be created: name another folder with $TMPDIR")
    }
    lock = try? FileLock.take(Self.lockPath(in: url))
    Self.deleteOthers(prefix, besides: url)
  }

  deinit { delete() }

  /// Deletes the folder with all that is in it.
  package func delete() {
    for _ in 0..<20 {
      try? FileManager.default.removeItem(at: url)
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      // SQLite, for example, was deleting a file of its own at the same moment.
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private static func lockPath(in folder: URL) -> BytePath {
    BytePath(folder.path).appending("lock")
  }

  /// Deletes the folders that killed processes of the same user have left: those with such a name and a lock that no process
  /// holds. The owner of one that has just been created may not have locked it yet.
  private static func deleteOthers(_ prefix: String, besides own: URL) {
    let (manager, parent) = (FileManager.default, own.deletingLastPathComponent())
    guard let owner = try? manager.attributesOfItem(atPath: own.path)[.ownerAccountID] as? NSNumber,
      let names = try? manager.contentsOfDirectory(atPath: parent.path)
    else { return }
    for name in names where name.hasPrefix(prefix) && name != own.lastPathComponent {
      let folder = parent.appending(path: name)
      guard UUID(uuidString: String(name.dropFirst(prefix.count))) != nil,
        let attributes = try? manager.attributesOfItem(atPath: folder.path),
        attributes[.type] as? FileAttributeType == .typeDirectory,
        attributes[.ownerAccountID] as? NSNumber == owner,
        let changed = attributes[.modificationDate] as? Date, changed < Date() - 60,
        manager.fileExists(atPath: lockPath(in: folder).display),
        let lock = try? FileLock.take(lockPath(in: folder))
      else { continue }
      try? manager.removeItem(at: folder)
      withExtendedLifetime(lock) {}
    }
  }
}
