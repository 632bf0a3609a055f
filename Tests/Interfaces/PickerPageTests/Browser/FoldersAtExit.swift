import Foundation
import Synchronization

/// Folders of objects that tests share, which exist as long as the process and are never deinitialised.
final class FoldersAtExit: Sendable {
  private static let folders = Mutex<[String]>([])

  /// Removes a folder when the process ends.
  func add(_ folder: String) {
    let isFirst = Self.folders.withLock { folders in
      folders.append(folder)
      return folders.count == 1
    }
    guard isFirst else { return }
    atexit {
      for folder in FoldersAtExit.folders.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }
}
