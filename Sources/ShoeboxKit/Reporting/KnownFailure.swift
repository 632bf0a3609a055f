import Catalog
public import Foundation
import Linux
import MediaModel
public import SystemPackage

/// A file or folder that cannot be read now.
public struct KnownFailure: Identifiable, Sendable, Hashable {
  /// Its number in the catalog.
  public let id: Int64
  /// Its path.
  public let path: FilePath
  /// Why, one sentence.
  public let message: String
  /// The asset, if it is one.
  public let assetID: Asset.ID?
  /// When a scan found it first.
  public let firstDate: Date
  /// When a scan tried to read it last.
  public let lastDate: Date
  /// How often scans tried.
  public let attempts: Int
  /// From when on a scan tries again although the file has not changed: after a failure that may pass, first in the next
  /// scan, then after 1, 2, 4, 8, 16 and every 32 days. Nil if only a change of the file can help.
  public let nextAttemptDate: Date?
  /// Whether it is a disk, inside a library folder, that is not mounted.
  public let isAbsence: Bool
  /// When the user accepted it; see ``PhotoLibrary/acknowledgeFailures(_:)``.
  public let acknowledgedDate: Date?

  init(_ failure: Catalog::KnownFailure) {
    (id, path, message) = (failure.rowID, FilePath(failure.path), failure.error)
    assetID = failure.asset
    firstDate = Date(milliseconds: failure.firstDate)
    lastDate = Date(milliseconds: failure.lastDate)
    attempts = failure.attempts
    nextAttemptDate = failure.nextAttempt.map { Date(milliseconds: $0) }
    isAbsence = failure.isAbsence
    acknowledgedDate = failure.acknowledgedDate.map { Date(milliseconds: $0) }
  }
}

extension PhotoLibrary {
  /// The files and folders that cannot be read now, the newest first.
  nonisolated public func failures() async throws(PhotoLibraryError) -> [KnownFailure] {
    try await query { try Self.failures(in: $0) }
  }

  /// The same on the caller's thread.
  nonisolated package func listedFailures() throws -> [KnownFailure] {
    try read { try Self.failures(in: $0) }
  }

  nonisolated private static func failures(in catalog: Catalog) throws -> [KnownFailure] {
    try catalog.read { try $0.knownFailures() }.map(KnownFailure.init)
  }

  /// Accepts failures: a scan that finds no others succeeds. A file that changes and still cannot be read is a new
  /// failure.
  nonisolated public func acknowledgeFailures(
    _ failures: [KnownFailure]
  ) async throws(PhotoLibraryError) {
    let now = Date().milliseconds
    try await changeFailures(failures) { try $0.acknowledgeFailures($1, date: now) }
  }

  /// Takes back ``acknowledgeFailures(_:)``.
  nonisolated public func withdrawAcknowledgements(
    of failures: [KnownFailure]
  ) async throws(PhotoLibraryError) {
    try await changeFailures(failures) { try $0.acknowledgeFailures($1, date: nil) }
  }

  /// Makes the next scan read files again, whatever their turn: after a repair of the disk, or an update of Shoebox.
  nonisolated public func retryFailures(
    _ failures: [KnownFailure]
  ) async throws(PhotoLibraryError) {
    try await changeFailures(failures) { try $0.retryFailures($1) }
  }

  nonisolated private func changeFailures(
    _ failures: [KnownFailure], _ change: @Sendable (CatalogTransaction, [Int64]) throws -> Void
  ) async throws(PhotoLibraryError) {
    guard configuration.access == .readWrite else {
      throw .readOnly(catalog: configuration.catalog)
    }
    let ids = failures.map(\.id)
    try await self.change { catalog in try catalog.write { try change($0, ids) } }
  }
}
