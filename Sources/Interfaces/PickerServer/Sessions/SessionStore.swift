import Foundation
import GRDB
import ShoeboxKit

/// The sessions in a file beside the catalog, so that a restarted server continues them.
///
/// Only its owner can read the file. It contains digests of secrets, not the secrets.
struct SessionStore: Sendable {
  /// The store cannot be opened or written.
  struct Failure: Error, CustomStringConvertible {
    /// The path of the file.
    var path: String
    /// SQLite's or the system's message.
    var reason: String
    /// Whether the file's content is the cause.
    var isDamaged: Bool

    init(_ error: any Error, of path: String) {
      self.path = path
      let cause = error as? DatabaseError
      reason = cause?.message ?? error.localizedDescription
      let code = cause?.resultCode
      isDamaged = code == .SQLITE_NOTADB || code == .SQLITE_CORRUPT
    }

    var description: String {
      let remedy =
        isDamaged
        ? "delete the file, which ends its sessions"
        : "check the folder's permissions and free space"
      return "the picker's sessions cannot be kept in \(path): \(reason); \(remedy)"
    }
  }

  private let queue: DatabaseQueue
  private let path: String

  /// Opens the file, or creates it.
  init(path: String) throws(Failure) {
    self.path = path
    do {
      if !FileManager.default.fileExists(atPath: path) {
        // SQLite's own files get the same permissions.
        guard
          FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        try database.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
            CREATE TABLE IF NOT EXISTS selections (
              session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
              position INTEGER PRIMARY KEY AUTOINCREMENT,
              asset TEXT NOT NULL,
              UNIQUE (session, asset)
            ) STRICT;
            """)
      }
    } catch {
      throw Failure(error, of: path)
    }
  }

  /// All sessions. One that cannot be read, because another version wrote it, is left out.
  func sessions() throws(Failure) -> [PickerSession] {
    try translating {
      try queue.read { database in
        var sessions: [PickerSession] = []
        for row in try Row.fetchAll(database, sql: "SELECT id, content FROM sessions") {
          let content: String = row[1]
          guard
            var session = try? JSONDecoder().decode(PickerSession.self, from: Data(content.utf8))
          else { continue }
          session.selection = try String.fetchAll(
            database, sql: "SELECT asset FROM selections WHERE session = ? ORDER BY position",
            arguments: [session.id])
          sessions.append(session)
        }
        return sessions
      }
    }
  }

  /// Stores a session, all but its selection.
  func save(_ session: PickerSession) throws(Failure) {
    try translating {
      let content = String(decoding: try JSONEncoder().encode(session), as: UTF8.self)
      try queue.write { database in
        try database.execute(
          sql: """
            INSERT INTO sessions (id, content) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET content = excluded.content
            """, arguments: [session.id, content])
      }
    }
  }

  /// Changes the selection of a session: what is added comes last.
  func changeSelection(
    of session: PickerSession.ID, adding added: [Asset.ID], removing removed: [Asset.ID]
  ) throws(Failure) {
    try translating {
      try queue.write { database in
        let delete = try database.makeStatement(
          sql: "DELETE FROM selections WHERE session = ? AND asset = ?")
        for asset in removed { try delete.execute(arguments: [session, asset]) }
        let insert = try database.makeStatement(
          sql: "INSERT OR IGNORE INTO selections (session, asset) VALUES (?, ?)")
        for asset in added { try insert.execute(arguments: [session, asset]) }
      }
    }
  }

  /// Removes sessions with their selections.
  func delete(_ sessions: [PickerSession.ID]) throws(Failure) {
    try translating {
      try queue.write { database in
        for id in sessions {
          try database.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id])
        }
      }
    }
  }

  private func translating<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw Failure(error, of: path)
    }
  }
}

extension PickerSession: Identifiable {}
