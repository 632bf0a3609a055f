import Foundation
import GRDB

extension Catalog {
  /// The key, 32 bytes, of the codes by which this catalog recognises what its exports have recorded.
  package func exportKey() throws -> [UInt8]? {
    try read { transaction in
      try Data.fetchOne(
        transaction.database, sql: "SELECT value FROM secrets WHERE name = 'export'"
      ).map(Array.init)
    }
  }
}
