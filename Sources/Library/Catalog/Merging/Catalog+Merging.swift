import Foundation
import GRDB
package import MediaModel

extension Catalog {
  /// Takes all that another catalog has of its folders into this one. One transaction: if it fails, nothing has changed.
  /// A catalog that was merged in the same state before is not read again.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  /// - Throws: ``CatalogError``.
  package func merge(_ file: BytePath, now: Int64) throws -> MergeCounts {
    let other = file.display
    // Whether it is one, of this version.
    let opened = try Catalog.open(at: other, mode: .readOnly)
    guard opened.location != location else { throw CatalogError.itself(other) }
    do {
      let pool = try database
      return try pool.writeWithoutTransaction {
        try $0.merge(file, named: other, now: now, committed: pool)
      }
    } catch let error as DatabaseError {
      throw CatalogError(error, merging: other, into: path)
    }
  }
}

extension CatalogError {
  /// What is written into one catalog was read in the other: if the rows contradict each other, that one is damaged.
  init(_ error: DatabaseError, merging other: String, into path: String) {
    let isTheirs = [.SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH]
      .contains(error.resultCode)
    self = isTheirs ? .damaged(other) : CatalogError(error, path: path)
  }
}

extension Database {
  /// - Parameter committed: reads the state before the merge.
  fileprivate func merge(
    _ file: BytePath, named name: String, now: Int64, committed: any DatabaseReader
  ) throws -> MergeCounts {
    try attach(file)
    defer { try? execute(sql: "DETACH DATABASE shard") }
    var counts = MergeCounts()
    try inTransaction(.immediate) {
      counts = try CatalogMerge(self, path: name, now: now).run()
      if !counts.isUnchanged {
        try keepRevisionsOfUnlisted(committed)
        try execute(sql: "UPDATE changes SET revision = revision + 1")
      }
      return .commit
    }
    return counts
  }

  /// Attaches a catalog as `shard`, for reading. In a folder that cannot be written, a catalog with a write-ahead log
  /// cannot be attached otherwise than as one that no process writes.
  func attach(_ file: BytePath) throws {
    let name = file.fileURL
    do {
      try execute(sql: "ATTACH DATABASE ? AS shard", arguments: ["\(name)?mode=ro"])
      _ = try Row.fetchOne(self, sql: "SELECT 1 FROM shard.sqlite_master")
    } catch let error as DatabaseError
      where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      try? execute(sql: "DETACH DATABASE shard")
      try execute(sql: "ATTACH DATABASE ? AS shard", arguments: ["\(name)?immutable=1"])
    }
  }

  /// Attaches a catalog of this version as `shard`.
  func attachCatalog(_ file: BytePath) throws {
    do {
      try attach(file)
      let state = try Catalog.schemaState(self, of: "shard")
      guard state != .empty else { throw CatalogError.absent(file.display) }
      try state.check(file.display)
    } catch {
      try? execute(sql: "DETACH DATABASE shard")
      // Says what is wrong with the file.
      if error is DatabaseError { _ = try Catalog.open(at: file.display, mode: .readOnly) }
      throw error
    }
  }
}
