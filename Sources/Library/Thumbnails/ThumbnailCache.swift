import Foundation
import GRDB
import MediaModel
import Synchronization
package import WorkerProtocol

/// The file that stores thumbnails. If it is damaged, thumbnails are lost, but no command fails.
package final class ThumbnailCache: Sendable {
  private let path: String
  /// A pool, so that a thumbnail that is there is read while another process writes and a write here waits for it. A
  /// temporary file has one connection. Replaced if the file proves to be damaged.
  private let database: Mutex<any DatabaseWriter>
  /// Uses that are not noted yet, see ``noteUse(of:later:)``.
  private let uses = Mutex(PendingUses())

  /// Notes of uses that wait.
  private struct PendingUses {
    /// More are dropped: notes are of use only in their order, and another process may hold the file for long.
    static let limit = 1000

    var keys: Set<ThumbnailKey> = []
    var areBeingNoted = false
  }

  /// Opens the cache at `path`. It is recreated if it is damaged or of another version.
  ///
  /// If the folder is not writable, the cache is a temporary file that is deleted when this process ends.
  package init(path: String) throws(ThumbnailCacheError) {
    self.path = path
    database = Mutex(try Self.opened(path))
  }

  private static func opened(_ path: String) throws(ThumbnailCacheError) -> any DatabaseWriter {
    do {
      if let kept = try open(path) { return kept }
      remove(path)
    } catch {
      if error.mayBeDamage { remove(path) }
    }
    if let made = try? open(path) { return made }
    do {
      // SQLite opens a temporary file for an empty name.
      if let temporary = try open("") { return temporary }
    } catch {
      throw ThumbnailCacheError(error)
    }
    throw .usedByAnotherVersion
  }

  /// Removes a cache. Its content can be made again.
  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// Nil if it is of another version.
  private static func open(_ path: String) throws -> (any DatabaseWriter)? {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    if !path.isEmpty { configuration.journalMode = .wal }
    configuration.label = "thumbnails"
    // After a power failure a cache may be some minutes old.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    let opened: any DatabaseWriter =
      path.isEmpty
      ? try DatabaseQueue(path: path, configuration: configuration)
      : try DatabasePool(path: path, configuration: configuration)
    let isCurrent = try opened.write { database in
      let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      guard found == 0 || found == version else { return false }
      try database.execute(sql: schema)
      try database.execute(sql: "PRAGMA user_version = \(version)")
      return true
    }
    return isCurrent ? opened : nil
  }

  /// The version of the schema; a cache of another version is deleted.
  private static let version = 1

  /// `id` grows, so it orders thumbnails by age, or by their last use (``noteUse(of:)``). Small and large pictures have
  /// limits of their own, so each has an index for removing the oldest.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS thumbnails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      asset TEXT NOT NULL,
      longer_side INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      jpeg BLOB,
      reason INTEGER,
      failure TEXT,
      bytes INTEGER NOT NULL,
      UNIQUE (asset, longer_side)
    ) STRICT;
    \(signatureTable)
    \(PictureClass.allCases.map { "CREATE INDEX IF NOT EXISTS \($0.index) ON thumbnails (id, bytes) WHERE \($0.condition);" }
      .joined(separator: "\n"))
    """

  /// The thumbnail of the current version of an asset's file, if there is one.
  package func thumbnail(for key: ThumbnailKey) throws(ThumbnailCacheError) -> Thumbnail? {
    let row = try row("width, height, jpeg", for: key)
    guard let row, let jpeg: Data = Self.value(row, 2) else { return nil }
    guard let width: Int = Self.value(row, 0), let height: Int = Self.value(row, 1) else {
      return nil
    }
    let thumbnail = Thumbnail(jpeg: Array(jpeg), size: PixelSize(width: width, height: height))
    return thumbnail.isSound && thumbnail.fits(longerSide: key.longerSide) ? thumbnail : nil
  }

  /// The result of the last attempt to make a thumbnail of the file's current version; nil if there was none.
  package func outcome(for key: ThumbnailKey) throws(ThumbnailCacheError) -> ThumbnailOutcome? {
    guard let row = try row("reason, failure", for: key) else { return nil }
    guard let reason = (Self.value(row, 0) as UInt8?).flatMap(ProbeFailure.Reason.init(rawValue:))
    else {
      return .made
    }
    return .failed(ProbeFailure(reason, Self.value(row, 1) ?? ""))
  }

  /// A column's value; nil if a damaged file contains a value of another type.
  private static func value<Value: DatabaseValueConvertible>(
    _ row: Row, _ column: Int
  ) -> Value? {
    Value.fromDatabaseValue(row[column] as DatabaseValue)
  }

  /// Uses the file, as ``access(_:)`` does, for another part of this module.
  func withDatabase<Value>(
    _ body: (any DatabaseWriter) throws -> Value
  ) throws(ThumbnailCacheError) -> Value {
    try access(body)
  }

  private func row(
    _ columns: String, for key: ThumbnailKey
  ) throws(ThumbnailCacheError) -> Row? {
    try access { database throws -> Row? in
      try database.read { database in
        let statement = try database.cachedStatement(
          sql: """
            SELECT \(columns) FROM thumbnails
            WHERE asset = ? AND longer_side = ? AND size = ? AND modified = ?
            """)
        return try Row.fetchOne(
          statement, arguments: [key.asset, key.longerSide, key.size, key.modified])
      }
    }
  }

  /// Stores replies, and replaces older ones of the same assets. A picture that is larger than requested counts as a
  /// crash: a hostile file may have taken over the process that made it.
  package func keep(
    _ replies: [(key: ThumbnailKey, reply: ThumbnailReply)]
  ) throws(ThumbnailCacheError) {
    try access { database throws -> Void in
      try database.write { database in
        for (key, reply) in replies { try Self.keep(reply, key, in: database) }
      }
    }
  }

  private static func keep(
    _ reply: ThumbnailReply, _ key: ThumbnailKey, in database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO thumbnails
        (asset, longer_side, size, modified, width, height, jpeg, reason, failure, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let (original, longerSide) = (key, key.longerSide)
    let key: [(any DatabaseValueConvertible)?] = [
      key.asset, key.longerSide, key.size, key.modified,
    ]
    switch reply {
    case .thumbnail(let thumbnail) where !thumbnail.fits(longerSide: longerSide):
      try Self.keep(
        .failed(ProbeFailure(.crashed, "The picture is larger than requested.")), original,
        in: database)
    case .thumbnail(let thumbnail):
      let (size, jpeg) = (thumbnail.size, Data(thumbnail.jpeg))
      try statement.execute(
        arguments: StatementArguments(
          key + [size.width, size.height, jpeg, nil, nil, jpeg.count + Self.overhead]))
      try keepSignature(thumbnail.signature, of: original, in: database)
    case .failed(let failure):
      try statement.execute(
        arguments: StatementArguments(
          key + [0, 0, nil, failure.reason.rawValue, failure.message, Self.overhead]))
    }
  }

  /// What a row takes beside its picture, about.
  private static let overhead = 200

  /// Notes a use later: another process may be writing.
  ///
  /// - Parameter run: runs work that may block, and returns at once.
  package func noteUse(
    of key: ThumbnailKey, later run: (@escaping @Sendable () -> Void) -> Void
  ) {
    let begins = uses.withLock { uses in
      guard uses.keys.count < PendingUses.limit else { return false }
      uses.keys.insert(key)
      defer { uses.areBeingNoted = true }
      return !uses.areBeingNoted
    }
    guard begins else { return }
    run { [self] in
      while let key = nextUse() {
        if (try? noteUse(of: key)) == nil { uses.withLock { $0.keys = [] } }
      }
    }
  }

  private func nextUse() -> ThumbnailKey? {
    uses.withLock { uses in
      let key = uses.keys.popFirst()
      if key == nil { uses.areBeingNoted = false }
      return key
    }
  }

  /// Makes a thumbnail that is used one of the newest, if it is in the older half of many. A thumbnail that is used
  /// often is written seldom.
  package func noteUse(of key: ThumbnailKey) throws(ThumbnailCacheError) {
    let values: StatementArguments = [key.asset, key.longerSide]
    let pictures = PictureClass(longerSide: key.longerSide)
    func end(_ direction: String) -> String {
      """
      (SELECT id FROM thumbnails INDEXED BY \(pictures.index) WHERE \(pictures.condition)
        ORDER BY id \(direction) LIMIT 1)
      """
    }
    try access { database throws -> Void in
      let isOld = try database.read { database in
        let statement = try database.cachedStatement(
          sql: """
            SELECT id < (first + last) / 2 AND last - first >= \(pictures.fewest) FROM thumbnails,
              (SELECT \(end("ASC")) AS first, \(end("DESC")) AS last)
            WHERE asset = ? AND longer_side = ?
            """)
        return try Bool.fetchOne(statement, arguments: values) == true
      }
      guard isOld else { return }
      try database.write { database in
        try database.execute(
          sql: """
            UPDATE thumbnails SET id = (SELECT max(id) + 1 FROM thumbnails)
            WHERE asset = ? AND longer_side = ?
            """, arguments: values)
      }
    }
  }

  /// Deletes the oldest pictures of a class until its others take at most `limit` bytes.
  package func trim(
    _ pictures: PictureClass = .small, to limit: Int
  ) throws(ThumbnailCacheError) {
    try access { database throws -> Void in
      try database.write { database in
        try database.execute(
          sql: """
            DELETE FROM thumbnails WHERE \(pictures.condition) AND id <= (
              SELECT id FROM (
                SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total
                FROM thumbnails INDEXED BY \(pictures.index) WHERE \(pictures.condition))
              WHERE total > ? ORDER BY id DESC LIMIT 1)
            """, arguments: [limit])
      }
    }
  }

  /// Uses the file; if it proves to be damaged, a new empty one.
  private func access<Value>(
    _ body: (any DatabaseWriter) throws -> Value
  ) throws(ThumbnailCacheError) -> Value {
    let used = database.withLock { $0 }
    do {
      do {
        return try body(used)
      } catch  where error.mayBeDamage {
        return try body(try replacement(of: used))
      }
    } catch {
      throw ThumbnailCacheError(error)
    }
  }

  /// Replaces a damaged file with a new one, unless another task has done so.
  private func replacement(of damaged: any DatabaseWriter) throws -> any DatabaseWriter {
    try database.withLock { current in
      if current === damaged {
        Self.remove(path)
        current = try Self.opened(path)
      }
      return current
    }
  }
}

extension Error {
  /// Whether the file's own bytes may be the cause, since SQLite reports a damaged schema in many ways. False if the
  /// disk is full or fails, another process holds the file, or it is another user's.
  fileprivate var mayBeDamage: Bool {
    guard let error = self as? DatabaseError else { return false }
    let others: [ResultCode] = [
      .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PERM,
      .SQLITE_READONLY, .SQLITE_AUTH, .SQLITE_INTERRUPT, .SQLITE_NOMEM,
    ]
    return !others.contains(error.resultCode)
  }
}

/// The result of an attempt to make a thumbnail.
package enum ThumbnailOutcome: Sendable, Hashable {
  case made
  case failed(ProbeFailure)

  /// Whether another try would end the same way.
  package var isFinal: Bool {
    switch self {
    case .made: true
    case .failed(let failure): !failure.reason.isTransient
    }
  }
}

/// Why thumbnails cannot be kept.
package struct ThumbnailCacheError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// A running process recreates the file as soon as it is gone.
  static let usedByAnotherVersion = ThumbnailCacheError(
    reason: "another version of Shoebox is using their file")

  private init(reason: String) {
    description = "thumbnails cannot be kept: \(reason)"
  }

  init(_ error: any Error) {
    self.init(reason: (error as? DatabaseError)?.message ?? error.localizedDescription)
  }
}
