import Foundation
import GRDB
package import MediaModel
import Synchronization

extension Catalog {
  /// Writes a copy of the catalog, in its state at one moment, while others read and write it.
  ///
  /// The copy has no write-ahead log, so that it can be read where nothing can be written, and no free pages if this
  /// user may write to the catalog. Until it is finished, SQLite keeps in its log what others write meanwhile.
  ///
  /// - Parameter file: does not exist yet, or is empty. The caller syncs it.
  /// - Throws: ``CatalogError``, or `CancellationError`, after which the file is incomplete.
  package func copy(to file: BytePath) async throws {
    do {
      try Task.checkCancellation()
      guard FileManager.default.isWritableFile(atPath: path) else {
        return try await copyPages(to: file)
      }
      do {
        try await vacuum(into: file)
      } catch let error as DatabaseError
        where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      {
        // To write the catalog, SQLite makes files next to it, which may not be possible.
        try await copyPages(to: file)
      }
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_INTERRUPT: throw CancellationError()
      case .SQLITE_CORRUPT: throw CatalogError.damaged(path)
      case .SQLITE_FULL: throw CatalogError.cannotCopy(path, "the disk is full")
      default:
        throw CatalogError.cannotCopy(
          path, error.message ?? "SQLite error \(error.resultCode.rawValue)")
      }
    }
  }

  /// Copies the catalog on a connection that may write, although it does not: on one that may not, SQLite 3.40 cannot
  /// copy tables with generated columns (`table vacuum_db.files has 16 columns but 18 values were supplied`).
  private func vacuum(into file: BytePath) async throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    let source = try DatabaseQueue(path: path, configuration: configuration)
    try await withTaskCancellationHandler {
      // A name need not be valid text, and SQLite refuses a blob.
      try source.writeWithoutTransaction {
        try $0.execute(sql: "VACUUM INTO CAST(? AS TEXT)", arguments: [Data(file.bytes)])
      }
    } onCancel: {
      source.interrupt()
    }
  }

  /// The pages that are copied at once: a few milliseconds' work.
  private static let pagesPerStep: CInt = 1024

  /// Copies the catalog page by page, which needs no connection that may write.
  private func copyPages(to file: BytePath) async throws {
    guard let name = file.text else {
      throw CatalogError.cannotCopy(path, "its name is not valid UTF-8; choose another one")
    }
    // A connection of its own: others need not wait.
    let source = try Catalog.open(at: path, mode: .readOnly).database
    let target = try DatabaseQueue(path: name)
    let isCancelled = Mutex(false)
    try await withTaskCancellationHandler {
      try source.backup(to: target, pagesPerStep: Self.pagesPerStep) { _ in
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
      }
      // The copy is in WAL mode, as the catalog.
      try target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try target.close()
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
