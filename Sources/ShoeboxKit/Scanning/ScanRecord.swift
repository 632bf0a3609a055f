import Catalog
public import Foundation
import Linux
import MediaModel
import SystemPackage

/// The counts of a scan.
public struct ScanCounts: Sendable, Hashable, Codable {
  /// New pictures and videos.
  public let added: Int
  /// Those whose content has changed.
  public let changed: Int
  /// Those that have another path or name.
  public let moved: Int
  /// Those that are gone.
  public let missing: Int
  /// Those that are as they were.
  public let unchanged: Int
  /// Those that could not be read.
  public let unreadable: Int
  /// Files that are neither pictures, videos nor sidecars.
  public let ignored: Int
  /// Files with facts about others, such as XMP.
  public let sidecars: Int
  /// Pictures with a clip in another file that the catalog has after the scan.
  public let livePhotos: Int

  /// The pictures and videos that were seen.
  public var scanned: Int { added + changed + moved + unchanged + unreadable }

  init(_ counts: Catalog::ScanCounts) {
    (added, changed, moved) = (counts.added, counts.changed, counts.moved)
    (missing, unchanged, unreadable) = (counts.missing, counts.unchanged, counts.unreadable)
    (ignored, sidecars, livePhotos) = (counts.ignored, counts.sidecars, counts.pairs)
  }
}

/// The catalog's record of an earlier scan.
public struct ScanRecord: Identifiable, Sendable, Hashable {
  /// How a scan ended.
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It has not ended.
    case running
    /// It did all.
    case finished
    /// It was cancelled, or its process ended.
    case interrupted
    /// An error ended it.
    case failed
  }

  /// Its number: a later scan has a greater one.
  public let id: Int64
  /// When it began.
  public let startDate: Date
  /// When it ended; nil while it runs, and if its process ended.
  public let endDate: Date?
  /// How it ended.
  public let outcome: Outcome
  /// Its counts.
  public let counts: ScanCounts
  /// The paths of the library folders that it was to scan, as text.
  public let folders: [String]
  /// Those of them that it left as they were.
  public let unavailableFolders: [ScanReport.UnavailableFolder]
  /// The files and folders that could not be read, with the reasons. The catalog keeps this for the last 30 scans.
  public let failures: [ScanReport.Failure]
  /// How long it took, by a clock that is never set; nil while it runs, and if its process ended.
  public let duration: Duration?

  init(_ record: Catalog::ScanRecord, isRunning: Bool) {
    id = record.rowID
    startDate = Date(milliseconds: record.started)
    endDate = record.finished.map(Date.init(milliseconds:))
    outcome =
      switch record.outcome {
      case .running: isRunning ? .running : .interrupted
      case .finished: .finished
      case .interrupted: .interrupted
      case .failed: .failed
      }
    counts = ScanCounts(record.counts)
    folders = record.roots
    unavailableFolders = record.unavailable.map {
      .init(path: FilePath($0.path), reason: $0.reason, isLoss: $0.isLoss)
    }
    failures = record.failures.map(ScanReport.Failure.init)
    duration = record.seconds.map { .milliseconds(Int64(($0 * 1000).rounded())) }
  }
}

extension PhotoLibrary {
  /// The last scans, the newest first.
  ///
  /// - Parameter limit: at most this number of them.
  nonisolated public func scanHistory(
    last limit: Int = 10
  ) async throws(PhotoLibraryError) -> [ScanRecord] {
    try await query { try Self.history(last: limit, in: $0) }
  }

  /// The same on the caller's thread.
  nonisolated package func listedScans(last limit: Int) throws -> [ScanRecord] {
    try read { try Self.history(last: limit, in: $0) }
  }

  /// A killed scan could not record its end, so no scan counts as running while no process holds the scan lock.
  nonisolated private static func history(
    last limit: Int, in catalog: Catalog
  ) throws -> [ScanRecord] {
    var scans = try catalog.scans(last: limit, failureLimit: .max)
    var isRunning = true
    if scans.contains(where: { $0.outcome == .running }), !FileLock.isHeld(catalog.lockPath) {
      // The last one may have ended meanwhile.
      scans = try catalog.scans(last: limit, failureLimit: .max)
      isRunning = false
    }
    return scans.map { ScanRecord($0, isRunning: isRunning) }
  }
}
