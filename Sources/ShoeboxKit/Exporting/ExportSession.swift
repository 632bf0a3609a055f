import Catalog
import Exporter
import Linux
import MediaModel
import Synchronization
public import SystemPackage
import WorkerPool

/// An export: its plan, its progress as a sequence of events, and its report. Nothing is written before the first event
/// or the report is asked for.
///
/// The export is cancelled by ``cancel()``, by cancelling a task that waits for an event or the report, or by releasing
/// the session. A cancelled export keeps the files that are complete and leaves no others.
public final class ExportSession: AsyncSequence, Sendable {
  /// A moment of the export.
  public typealias Element = ExportEvent
  /// Why the export failed.
  public typealias Failure = PhotoLibraryError

  /// The running export.
  private struct Run {
    var events: AsyncStream<ExportProgress>
    var work: Task<Result<ExportReport, PhotoLibraryError>, Never>
  }

  private let export: Export
  private let planned: ExportPlan
  private let catalog: FilePath
  private let state = Mutex<(run: Run?, isCancelled: Bool)>((nil, false))

  init(_ export: Export, _ plan: ExportPlan, catalog: FilePath) {
    (self.export, planned, self.catalog) = (export, plan, catalog)
  }

  deinit { cancel() }

  /// What the export does with each asset, in the order of their files' paths.
  public var plan: [PlannedItem] { planned.items.map { PlannedItem($0, in: export.target) } }

  /// Ends the export soon.
  public func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.run?.work
    }
    work?.cancel()
  }

  /// What the export did with each asset, when it has ended.
  ///
  /// - Throws: why it could not begin, or what ended it. After a cancellation, ``PhotoLibraryError/cancelled``.
  public var report: [ExportedItem] {
    get async throws(PhotoLibraryError) {
      let work = try run().work
      let report = try await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }.get()
      if report.isInterrupted { throw .cancelled }
      if let failure = report.failure { throw PhotoLibraryError(failure, catalog: catalog) }
      return report.outcomes.map(ExportedItem.init)
    }
  }

  /// Begins the export, once.
  private func run() throws(PhotoLibraryError) -> Run {
    let run = state.withLock { state -> Run? in
      if let run = state.run { return run }
      if state.isCancelled { return nil }
      let (events, reporter) = AsyncStream.makeStream(
        of: ExportProgress.self, bufferingPolicy: .bufferingNewest(1))
      let work = Task { [export, planned, catalog] () -> Result<ExportReport, PhotoLibraryError> in
        do {
          return .success(try await export.run(planned, reporting: reporter))
        } catch {
          reporter.finish()
          return .failure(PhotoLibraryError(error, catalog: catalog))
        }
      }
      state.run = Run(events: events, work: work)
      return state.run
    }
    guard let run else { throw .cancelled }
    return run
  }

  /// Begins the export if it has not begun, and reads its events; only the newest one, if the reader is slower.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the next event.
  public struct Iterator: AsyncIteratorProtocol {
    private let session: ExportSession
    private var events: AsyncStream<ExportProgress>.Iterator?

    fileprivate init(_ session: ExportSession) { self.session = session }

    /// The next event; nil at the end of the export.
    public mutating func next() async throws(PhotoLibraryError) -> ExportEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil at the end of the export.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> ExportEvent? {
      if events == nil { events = try session.run().events.makeAsyncIterator() }
      if let event = await events?.next(isolation: actor) { return ExportEvent(event) }
      if Task.isCancelled { session.cancel() }
      _ = try await session.report
      return nil
    }
  }
}

/// How far an export has come.
public struct ExportEvent: Sendable, Hashable {
  /// Assets that are done with.
  public let completed: Int
  /// All assets.
  public let total: Int
  /// The done part of the estimated work, 0 to 1.
  public let fraction: Double

  init(_ progress: ExportProgress) {
    (completed, total) = (progress.settled, progress.total)
    fraction =
      progress.workTotal > 0
      ? min(1, max(0, progress.workDone / progress.workTotal))
      : progress.total == 0 ? 1 : Double(progress.settled) / Double(progress.total)
  }
}

/// What an export does with an asset.
public enum ExportAction: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing: the result is there, or the asset could not be read by the last scan.
  case skipped
  /// The files are copied.
  case copied
  /// The tracks of a video are copied into another container.
  case remuxed
  /// The picture or video is decoded and encoded.
  case transcoded
  /// Nothing can be made of it.
  case failed

  init(_ action: Exporter::ExportAction) {
    self =
      switch action {
      case .skipped: .skipped
      case .copied: .copied
      case .remuxed: .remuxed
      case .transcoded: .transcoded
      case .failed: .failed
      }
  }
}

/// What an export will do with one asset.
public struct PlannedItem: Sendable, Hashable {
  /// The asset.
  public let asset: Asset
  /// What is done with it.
  public let action: ExportAction
  /// Why, a phrase each.
  public let reasons: [String]
  /// The files that are made, or are there: the picture before its clip.
  public let names: [FilePath]

  init(_ item: ExportItem, in target: TargetFolder) {
    asset = Asset(item.asset)
    action = ExportAction(item.action)
    var reasons = item.reason.map { [$0] } ?? item.files.flatMap(\.decision.reasons)
    reasons = reasons.reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    self.reasons = reasons
    names = item.files.map { FilePath(target.path(of: $0.target)) }
  }
}

/// What an export did with one asset.
public struct ExportedItem: Sendable, Hashable {
  /// The asset.
  public let asset: Asset
  /// What was done with it.
  public let action: ExportAction
  /// The files that were made, or are there: the picture before its clip.
  public let files: [FilePath]
  /// Why it failed, one sentence; nil if it did not.
  public let error: String?

  init(_ outcome: ExportOutcome) {
    asset = Asset(outcome.item.asset)
    action = ExportAction(outcome.action)
    files = outcome.made.map { FilePath($0.path) }
    error = outcome.error
  }
}

extension PhotoLibrary {
  /// Plans the export of assets into a folder, which is made if need be. Originals are never changed, and files that
  /// are there stay; what an earlier export of the same library made counts as done.
  ///
  /// - Parameters:
  ///   - ids: the assets.
  ///   - representation: what they become.
  ///   - folder: where the results go, below the names of their folders in the library.
  /// - Throws: ``PhotoLibraryError/noAsset(_:)``, ``PhotoLibraryError/invalidRepresentation(_:)``,
  ///   ``PhotoLibraryError/export(reason:)``, ``PhotoLibraryError/workersMissing(searched:)``.
  public func export(
    _ ids: [Asset.ID], as representation: Representation = .compatible, to folder: FilePath
  ) async throws(PhotoLibraryError) -> ExportSession {
    let request = try representation.request(threads: threadsForExports)
    let workers = try exportWorkers()
    do {
      let subjects = try await subjects(ids, request)
      let target = TargetFolder(
        try BytePath(folder).absolute(), libraries: try catalog.roots().map(\.record),
        key: try catalog.exportKey())
      let export = Export(request, to: target, workers: workers)
      return ExportSession(
        export, try await export.plan(subjects), catalog: configuration.catalog)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }

  private func subjects(
    _ ids: [Asset.ID], _ request: ExportRequest
  ) async throws(PhotoLibraryError) -> [ExportSubject] {
    let roots = try await query { try $0.roots().map(\.record.path) }
    var subjects: [ExportSubject] = []
    var known: Set<Asset.ID> = []
    for id in ids where known.insert(id).inserted {
      guard let asset = try await record(id) else { throw .noAsset(id) }
      subjects.append(ExportSubject(asset, roots: roots, for: request, isNamed: true))
    }
    return subjects
  }
}
