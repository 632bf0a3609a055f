package import CodecMessages
import Foundation
import GRDB
import MediaModel

/// The file that keeps thumbnails.
package struct ThumbnailCache: Sendable {
  private let database: DatabaseQueue

  /// Opens the cache at `path`, and makes it if it is not there, damaged or of another version.
  ///
  /// Where none can be kept, because the folder may not be written to, the cache lives in a file that is
  /// gone when this process ends.
  package init(path: String) throws(ThumbnailCacheError) {
    var next = path
    do {
      if let kept = try Self.open(path) {
        database = kept
        return
      }
      Self.remove(path)
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      Self.remove(path)
    } catch {
      // SQLite takes an empty name for a database in a temporary file.
      next = ""
    }
    let made: DatabaseQueue?
    do {
      made = try Self.open(next)
    } catch {
      throw ThumbnailCacheError(error)
    }
    guard let made else { throw .usedByAnotherVersion }
    database = made
  }

  /// Removes a cache, which holds nothing that cannot be made again.
  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// Nil if it is of another version.
  private static func open(_ path: String) throws -> DatabaseQueue? {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    if !path.isEmpty { configuration.journalMode = .wal }
    configuration.label = "thumbnails"
    // After a power failure a cache may be some minutes old.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let isCurrent = try queue.write { database in
      let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      guard found == 0 || found == version else { return false }
      try database.execute(sql: schema)
      try database.execute(sql: "PRAGMA user_version = \(version)")
      return true
    }
    return isCurrent ? queue : nil
  }

  /// Of the schema; a cache of another one is thrown away.
  private static let version = 1

  /// `id` grows, so that it tells which ones were made first.
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
    CREATE INDEX IF NOT EXISTS thumbnails_by_age ON thumbnails (id, bytes);
    """

  /// The thumbnail of an asset's file as it is now, if one was made.
  package func thumbnail(for key: ThumbnailKey) throws(ThumbnailCacheError) -> Thumbnail? {
    let row = try row("width, height, jpeg", for: key)
    guard let row, let jpeg = row[2] as Data? else { return nil }
    let thumbnail = Thumbnail(jpeg: Array(jpeg), size: PixelSize(width: row[0], height: row[1]))
    return thumbnail.isSound ? thumbnail : nil
  }

  /// What became of a try to make one of the file as it is now; nil if there was none.
  package func outcome(for key: ThumbnailKey) throws(ThumbnailCacheError) -> ThumbnailOutcome? {
    guard let row = try row("reason, failure", for: key) else { return nil }
    guard let reason = (row[0] as UInt8?).flatMap(ProbeFailure.Reason.init(rawValue:)) else {
      return .made
    }
    return .failed(ProbeFailure(reason, row[1] ?? ""))
  }

  private func row(
    _ columns: String, for key: ThumbnailKey
  ) throws(ThumbnailCacheError) -> Row? {
    try access { () throws -> Row? in
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

  /// Keeps replies in place of older ones of the same assets.
  package func keep(
    _ replies: [(key: ThumbnailKey, reply: ThumbnailReply)]
  ) throws(ThumbnailCacheError) {
    try access { () throws -> Void in
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
    let key: [(any DatabaseValueConvertible)?] = [
      key.asset, key.longerSide, key.size, key.modified,
    ]
    switch reply {
    case .thumbnail(let thumbnail):
      let (size, jpeg) = (thumbnail.size, Data(thumbnail.jpeg))
      try statement.execute(
        arguments: StatementArguments(
          key + [size.width, size.height, jpeg, nil, nil, jpeg.count + Self.overhead]))
    case .failed(let failure):
      try statement.execute(
        arguments: StatementArguments(
          key + [0, 0, nil, failure.reason.rawValue, failure.message, Self.overhead]))
    }
  }

  /// What a row takes beside its picture, about.
  private static let overhead = 200

  /// Deletes those that were made first until the rest takes no more than `limit` bytes.
  package func trim(to limit: Int) throws(ThumbnailCacheError) {
    try access { () throws -> Void in
      try database.write { database in
        try database.execute(
          sql: """
            DELETE FROM thumbnails WHERE id <= (
              SELECT id FROM (
                SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM thumbnails)
              WHERE total > ? ORDER BY id DESC LIMIT 1)
            """, arguments: [limit])
      }
    }
  }

  private func access<Value>(
    _ body: () throws -> Value
  ) throws(ThumbnailCacheError) -> Value {
    do {
      return try body()
    } catch {
      throw ThumbnailCacheError(error)
    }
  }
}

/// What became of a try to make a thumbnail.
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

  /// One that is running made the file anew as soon as it was gone.
  static let usedByAnotherVersion = ThumbnailCacheError(
    reason: "another version of Shoebox is using their file")

  private init(reason: String) {
    description = "thumbnails cannot be kept: \(reason)"
  }

  init(_ error: any Error) {
    self.init(reason: (error as? DatabaseError)?.message ?? error.localizedDescription)
  }
}
