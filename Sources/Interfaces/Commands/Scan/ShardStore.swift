import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage

/// A folder, mostly on shared storage, that collects the catalogs of shards. SQLite is not used there: each catalog is made
/// on a local disk, and appears in the store when it is complete.
struct ShardStore {
  let folder: BytePath

  /// The catalog of a shard.
  func path(of shard: LibraryShard) -> BytePath {
    folder.appending(Array("shard-\(shard.number)-of-\(shard.count).sqlite".utf8))
  }

  /// Whether the store has the catalog of a shard.
  ///
  /// - Throws: `Failure` if the store does not exist.
  func has(_ shard: LibraryShard) throws -> Bool {
    guard let status = try folder.status(), status.kind == .directory else {
      throw Failure(.badData, "there is no folder \(folder.display): create it first")
    }
    return try path(of: shard).status() != nil
  }

  /// Makes the catalog of a shard in a temporary folder and puts it into the store, unless the scan was interrupted or a
  /// folder was not available.
  ///
  /// - Parameter scan: receives the catalog's path, and returns the exit status.
  /// - Returns: that status.
  func fill(
    _ shard: LibraryShard, scan: (String) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let files = FileManager.default
    let scratch = files.temporaryDirectory.appending(path: "shoebox-shard-\(UUID().uuidString)")
    do {
      try files.createDirectory(
        at: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .inputOutput, "\(scratch.path) cannot be created: name another folder with $TMPDIR")
    }
    defer { try? files.removeItem(at: scratch) }
    let catalog = scratch.appending(path: "catalog.sqlite").path
    let status = try await scan(catalog)
    guard status == .success || status == .someFailed else { return status }
    let library = try await PhotoLibrary.open(.init(catalog: FilePath(catalog)))
    _ = try await cancelledBySignals { try await library.backup(to: FilePath(path(of: shard))) }
    return status
  }
}
