import Foundation
import GRDB
import Synchronization

/// The connection of a catalog.
///
/// Where SQLite cannot make its files next to the catalog, it reads the file as one that never changes (`immutable`), and
/// keeps what it has read. A scan of another user may change the file all the same: then this opens it again. Without
/// that, a server that may not write there would never see what scans do.
final class CatalogConnection: Sendable {
  /// What distinguishes the contents of the file and of its log.
  struct Content: Hashable, Sendable {
    private let modified: Date?
    private let number: Int?
    private let sizes: [Int64?]

    /// - Parameter path: the catalog's.
    init(of path: String) {
      let file = try? FileManager.default.attributesOfItem(atPath: path)
      let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
      modified = file?[.modificationDate] as? Date
      number = file?[.systemFileNumber] as? Int
      sizes = [file?[.size] as? Int64, log?[.size] as? Int64]
    }
  }

  /// A connection for reading.
  struct Reader: Sendable {
    var database: DatabaseQueue
    /// The content that SQLite takes for the only one; nil if it notices changes itself.
    var content: Content?
  }

  private let state: Mutex<(database: any DatabaseWriter, content: Content?)>
  /// How to open the catalog again, and its path; nil if the connection notices changes itself.
  private let reopening: (path: String, reader: @Sendable () throws -> Reader)?

  /// A connection that notices changes itself.
  init(_ database: any DatabaseWriter) {
    state = Mutex((database, nil))
    reopening = nil
  }

  /// - Parameters:
  ///   - reader: the first connection.
  ///   - path: the catalog's.
  ///   - reopened: opens the catalog again after a change. If it fails, the next use tries it again.
  init(_ reader: Reader, of path: String, reopened: @escaping @Sendable () throws -> Reader) {
    state = Mutex((reader.database, reader.content))
    reopening = (path, reopened)
  }

  /// The connection to the present content.
  var database: any DatabaseWriter {
    state.withLock { state in
      guard let content = state.content, let reopening, Content(of: reopening.path) != content,
        let reader = try? reopening.reader()
      else { return state.database }
      state = (reader.database, reader.content)
      return reader.database
    }
  }
}
