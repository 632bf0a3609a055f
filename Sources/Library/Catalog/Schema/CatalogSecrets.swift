import Foundation
import GRDB

extension Catalog {
  /// The key, 32 bytes, of the codes by which this catalog knows what its exports have recorded; nil in a
  /// catalog of an earlier version that cannot be written.
  package func exportKey() throws -> [UInt8]? {
    try read { transaction in
      let database = transaction.database
      guard try database.tableExists("secrets") else { return nil }
      return try Data.fetchOne(database, sql: "SELECT value FROM secrets WHERE name = 'export'")
        .map(Array.init)
    }
  }
}
