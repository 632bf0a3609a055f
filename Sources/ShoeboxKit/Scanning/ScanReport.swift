import Catalog
import Indexer
import Linux
import MediaModel
public import SystemPackage

/// The result of a scan.
public struct ScanReport: Sendable, Hashable {
  /// A folder or file that could not be read.
  public struct Failure: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// Why, one sentence.
    public let message: String
    /// Whether an earlier scan has found it, too.
    public let isKnown: Bool
    /// Whether the user has accepted it; see ``PhotoLibrary/acknowledgeFailures(_:)``.
    public let isAcknowledged: Bool
    /// Whether it is a disk, inside a library folder, that is not mounted.
    public let isAbsence: Bool

    init(_ failure: Catalog::ScanRecord.Failure) {
      (path, message) = (FilePath(failure.path), failure.error)
      (isKnown, isAcknowledged) = (failure.isKnown, failure.isAcknowledged)
      isAbsence = failure.isAbsence
    }
  }

  /// A library folder that was left as it is, for example because its disk is not mounted.
  public struct UnavailableFolder: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// Why, a phrase.
    public let reason: String
    /// Whether it is available, but has lost more files than ``ScanOptions/acceptedLoss``.
    public let isLoss: Bool

    init(path: FilePath, reason: String, isLoss: Bool = false) {
      (self.path, self.reason, self.isLoss) = (path, reason, isLoss)
    }
  }

  /// Its counts.
  public let counts: ScanCounts
  /// Whether the scan was cancelled.
  public let isInterrupted: Bool
  /// The files and folders that could not be read, with the reasons, by path.
  public let failures: [Failure]
  /// The folders that were left as they are.
  public let unavailableFolders: [UnavailableFolder]
  /// The library folders that were to be scanned, available or not.
  public let folders: [FilePath]
  /// How long the scan took.
  public let duration: Duration
  /// Its number, as ``ScanRecord/id``.
  public let scanID: ScanRecord.ID

  /// New pictures and videos.
  public var added: Int { counts.added }
  /// Those whose content has changed.
  public var changed: Int { counts.changed }
  /// Those that have another path or name.
  public var moved: Int { counts.moved }
  /// Those that are gone.
  public var missing: Int { counts.missing }
  /// Those that are as they were.
  public var unchanged: Int { counts.unchanged }
  /// Those that could not be read.
  public var unreadable: Int { counts.unreadable }

  init(_ report: Indexer::ScanReport, in catalog: Catalog) throws {
    scanID = report.scanID
    counts = ScanCounts(report.counts)
    isInterrupted = report.outcome == .interrupted
    let records =
      report.failureCount > 0 ? try catalog.scans(last: 1, failureLimit: .max) : []
    failures = records.filter { $0.rowID == report.scanID }.flatMap(\.failures).map(Failure.init)
      .sorted { BytePath($0.path) < BytePath($1.path) }
    unavailableFolders = report.roots.compactMap { root in
      root.unavailability.map {
        UnavailableFolder(
          path: FilePath(root.path), reason: $0, isLoss: report.lossyRoots.contains(root.path))
      }
    }
    folders = report.roots.map { FilePath($0.path) }
    duration = .seconds(report.seconds)
  }
}
