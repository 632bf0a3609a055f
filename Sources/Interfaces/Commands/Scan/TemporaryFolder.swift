import Foundation
import MediaModel
import Terminal

/// A folder in `$TMPDIR` that only this user can read. It is deleted with this value.
final class TemporaryFolder {
  let path: BytePath

  /// - Throws: ``Failure`` if it cannot be created.
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "shoebox-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .inputOutput,
        "\(url.path.terminalSafe) cannot be created: name another folder with $TMPDIR")
    }
    path = BytePath(url.path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path.display)
  }
}
