package import Foundation
import Synchronization
import SystemPackage

/// Makes folders for files that are kept for some time, all of them in one ``TemporaryFolder``.
package final class TemporaryFolders: Sendable {
  /// A folder that only this user can read. It is deleted with this object.
  package final class Part: Sendable {
    package let url: URL
    /// Stays as long as its parts.
    private let parent: TemporaryFolder

    /// - Throws: an error of the file system, also if the parent was deleted: nothing is written where others could read
    ///   it.
    fileprivate init(in parent: TemporaryFolder) throws {
      self.parent = parent
      url = parent.url.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private let purpose: String
  private let current = Mutex<TemporaryFolder?>(nil)

  /// - Parameter purpose: a part of the names, as for ``TemporaryFolder``.
  package init(for purpose: String) { self.purpose = purpose }

  /// A new folder. If the system has cleaned its temporary files meanwhile, the others are lost, and this one is not.
  ///
  /// - Throws: ``PhotoLibraryError/system(path:reason:)`` if it cannot be created.
  package func make() throws(PhotoLibraryError) -> Part {
    try current.withLock { current throws(PhotoLibraryError) in
      if let folder = current, let part = try? Part(in: folder) { return part }
      let folder = try TemporaryFolder(for: purpose)
      current = folder
      do {
        return try Part(in: folder)
      } catch {
        throw .system(
          path: FilePath(folder.url.path),
          reason: "no folder can be created in \(folder.url.path): \(error.localizedDescription)")
      }
    }
  }

  /// Creates the common folder, so that its absence is reported early.
  ///
  /// - Throws: as ``make()``.
  package func prepare() throws(PhotoLibraryError) {
    let folder = try TemporaryFolder(for: purpose)
    current.withLock { $0 = folder }
  }

  /// Deletes all folders.
  package func delete() {
    current.withLock { current in
      current?.delete()
      current = nil
    }
  }
}
