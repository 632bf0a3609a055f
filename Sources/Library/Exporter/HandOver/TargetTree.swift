package import Linux
package import MediaModel
import Synchronization

/// The folders of a target, held open and reached without following a link below the target's own folder.
package final class TargetTree: Sendable {
  /// Descriptors that are kept open at most.
  private static let limit = 32

  package let root: OpenFolder
  private let open = Mutex<[String: OpenFolder]>([:])

  package init(_ path: BytePath) throws(SystemError) {
    root = try OpenFolder(path)
  }

  /// A folder below, as it was when it was first asked for.
  ///
  /// - Parameter making: whether it is made if it is missing.
  func folder(_ relative: String, making: Bool = false) throws(SystemError) -> OpenFolder {
    if relative.isEmpty { return root }
    if let known = open.withLock({ $0[relative] }) { return known }
    let folder = try root.folder(BytePath(relative), making: making)
    open.withLock { open in
      if open.count >= Self.limit { open.removeAll() }
      open[relative] = folder
    }
    return folder
  }

  /// The status of a file below; nil if it is not there, or only through a link.
  func status(of target: String) throws(SystemError) -> FileStatus? {
    do {
      return try folder(target.folder).status(of: BytePath(target).lastComponent)
    } catch  where error.isNotFound || error.isLink {
      return nil
    }
  }

  /// Whether the target's own folder is still at the path that it was opened with.
  func isInPlace() throws(SystemError) -> Bool {
    do {
      return try FileStatus(of: root.path, followingLinks: true).folderIdentity
        == root.status().folderIdentity
    } catch  where error.isNotFound || error.isLink {
      return false
    }
  }

  /// Whether a folder that was opened before still has its path below the target.
  func stillHas(_ folder: OpenFolder, at relative: String) throws(SystemError) -> Bool {
    do {
      return try root.folder(BytePath(relative)).status().folderIdentity
        == folder.status().folderIdentity
    } catch  where error.isNotFound || error.isLink {
      return false
    }
  }
}
