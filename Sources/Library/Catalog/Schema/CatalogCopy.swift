import Foundation
import GRDB
package import MediaModel

extension Catalog {
  /// Writes a copy of the catalog, in its state at one moment, while others read and write it.
  ///
  /// The copy has no free pages and no write-ahead log, so that it can be read where nothing can be written. Until it
  /// is finished, SQLite keeps in its log what others write meanwhile.
  ///
  /// - Parameter file: does not exist yet, or is empty. The caller syncs it.
  /// - Throws: ``CatalogError``, or `CancellationError`, after which the file is incomplete.
  package func copy(to file: BytePath) async throws {
    let source = try CatalogError.translating(path) { try copySource() }
    try await withTaskCancellationHandler {
      do {
        try Task.checkCancellation()
        // A name need not be valid text, and SQLite refuses a blob.
        try source.writeWithoutTransaction {
          try $0.execute(sql: "VACUUM INTO CAST(? AS TEXT)", arguments: [Data(file.bytes)])
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
    } onCancel: {
      source.interrupt()
    }
  }

  /// A connection that may write, although it does not: on one that may not, SQLite 3.40 cannot copy tables with
  /// generated columns (`table vacuum_db.files has 16 columns but 18 values were supplied`).
  private func copySource() throws -> DatabaseQueue {
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw CatalogError.cannotCopy(path, "the catalog itself is write-protected")
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
