import GRDB
import Linux
import MediaModel
import Synchronization

/// The connections of a catalog: for writing a pool; for reading one, and more while that is busy.
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

  /// A connection for reading, and what uses it.
  private struct Place {
    var reader: Reader
    /// The reads that use it or wait for it.
    var users = 0
  }

  /// The open connections.
  private enum State {
    case writer(any DatabaseWriter, Origin)
    /// At least one, all of the same file and content.
    case readers([Place])
  }

  /// Connections for reading, as a pool for writing has.
  private static let maximumReaders = 5

  private let path: String
  private let state: Mutex<State>
  /// How to open the catalog again; nil for writing.
  private let reopened: (@Sendable () throws -> Reader)?

  /// A connection for writing.
  ///
  /// - Parameters:
  ///   - database: was opened at `path`.
  ///   - path: the catalog's.
  init(_ database: any DatabaseWriter, of path: String) {
    self.path = path
    state = Mutex(.writer(database, Origin(of: path)))
    reopened = nil
  }

  /// - Parameters:
  ///   - reader: the first connection.
  ///   - path: the catalog's.
  ///   - reopened: opens the catalog again after a change. If it fails, the next use tries it again.
  init(_ reader: Reader, of path: String, reopened: @escaping @Sendable () throws -> Reader) {
    self.path = path
    state = Mutex(.readers([Place(reader: reader)]))
    self.reopened = reopened
  }

  /// The connection for writing to the present file; of a catalog that is open for reading, one that cannot write.
  ///
  /// - Throws: ``CatalogError/replaced(_:)`` for writing.
  var database: any DatabaseWriter {
    get throws {
      try state.withLock { state in
        switch state {
        case .writer(let database, let origin):
          guard origin.isCurrent(at: path) else { throw CatalogError.replaced(path) }
          return database
        case .readers(var places):
          let index = leastUsed(of: &places)
          state = .readers(places)
          return places[index].reader.database
        }
      }
    }
  }

  /// Reads the present content in one snapshot.
  ///
  /// - Throws: ``CatalogError/replaced(_:)`` for writing, and what `body` throws.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let lent = state.withLock { state -> Reader? in
      guard case .readers(var places) = state else { return nil }
      let index = leastUsed(of: &places)
      places[index].users += 1
      state = .readers(places)
      return places[index].reader
    }
    guard let lent else { return try database.read(body) }
    defer { giveBack(lent) }
    return try lent.database.read(body)
  }

  /// The index of the reader that fewest reads use. While all are busy, another one is opened, up to ``maximumReaders``.
  /// After a change of the file, all are replaced.
  private func leastUsed(of places: inout [Place]) -> Int {
    let origin = places[0].reader.origin
    let isCurrent = origin.isCurrent(at: path)
    let isFull = places.count == Self.maximumReaders || places.contains { $0.users == 0 }
    if !isCurrent || !isFull, let reader = try? reopened?() {
      let place = Place(reader: reader)
      places = reader.origin == origin ? places + [place] : [place]
    }
    return places.indices.min { places[$0].users < places[$1].users } ?? 0
  }

  /// A reader that was replaced meanwhile is closed after its last use.
  private func giveBack(_ reader: Reader) {
    state.withLock { state in
      guard case .readers(var places) = state,
        let index = places.firstIndex(where: { $0.reader.database === reader.database })
      else { return }
      places[index].users -= 1
      state = .readers(places)
    }
  }
}
