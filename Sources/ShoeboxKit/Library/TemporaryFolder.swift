import Foundation
import MediaModel
import SystemPackage

/// A folder in `$TMPDIR` that only this user can read. It is deleted with this value.
final class TemporaryFolder: Sendable {
  let path: BytePath

  /// - Throws: ``PhotoLibraryError/system(path:reason:)`` if it cannot be created.
  init() throws(PhotoLibraryError) {
    let url = FileManager.default.temporaryDirectory.appending(path: "shoebox-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .system(
        path: FilePath(url.path),
        reason: "\(url.path) cannot be created: name another folder with $TMPDIR")
    }
    path = BytePath(url.path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path.display)
  }
}
