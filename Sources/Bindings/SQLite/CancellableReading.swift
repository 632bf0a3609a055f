import CSQLite
package import GRDB

extension Database {
  /// Instructions of SQLite's virtual machine between two checks: about a tenth of a millisecond.
  private static let interval: Int32 = 4000

  /// Runs statements, which fail with `SQLITE_INTERRUPT` soon after the current task is cancelled.
  ///
  /// `sqlite3_interrupt` has no effect between two statements. The progress handler does not miss a cancellation.
  package func endingWhenCancelled<Value>(_ body: () throws -> Value) rethrows -> Value {
    let connection = unsafe sqliteConnection
    unsafe sqlite3_progress_handler(
      connection, Self.interval, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
    return try body()
  }
}
