import Catalog
import Indexer
import Linux
import MediaModel
public import SystemPackage

/// What a scan did.
public struct ScanReport: Sendable, Hashable {
  /// A folder or file that could not be read.
  public struct Failure: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// Why, one sentence.
    public let message: String
  }

  /// A library folder that was left as it is, for example because its disk is not mounted.
  public struct UnavailableFolder: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// Why, a phrase.
    public let reason: String
  }

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
  /// Whether the scan was cancelled.
  public let isInterrupted: Bool
  /// What could not be read, and why.
  public let failures: [Failure]
  /// The folders that were left as they are.
  public let unavailableFolders: [UnavailableFolder]
  /// How long the scan took.
  public let duration: Duration

  init(_ report: Indexer::ScanReport, in catalog: Catalog) throws {
    let counts = report.counts
    (added, changed, moved) = (counts.added, counts.changed, counts.moved)
    (missing, unchanged, unreadable) = (counts.missing, counts.unchanged, counts.unreadable)
    isInterrupted = report.outcome == .interrupted
    let records =
      report.failureCount > 0 ? try catalog.scans(last: 1, failureLimit: .max) : []
    failures = records.filter { $0.rowID == report.scanID }.flatMap(\.failures).map {
      Failure(path: FilePath($0.path), message: $0.error)
    }
    unavailableFolders = report.roots.compactMap { root in
      root.unavailability.map { UnavailableFolder(path: FilePath(root.path), reason: $0) }
    }
    duration = .seconds(report.seconds)
  }
}
