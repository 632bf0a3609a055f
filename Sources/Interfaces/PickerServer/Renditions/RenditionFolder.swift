import Foundation

/// A folder for one rendition, which is removed with the last reference to this object.
final class RenditionFolder: Sendable {
  /// The folder, which exporting creates.
  let url: URL

  /// - Parameter parent: the folder for all renditions of a server.
  init(in parent: URL) {
    url = parent.appending(path: UUID().uuidString)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
