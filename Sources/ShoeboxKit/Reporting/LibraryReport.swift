import Catalog
public import Foundation
import Linux
import MediaModel
public import SystemPackage

/// The changes of a library in a period: the files that scans found new, changed, moved, gone and unreadable.
public struct LibraryReport: Sendable {
  /// A picture or video that came, changed or left; or a folder that moved with all below it.
  public struct Change: Sendable, Hashable {
    /// Its path; of a missing one, the last.
    public let path: FilePath
    /// Its path before, if it moved.
    public let oldPath: FilePath?
    /// The asset; nil for a folder.
    public let assetID: Asset.ID?
    /// Whether it is a folder.
    public let isFolder: Bool
  }

  /// Changes of one kind.
  public struct Changes: Sendable, Hashable {
    /// How many there are.
    public let count: Int
    /// The first of them.
    public let first: [Change]

    static let none = Changes(count: 0, first: [])
  }

  /// A library folder that the last scan left as it was.
  public struct AbsentFolder: Sendable, Hashable {
    /// Its path.
    public let path: FilePath
    /// Why, a phrase.
    public let reason: String
    /// In how many nightly runs in a row its disk was absent, up to the last one.
    public let nights: Int
    /// Whether it is available, but has lost more files than ``ScanOptions/acceptedLoss``.
    public let isLoss: Bool
  }

  /// The beginning of the period.
  public let startDate: Date
  /// Its end; nil for now.
  public let endDate: Date?
  /// The scans of the period that have ended, the oldest first.
  public let scans: [ScanRecord]
  /// New assets that are still there and can be read.
  public let added: Changes
  /// Those whose content has changed, without the new ones.
  public let changed: Changes
  /// Those that have another path.
  public let moved: Changes
  /// Those that were missing, and are back.
  public let returned: Changes
  /// Files that are gone.
  public let missing: Changes
  /// The files and folders that could not be read for the first time in this period, and cannot be read now.
  public let newFailures: [KnownFailure]
  /// The files and folders that could not be read before, and are not acknowledged.
  public let openFailures: [KnownFailure]
  /// How many failures are acknowledged.
  public let acknowledgedCount: Int
  /// The library folders that the last scan left as they were.
  public let absentFolders: [AbsentFolder]
  /// The last nightly run of the period.
  public let night: Night?

  /// Whether nothing has happened: no change, no new failure, no absent folder.
  public var isUneventful: Bool {
    [added, changed, moved, returned, missing].allSatisfy { $0.count == 0 }
      && newFailures.isEmpty && absentFolders.isEmpty
  }
}

/// A run of `shoebox nightly`.
public struct Night: Identifiable, Sendable, Hashable {
  /// Its number.
  public let id: Int64
  /// When it began.
  public let startDate: Date
  /// When it ended; nil while it runs, and if its process ended.
  public let endDate: Date?
  /// The exit status.
  public let status: Int?
  /// The result of each step, as JSON.
  public let stepsJSON: String?

  init(_ record: NightRecord) {
    id = record.rowID
    startDate = Date(milliseconds: record.started)
    endDate = record.finished.map { Date(milliseconds: $0) }
    status = record.status.map(Int.init)
    stepsJSON = record.steps
  }
}

/// The beginning of a report's period.
public enum ReportPeriod: Sendable, Hashable {
  /// The last nightly run, what was scanned between it and the one before it, and what happened since; the last scan
  /// if there was no nightly run.
  case lastNight
  /// The last scan.
  case lastScan
  /// An instant.
  case since(Date)
  /// The scans after one, up to another one. The report has only what they found and what is still so: a file that
  /// they found missing and that has returned since is not in it. The catalog keeps what changed and moved for 400 scans.
  case scans(after: ScanRecord.ID, through: ScanRecord.ID)
}

extension PhotoLibrary {
  /// The changes of the library in a period.
  ///
  /// - Parameters:
  ///   - period: its beginning; it ends now, unless it is one of earlier scans.
  ///   - limit: how many changes of each kind are named.
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)`` if the period begins at a date that is not a number.
  nonisolated public func report(
    _ period: ReportPeriod = .lastNight, limit: Int = 100
  ) async throws(PhotoLibraryError) -> LibraryReport {
    try await query { try LibraryReport(period, limit: max(0, limit), in: $0) }
  }
}

extension PhotoLibrary {
  /// When the last scan that has ended began, milliseconds since 1970 UTC; 0 before the first.
  nonisolated package func startOfLastScan() throws -> Int64 {
    try read { catalog in try catalog.read { try $0.startOfLastScan() } ?? 0 }
  }
}

extension LibraryReport {
  fileprivate init(_ period: ReportPeriod, limit: Int, in catalog: Catalog) throws {
    let history = try catalog.scans(last: Self.readScans, failureLimit: 0)
    self = try catalog.read { transaction in
      let nights = try transaction.nights(last: 1)
      func report(since start: Int64?) throws -> LibraryReport {
        try LibraryReport(since: start ?? 0, nights, limit, history, transaction)
      }
      return switch period {
      case .lastNight:
        try report(
          since: nights.first.map(transaction.startOfReport) ?? transaction.startOfLastScan())
      case .lastScan: try report(since: transaction.startOfLastScan())
      case .since(let date): try report(since: date.selectedMilliseconds)
      case .scans(let first, let last):
        try LibraryReport(after: first, through: last, limit, history, transaction)
      }
    }
  }

  /// The largest number of scans that a report names.
  private static let readScans = 400

  private init(
    since start: Int64, _ nights: [NightRecord], _ limit: Int, _ history: [Catalog::ScanRecord],
    _ catalog: CatalogTransaction
  ) throws {
    startDate = Date(milliseconds: start)
    endDate = nil
    night = nights.first { $0.started >= start }.map(Night.init)
    scans = history.filter { $0.started >= start && $0.outcome != .running }.reversed()
      .map { ScanRecord($0, isRunning: false) }
    let failures = try catalog.knownFailures()
    absentFolders = try Self.absentFolders(after: history, catalog)
    acknowledgedCount = failures.count { $0.acknowledgedDate != nil }
    let range = try catalog.scans(since: start)
    (added, changed, moved, returned, missing) = try Self.changes(in: range, limit, catalog)
    let isNew = { (failure: Catalog::KnownFailure) in
      range?.ids.contains(failure.firstScan) == true
    }
    let open = failures.filter { $0.acknowledgedDate == nil }
    newFailures = open.filter(isNew).map(KnownFailure.init)
    openFailures = open.filter { !isNew($0) }.map(KnownFailure.init)
  }

  /// The findings of the scans after one, up to another one. Failures and disks of other times are not in it.
  private init(
    after first: Int64, through last: Int64, _ limit: Int, _ history: [Catalog::ScanRecord],
    _ catalog: CatalogTransaction
  ) throws {
    let range = try catalog.scans(after: first, through: last)
    startDate = Date(milliseconds: range?.started ?? 0)
    endDate = range.flatMap { $0.next == .max ? nil : Date(milliseconds: $0.next) }
    scans = history.filter { range?.ids.contains($0.rowID) == true && $0.outcome != .running }
      .reversed().map { ScanRecord($0, isRunning: false) }
    (added, changed, moved, returned, missing) = try Self.changes(in: range, limit, catalog)
    newFailures = try catalog.knownFailures().filter { failure in
      range?.ids.contains(failure.firstScan) == true
    }.map(KnownFailure.init)
    (openFailures, acknowledgedCount, absentFolders, night) = ([], 0, [], nil)
  }

  /// The files that scans found new, changed, moved, returned and missing; none without scans.
  private static func changes(
    in scans: ScanRange?, _ limit: Int, _ catalog: CatalogTransaction
  ) throws -> (
    added: Changes, changed: Changes, moved: Changes, returned: Changes, missing: Changes
  ) {
    guard let scans else { return (.none, .none, .none, .none, .none) }
    func changes(_ kind: FileChange.Kind) throws -> Changes {
      let found = try catalog.changes(
        in: scans.ids, kind, addedBefore: scans.started, limit: limit)
      return Changes(
        count: found.count < limit
          ? found.count
          : try catalog.changeCount(in: scans.ids, kind, addedBefore: scans.started),
        first: found.map(Change.init))
    }
    return (
      Changes(
        count: try catalog.arrivalCount(in: scans),
        first: try catalog.arrivals(in: scans, limit: limit).map(Change.init)),
      try changes(.changed), try changes(.moved), try changes(.returned),
      Changes(
        count: try catalog.departureCount(in: scans.ids),
        first: try catalog.departures(in: scans.ids, limit: limit).map(Change.init))
    )
  }
}

extension LibraryReport {
  /// - Parameter history: the last scans, the newest first.
  fileprivate static func absentFolders(
    after history: [Catalog::ScanRecord], _ catalog: CatalogTransaction
  ) throws -> [AbsentFolder] {
    let last = history.first { $0.outcome != .running }
    return try (last?.unavailable ?? []).map { absence in
      AbsentFolder(
        path: FilePath(absence.path), reason: absence.reason,
        nights: try catalog.nightsAbsent(root: absence.path), isLoss: absence.isLoss)
    }
  }
}

extension PhotoLibrary {
  /// The library folders that the last scan left as they were.
  nonisolated package func absentFolders() async throws(PhotoLibraryError)
    -> [LibraryReport.AbsentFolder]
  {
    try await query { catalog in
      let history = try catalog.scans(last: 2, failureLimit: 0)
      return try catalog.read { try LibraryReport.absentFolders(after: history, $0) }
    }
  }

  /// The nightly runs, the newest first.
  nonisolated package func nights(last limit: Int) async throws(PhotoLibraryError) -> [Night] {
    try await query { try $0.read { try $0.nights(last: limit) }.map(Night.init) }
  }
}

extension LibraryReport.Change {
  fileprivate init(_ change: FileChange) {
    (path, oldPath) = (FilePath(change.path), change.oldPath.map { FilePath($0) })
    (assetID, isFolder) = (change.asset, change.isFolder)
  }

  fileprivate init(_ file: NamedFile) {
    (path, oldPath, assetID, isFolder) = (FilePath(file.path), nil, file.asset, false)
  }
}
