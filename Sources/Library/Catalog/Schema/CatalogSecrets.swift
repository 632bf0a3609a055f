import Foundation
import GRDB

extension Catalog {
  /// What distinguishes this catalog from others, and not from copies of it; 16 bytes.
  package func identity() throws -> [UInt8]? { try secret("identity") }

  /// The key, 32 bytes, of the codes by which this catalog recognises what its exports have recorded.
  package func exportKey() throws -> [UInt8]? { try secret("export") }

  private func secret(_ name: String) throws -> [UInt8]? {
    try read { transaction in
      try Data.fetchOne(
        transaction.database, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [name]
      ).map(Array.init)
    }
  }
}
