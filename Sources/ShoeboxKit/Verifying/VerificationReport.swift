import Catalog
public import Foundation
import Linux
import MediaModel
public import SystemPackage
import Verifier

/// The result of a verification.
public struct VerificationReport: Sendable, Hashable {
  /// A file whose content is not what it was, or cannot be read.
  public struct Finding: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// The first of the checks in a row that found this.
    public let since: Date
    /// The finding, a sentence without its end.
    public let message: String

    init(_ check: FailedCheck) {
      path = FilePath(check.path)
      since = Date(milliseconds: check.since)
      message = check.error
    }
  }

  /// Files whose content was read and compared, or recorded for the first time.
  public let checked: Int
  /// The number of checked files whose content was recorded for the first time.
  public let first: Int
  /// The number of checked files that a program has changed since the last check. Their present content was recorded.
  public let edited: Int
  /// The number of checked files that had rotted and were accepted: their present content was recorded.
  public let accepted: Int
  /// The number of checked files that have their recorded content again, after checks that found another or no readable one.
  public let recovered: Int
  /// Files that were not read, because they have changed since the last scan.
  public let unscanned: Int
  /// Files that are gone, or whose disk is.
  public let missing: Int
  /// Bytes that were read.
  public let bytes: Int64
  /// Files that were left for later runs.
  public let remainingFiles: Int
  /// The files with bit rot: their content has changed, but not their size and modification time. A file stays among them
  /// until it has its content again, or its present content is accepted, also if this run did not read it.
  public let rotted: [Finding]
  /// The files that could not be read when they were last checked.
  public let unreadable: [Finding]
  /// The library folders that were left out, for example because their disks are not mounted.
  public let unavailableFolders: [ScanReport.UnavailableFolder]
  /// Whether the verification was cancelled. What it has checked is recorded.
  public let isInterrupted: Bool
  /// How long it took.
  public let duration: Duration

  /// Whether all content that was read is the recorded one.
  public var isSound: Bool { rotted.isEmpty && unreadable.isEmpty }

  init(
    _ report: Verifier::VerificationReport, without unavailable: [ScanReport.UnavailableFolder]
  ) {
    (checked, first, edited) = (report.checked, report.first, report.edited)
    (accepted, recovered) = (report.accepted, report.recovered)
    (unscanned, missing, bytes) = (report.unscanned, report.missing, report.bytes)
    remainingFiles = report.remainingFiles
    rotted = report.rotted.map(Finding.init)
    unreadable = report.unreadable.map(Finding.init)
    unavailableFolders = unavailable
    isInterrupted = report.isInterrupted
    duration = .seconds(report.seconds)
  }
}
