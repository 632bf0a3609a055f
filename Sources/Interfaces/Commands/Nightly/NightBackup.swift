import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

// The first step of a nightly run: a copy of the catalog, and what keeps a lost catalog from costing its copies.

extension NightRun {
  /// The backups of the catalog; nil if the configuration asks for none.
  private var copies: CatalogCopies? {
    settings.nightly.backup.map { folder in
      CatalogCopies(
        folder: BytePath(folder), kept: settings.nightly.backupsKept, configuration: settings.file)
    }
  }

  /// Checks that a run does not start a new catalog where an earlier one is lost or its disk is not mounted. Its copies
  /// would replace the good ones.
  func checkCatalogIsThere() throws {
    guard let copies, try BytePath(catalog).status() == nil else { return }
    let count = try copies.paths(at: Date()).count
    guard count > 0 else { return }
    throw Failure(
      .inputOutput,
      "there is no catalog \(catalog), but \(count) \(count == 1 ? "backup" : "backups") of one in \(copies.folder.display): mount the disk of the catalog, or copy the newest good backup there; to start a new catalog, move the backups to another folder"
    )
  }

  /// Copies the catalog, and removes the oldest copies.
  func backup() async throws -> Result? {
    guard let copies else { return nil }
    let now = Date()
    let target = copies.path(at: now)
    let library = try opened()
    if let other = try copies.paths(at: now).first(where: { library.isOfOtherCatalog($0) }) {
      throw Failure(
        .inputOutput,
        "\(other.display) is a backup of another catalog than \(catalog), so nothing was backed up: if that catalog is lost, copy its newest good backup to its place; otherwise move its backups to another folder"
      )
    }
    let size = try await cancelledBySignals { try await library.backup(to: FilePath(target)) }
    let removed = try copies.removeOldest(at: now)
    let ending = removed > 0 ? ", removed \(removed) older" : ""
    return Result(summary: "\(target.display), \(humanBytes(size))\(ending)")
  }
}
