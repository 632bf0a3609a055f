import Foundation
import GRDB
package import MediaModel
import WorkerProtocol

extension ThumbnailCache {
  /// An empty signature: the picture has none.
  static let signatureTable = """
    CREATE TABLE IF NOT EXISTS signatures (
      asset TEXT PRIMARY KEY,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      signature BLOB NOT NULL
    ) STRICT;
    """

  /// Pixels of the longer side below which a picture is too small for a signature.
  private static let leastSide = 240

  /// Keeps the signature that was made with a thumbnail. A thumbnail of an edited version, whose key is not an asset's
  /// id, leaves the signature of the original as it is.
  static func keepSignature(
    _ signature: PictureSignature?, of key: ThumbnailKey, in database: Database
  ) throws {
    guard key.longerSide >= leastSide, !key.asset.contains("/") else { return }
    let statement = try database.cachedStatement(
      sql:
        "INSERT OR REPLACE INTO signatures (asset, size, modified, signature) VALUES (?, ?, ?, ?)")
    try statement.execute(
      arguments: [key.asset, key.size, key.modified, Data(signature?.bytes ?? [])])
  }

  /// The version of a file of which there is a signature.
  package struct SignedVersion: Sendable, Hashable {
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970 UTC.
    package var modified: Int64

    package init(size: Int64, modified: Int64) {
      (self.size, self.modified) = (size, modified)
    }
  }

  /// Calls `body` for all assets that a picture was made of, with the version of the file.
  package func forEachVersion(
    _ body: (_ asset: String, SignedVersion) -> Void
  ) throws(ThumbnailCacheError) {
    try withDatabase { database throws -> Void in
      try database.read { database in
        let rows = try Row.fetchCursor(
          database, sql: "SELECT asset, size, modified FROM signatures")
        while let row = try rows.next() {
          guard let asset = String.fromDatabaseValue(row[0]),
            let size = Int64.fromDatabaseValue(row[1]),
            let modified = Int64.fromDatabaseValue(row[2])
          else { continue }
          body(asset, SignedVersion(size: size, modified: modified))
        }
      }
    }
  }

  /// Calls `body` for all assets that a picture was made of: with the version of the file, and its signature; nil for a
  /// picture without one.
  package func forEachSignature(
    _ body: (_ asset: String, SignedVersion, PictureSignature?) -> Void
  ) throws(ThumbnailCacheError) {
    try withDatabase { database throws -> Void in
      try database.read { database in
        let rows = try Row.fetchCursor(
          database, sql: "SELECT asset, size, modified, signature FROM signatures")
        while let row = try rows.next() {
          // A damaged file may contain values of other types.
          guard let asset = String.fromDatabaseValue(row[0]),
            let size = Int64.fromDatabaseValue(row[1]),
            let modified = Int64.fromDatabaseValue(row[2]),
            let bytes = Data.fromDatabaseValue(row[3])
          else { continue }
          body(
            asset, SignedVersion(size: size, modified: modified),
            PictureSignature(bytes: Array(bytes)))
        }
      }
    }
  }
}
