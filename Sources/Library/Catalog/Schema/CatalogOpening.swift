import CSQLite
import Foundation
import GRDB
package import MediaModel
import Migrations
import Query

extension Catalog {
  /// Where the catalog is if the user names no file: `$SHOEBOX_CATALOG`, else
  /// `$XDG_DATA_HOME/shoebox/catalog.sqlite`, else `~/.local/share/shoebox/catalog.sqlite`.
  ///
  /// Nil if the environment names no home either. A relative `$XDG_DATA_HOME` is ignored, as the XDG
  /// Base Directory Specification wants.
  package static func defaultPath(environment: [String: String]) -> String? {
    if let named = environment["SHOEBOX_CATALOG"], !named.isEmpty { return named }
    let tail = "shoebox/catalog.sqlite"
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/\(tail)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/share/\(tail)"
  }

  /// The lock file of processes that update the catalog from the library: a scan, or what moves and forgets
  /// roots. Beside the catalog, so that it lives as long, and named for the file itself, so that it is one by
  /// whatever link the catalog is reached.
  package var lockPath: BytePath { Self.lockPath(of: location) }

  package static func lockPath(of location: BytePath) -> BytePath {
    BytePath(bytes: location.bytes + Array(".lock".utf8))
  }

  /// Checks the path of a catalog that is to be made: SQLite's names are texts.
  ///
  /// - Throws: ``CatalogError/cannotOpen(_:_:)`` if it is not UTF-8.
  package static func checkName(_ path: BytePath) throws(CatalogError) {
    guard path.text != nil else {
      throw .cannotOpen(path.display, "its name is not valid UTF-8; choose another one")
    }
  }
}

extension Catalog {
  /// Opens the catalog at `path`.
  ///
  /// - Throws: ``CatalogError``: for reading, the file must be there; it must be a catalog, and one
  ///   that this version knows how to read.
  package static func open(at path: String, mode: Mode) throws(CatalogError) -> Catalog {
    try CatalogError.translating(path) {
      guard !path.isEmpty else { throw CatalogError.unnamed }
      // SQLite would speak of an input/output error.
      guard !FileManager.default.fileExists(atPath: path + "/.") else {
        throw CatalogError.isAFolder(path)
      }
      // SQLite would wait for the other end of a FIFO.
      guard isFileOrAbsent(path) else { throw CatalogError.notACatalog(path) }
      return switch mode {
      case .readOnly: try openForReading(path)
      case .readWrite: try retryingWhileBusy { try openForWriting(path) }
      }
    }
  }

  /// Whether a path names a regular file, by links or not, or nothing that can be seen.
  private static func isFileOrAbsent(_ path: String) -> Bool {
    let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let kind =
      try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
    return kind.map { $0 == .typeRegular } ?? true
  }

  private static func openForReading(_ path: String) throws -> Catalog {
    guard FileManager.default.fileExists(atPath: path) else {
      throw isHidden(path)
        ? CatalogError.cannotOpen(path, "this user may not enter its folder") : .absent(path)
    }
    return Catalog(
      path: path, CatalogConnection(try reader(of: path), of: path) { try reader(of: path) })
  }

  private static func reader(of path: String) throws -> CatalogConnection.Reader {
    let (reader, state) = try openReader(path)
    guard state != .empty else { throw CatalogError.absent(path) }
    try state.check(path)
    return reader
  }

  /// Whether this user may not know if a file exists.
  private static func isHidden(_ path: String) -> Bool {
    do {
      _ = try FileManager.default.attributesOfItem(atPath: path)
      return false
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoPermission
    }
  }

  /// To read a WAL file, SQLite too makes files next to it. Where it cannot, as on a disk that is full or mounted
  /// read-only, and the log is empty, no process is writing: then only the file is read.
  private static func openReader(
    _ path: String
  ) throws -> (CatalogConnection.Reader, SchemaState) {
    func open(
      _ name: String, as origin: CatalogConnection.Origin
    ) throws -> (CatalogConnection.Reader, SchemaState) {
      let queue = try DatabaseQueue(path: name, configuration: configuration(readOnly: true))
      let reader = CatalogConnection.Reader(database: queue, origin: origin)
      return (reader, try queue.read { try schemaState($0) })
    }
    // Before the file is opened: what is there after that is another file, or another content.
    let origin = CatalogConnection.Origin(of: path)
    do {
      return try open(path, as: origin)
    } catch let error as DatabaseError where error.needsRollback {
      guard (try? rollBack(path)) != nil else { throw CatalogError.unwritableFolder(path) }
      return try open(path, as: origin)
    } catch let error as DatabaseError
      where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
      || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    {
      let files = FileManager.default
      guard files.isReadableFile(atPath: path) else { throw error }
      let content = CatalogConnection.Origin(of: path, isFixed: true)
      let log = try? files.attributesOfItem(atPath: path + "-wal")
      guard (log?[.size] as? Int64 ?? 0) == 0 else {
        throw error.resultCode == .SQLITE_IOERR ? error : CatalogError.unwritableFolder(path)
      }
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      let scheme = path.hasPrefix("/") ? "file://" : "file:"
      // An SQLite that was built without names like this finds no such file.
      guard let escaped, let opened = try? open("\(scheme)\(escaped)?immutable=1", as: content)
      else {
        throw CatalogError.unwritableFolder(path)
      }
      return opened
    }
  }

  private static func openForWriting(_ path: String) throws -> Catalog {
    if try stateBeforeWriting(path) == .empty { try create(path) }
    let pool = try DatabasePool(path: path, configuration: configuration(readOnly: false))
    return Catalog(path: path, CatalogConnection(pool, of: path))
  }

  /// Tries again while another process creates the catalog or closes it.
  ///
  /// SQLite does not wait for the lock that turns a new file into a WAL one. A process that looks at the file
  /// while the last other one closes it may find the files next to it gone: SQLite reports that as
  /// `SQLITE_CANTOPEN` or `SQLITE_READONLY`, which are final for a file that cannot be written.
  private static func retryingWhileBusy(_ open: () throws -> Catalog) throws -> Catalog {
    let start = ContinuousClock.now
    while true {
      do {
        return try open()
      } catch let error as DatabaseError {
        let patience: Duration =
          switch error.resultCode {
          case .SQLITE_BUSY, .SQLITE_LOCKED: .seconds(20)
          case .SQLITE_CANTOPEN, .SQLITE_READONLY: .seconds(1)
          default: .zero
          }
        guard ContinuousClock.now - start < patience else { throw error }
        Thread.sleep(forTimeInterval: .random(in: 0.01...0.05))
      }
    }
  }

  /// Reads the state without changing the file: opening it for writing would switch another program's
  /// database to WAL.
  private static func stateBeforeWriting(_ path: String) throws -> SchemaState {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let size = attributes?[.size] as? Int64, size > 0 else {
      try makeFolder(of: path)
      return .empty
    }
    func readState() throws -> SchemaState {
      let queue = try DatabaseQueue(path: path, configuration: configuration(readOnly: true))
      defer { try? queue.close() }
      return try queue.read { try schemaState($0) }
    }
    let state: SchemaState
    do {
      state = try readState()
    } catch let error as DatabaseError where error.needsRollback {
      try rollBack(path)
      state = try readState()
    }
    try state.check(path)
    return state
  }

  /// Undoes the transaction that a crash cut off in a catalog that was not a WAL file yet, or could not become
  /// one. SQLite does that when it reads such a file, if it may write.
  private static func rollBack(_ path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    _ = try queue.read { try schemaState($0) }
    try queue.close()
  }

  private static func makeFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CatalogError.noFolder(path)
    }
  }

  /// Creates the schema in one transaction that no other process writes in. So another process finds either no
  /// schema or all of it, and a second one that waited for the first has nothing left to do.
  private static func create(_ path: String) throws {
    let queue = try DatabaseQueue(path: path, configuration: configuration(readOnly: false))
    try queue.inTransaction(.immediate) { database in
      // Checked again: another process may have created it meanwhile.
      let state = try schemaState(database)
      try state.check(path)
      if state == .empty {
        for migration in Migration.all { try database.execute(sql: migration.sql) }
      }
      return .commit
    }
    try queue.close()
  }

  /// Makes SQLite keep statement journals in memory. Recording one asset changes about 40 pages, more than SQLite's own
  /// limit of 64 KiB, and once a journal was written to a temporary file, all further statements of the transaction write
  /// to it too. A limit of 128 KiB or more does not work: SQLite 3.40 then writes a journal in pieces of that size, of which
  /// its Unix layer writes the size modulo 128 KiB, and reports a full disk. A statement therefore takes memory for each page
  /// that it changes: change a million rows in several statements. Statistics of memory, which nothing reads, took 3 % of a
  /// scan.
  private static let isTuned =
    set_statement_journal_limit(-1) == SQLITE_OK && disable_memory_statistics() == SQLITE_OK

  /// A page changes many times before a scan is done, because a dozen indexes are written at once: the log is
  /// carried over into the file every 32 MB, not every 4, each of which waits for the disk. A long transaction may
  /// make the log larger; it is cut to 32 MB when it starts from the beginning. Debian's SQLite zeroes what is
  /// deleted (`SQLITE_SECURE_DELETE`); `FAST` does so only where it costs no additional write.
  private static let writerSettings = """
    PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 8192;
    PRAGMA journal_size_limit = 33554432; PRAGMA secure_delete = FAST
    """

  private static func configuration(readOnly: Bool) -> Configuration {
    // Has an effect only before SQLite is used for the first time.
    _ = isTuned
    var configuration = Configuration()
    configuration.readonly = readOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    configuration.journalMode = .wal
    configuration.label = "catalog"
    configuration.prepareDatabase { database in
      for function in DatabaseFunction.textFunctions { database.add(function: function) }
    }
    // Readers keep SQLite's own cache: neither a larger one nor mapping the file made a listing of a million
    // assets faster, and a mapped file on a disk that is pulled out ends the process by a signal instead of
    // an error.
    configuration.prepareDatabase { database in
      if !database.configuration.readonly { try database.execute(sql: writerSettings) }
    }
    return configuration
  }
}

extension Catalog {
  /// For a file that no other process uses, and that is made again after a crash of the system. A new file has pages of
  /// 16 KiB, four times SQLite's own: a million assets are merged in a tenth less time, and those of a thousand catalogs
  /// in a quarter less.
  static var bulkConfiguration: Configuration {
    _ = isTuned
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    configuration.label = "bulk"
    configuration.prepareDatabase { database in
      for function in DatabaseFunction.textFunctions { database.add(function: function) }
      try database.execute(
        sql: """
          PRAGMA main.page_size = 16384;
          PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.journal_mode = TRUNCATE; PRAGMA main.synchronous = OFF;
          PRAGMA main.cache_size = -16384
          """)
    }
    return configuration
  }
}

extension DatabaseError {
  /// Whether a journal next to the file has to be played back first, which a connection for reading cannot.
  fileprivate var needsRollback: Bool {
    extendedResultCode == .SQLITE_READONLY_ROLLBACK
  }
}

extension Catalog {
  /// A database file's schema, compared with the one of this version.
  enum SchemaState: Sendable {
    case empty, current, newer, development, foreign

    /// Throws ``CatalogError`` unless the file is a catalog of this version or empty.
    func check(_ path: String) throws(CatalogError) {
      switch self {
      case .empty, .current: break
      case .newer: throw .newerVersion(path)
      case .development: throw .developmentVersion(path)
      case .foreign: throw .notACatalog(path)
      }
    }
  }

  /// `Shbx`, the number in the file's header that identifies a catalog.
  private static let applicationIdentifier = 0x5368_6278

  /// Cheap enough for every opening: two or three numbers of the file's header.
  ///
  /// - Parameter schema: the name of the file on this connection.
  static func schemaState(
    _ database: Database, of schema: String = "main"
  ) throws -> SchemaState {
    let identifier = try Int.fetchOne(database, sql: "PRAGMA \(schema).application_id")
    guard identifier == applicationIdentifier else {
      let hasTable = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM \(schema).sqlite_master)")
      return hasTable == true ? .foreign : .empty
    }
    // Versions from before the first release counted steps in a table and left the number 0.
    let version = try Int.fetchOne(database, sql: "PRAGMA \(schema).user_version") ?? 0
    if version == Migration.latest { return .current }
    return version == 0 ? .development : .newer
  }
}
