import Foundation
import GRDB
package import MediaModel

extension Catalog {
  /// Writes a copy of the catalog, in its state at one moment, while others read and write it.
  ///
  /// The copy has no free pages and no write-ahead log, so that it can be read where nothing can be written. Until it
  /// is finished, SQLite keeps in its log what others write meanwhile.
  ///
  /// The catalog has to be open for writing: on connections that may not write, SQLite 3.40 cannot copy tables with
  /// generated columns (`table vacuum_db.files has 16 columns but 18 values were supplied`).
  ///
  /// - Parameter file: does not exist yet, or is empty. The caller syncs it.
  /// - Throws: ``CatalogError``, or `CancellationError`, after which the file is incomplete.
  package func copy(to file: BytePath) async throws {
    let database = database
    try await withTaskCancellationHandler {
      do {
        try Task.checkCancellation()
        // SQLite refuses a blob as a name, and a name need not be valid text.
        try database.unsafeRead {
          try $0.execute(
            sql: "VACUUM INTO CAST(? AS TEXT)", arguments: [Data(file.bytes)])
        }
      } catch let error as DatabaseError {
        if error.resultCode == .SQLITE_INTERRUPT { throw CancellationError() }
        throw error.resultCode == .SQLITE_CORRUPT
          ? CatalogError.damaged(path) : CatalogError.cannotCopy(path, Self.reason(error))
      }
    } onCancel: {
      database.interrupt()
    }
  }

  private static func reason(_ error: DatabaseError) -> String {
    error.resultCode == .SQLITE_FULL
      ? "the disk is full" : error.message ?? "SQLite error \(error.resultCode.rawValue)"
  }
}
