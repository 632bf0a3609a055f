import Exporter
package import MediaModel
import Synchronization
import SystemPackage

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
    var work: Task<Result<Exporter::ExportReport, PhotoLibraryError>, Never>
  }

  private let export: Export
  private let planned: ExportPlan
  /// The numbers of pictures in the bursts of the plan's assets.
  private let bursts: [String: Int]
  private let catalog: FilePath
  private let state = Mutex<(run: Run?, isCancelled: Bool)>((nil, false))

  private let telemetry: Telemetry

  /// - Parameter bursts: as ``Asset/init(_:bursts:)`` expects them.
  init(
    _ export: Export, _ plan: ExportPlan, bursts: [String: Int], catalog: FilePath,
    measuredBy telemetry: Telemetry
  ) {
    (self.export, planned, self.bursts, self.catalog) = (export, plan, bursts, catalog)
    self.telemetry = telemetry
  }

  deinit { cancel() }

  /// The plan for each asset, in the order of their files' paths.
  ///
  /// - Throws: ``PhotoLibraryError/cancelled``.
  public var plan: [PlannedItem] {
    get async throws(PhotoLibraryError) {
      guard !Task.isCancelled else { throw .cancelled }
      return planLines.map { PlannedItem($0, bursts: bursts) }
    }
  }

  /// The plan with all that the command line reports of it.
  package var planLines: [ExportLine] {
    planned.items.map { ExportLine($0, in: export.target) }
  }

  /// Notes for a user who has metadata removed, a sentence each. Names that come from the library's folders and files
  /// may name a place, and stay. So do results of assets that this export does not include.
  package var warnings: [String] { planned.warnings(of: export.request) }

  /// The folder of the results.
  package var target: BytePath { export.target.path }

  /// Whether a path is that of a result, or of what an export keeps next to them.
  package func isResult(_ path: BytePath) -> Bool { export.target.isResult(path, of: planned) }

  /// Ends the export soon.
  public func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.run?.work
    }
    work?.cancel()
  }

  /// The result for each asset, when the export has ended.
  ///
  /// - Throws: why it could not begin, or what ended it. After a cancellation, ``PhotoLibraryError/cancelled``.
  ///   ``finalReport`` has what was exported by then.
  public var report: [ExportedItem] {
    get async throws(PhotoLibraryError) {
      let outcome = try await outcome
      if outcome.isInterrupted { throw .cancelled }
      if let failure = outcome.failure { throw failure }
      return outcome.lines.map { ExportedItem($0, bursts: bursts) }
    }
  }

  /// The report of the export, when it has ended, also if it was cancelled or ended by an error such as a full disk.
  ///
  /// - Throws: why it could not begin.
  public var finalReport: ExportReport {
    get async throws(PhotoLibraryError) { ExportReport(try await outcome, bursts: bursts) }
  }

  /// The report of the export for the command line, also if it was cancelled or ended by an error.
  ///
  /// - Throws: why it could not begin.
  package var outcome: ExportOutcomes {
    get async throws(PhotoLibraryError) {
      let work = try run().work
      let report = try await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }.get()
      return ExportOutcomes(report, catalog: catalog)
    }
  }

  /// Begins the export, once.
  private func run() throws(PhotoLibraryError) -> Run {
    let run = state.withLock { state -> Run? in
      if let run = state.run { return run }
      if state.isCancelled { return nil }
      let (events, reporter) = AsyncStream.makeStream(
        of: ExportProgress.self, bufferingPolicy: .bufferingNewest(1))
      let work = Task {
        [export, planned, catalog, telemetry] () -> Result<
          Exporter::ExportReport, PhotoLibraryError
        > in
        do throws(PhotoLibraryError) {
          return .success(
            try await telemetry.measure(.export, counting: { $0.outcomes.count }) {
              () throws(PhotoLibraryError) in
              do {
                return try await export.run(planned, reporting: reporter)
              } catch {
                throw PhotoLibraryError(error, catalog: catalog)
              }
            })
        } catch {
          reporter.finish()
          return .failure(error)
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
