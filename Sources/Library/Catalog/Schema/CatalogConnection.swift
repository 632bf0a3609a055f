import GRDB
import Linux
import MediaModel
import Synchronization

/// The connection of a catalog.
///
/// A backup may be put in the place of the file while it is open. A connection for reading is then opened again; one for
/// writing fails, because what a scan remembers of the rows belongs to the file before.
///
/// Where SQLite cannot make its files next to the catalog, it reads the file as one that never changes (`immutable`), and
/// keeps what it has read. A scan of another user may change the file all the same: then this opens it again. Without
/// that, a server that may not write there would never see what scans do.
final class CatalogConnection: Sendable {
  /// What distinguishes the file of a connection from another one in its place.
  struct Origin: Hashable, Sendable {
    /// Device and inode; nil if there is no file.
    private let identity: FolderIdentity?
    /// The states of the file and of its log; empty if SQLite notices changes itself.
    private let contents: [FileStamp?]

    /// - Parameters:
    ///   - path: the catalog's.
    ///   - isFixed: whether SQLite takes the content for the only one.
    init(of path: String, isFixed: Bool = false) {
      func status(_ path: String) -> FileStatus? {
        try? FileStatus(of: BytePath(path), followingLinks: true)
      }
      let file = status(path)
      identity = file?.folderIdentity
      contents = isFixed ? [file?.stamp, status(path + "-wal")?.stamp] : []
    }

    /// Whether the path still leads to this file, and to this content if that is the only one.
    fileprivate func isCurrent(at path: String) -> Bool {
      self == Origin(of: path, isFixed: !contents.isEmpty)
    }
  }

  /// A connection for reading.
  struct Reader: Sendable {
    var database: DatabaseQueue
    var origin: Origin
  }

  private let path: String
  private let state: Mutex<(database: any DatabaseWriter, origin: Origin)>
  /// How to open the catalog again; nil for writing.
  private let reopened: (@Sendable () throws -> Reader)?

  /// A connection for writing.
  ///
  /// - Parameters:
  ///   - database: was opened at `path`.
  ///   - path: the catalog's.
  init(_ database: any DatabaseWriter, of path: String) {
    self.path = path
    state = Mutex((database, Origin(of: path)))
    reopened = nil
  }

  /// - Parameters:
  ///   - reader: the first connection.
  ///   - path: the catalog's.
  ///   - reopened: opens the catalog again after a change. If it fails, the next use tries it again.
  init(_ reader: Reader, of path: String, reopened: @escaping @Sendable () throws -> Reader) {
    self.path = path
    state = Mutex((reader.database, reader.origin))
    self.reopened = reopened
  }

  /// The connection to the present content.
  ///
  /// - Throws: ``CatalogError/replaced(_:)`` for writing.
  var database: any DatabaseWriter {
    get throws {
      try state.withLock { state in
        if state.origin.isCurrent(at: path) { return state.database }
        guard let reopened else { throw CatalogError.replaced(path) }
        if let reader = try? reopened() { state = (reader.database, reader.origin) }
        return state.database
      }
    }
  }
}
