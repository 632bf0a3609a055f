import Linux
import MediaEdits
package import MediaModel
import Query
import Synchronization
import WorkerPool

/// What became of one item.
package struct ExportOutcome: Sendable, Hashable {
  package var item: ExportItem
  package var action: ExportAction
  /// In the order of the item's files; for a skipped item what is there already.
  package var made: [MadeFile] = []
  /// Why it failed, one sentence.
  package var error: String?
  /// What a person should know of it, a sentence each.
  package var notes: [String] = []
}

/// What workers report on an item besides its files.
struct MakingReport {
  var notes: [String] = []
  /// Whether a track was re-encoded that was planned to be copied.
  var isReencoded = false
}

/// What an export has done.
package struct ExportReport: Sendable {
  /// In the plan's order; items that were not begun when it ended are not among them.
  package var outcomes: [ExportOutcome]
  package var seconds: Double
  package var isInterrupted: Bool
  /// What ended it before it was done: an ``ExportError`` or a `WorkerError`.
  package var failure: (any Error)?

  /// How many items came to each end.
  package func count(_ action: ExportAction) -> Int {
    outcomes.count { $0.action == action }
  }

  /// Bytes of the files that were made.
  package var bytes: Int64 {
    outcomes.filter { $0.action != .skipped }
      .flatMap { zip($0.item.files, $0.made) }
      .reduce(Int64(0)) { $0.adding(size: $1.0.decision.work == .keep ? 0 : $1.1.size) }
  }
}

/// How far an export has come.
package struct ExportProgress: Sendable, Hashable {
  /// Items that are done with, and all of them.
  package var settled = 0
  package var total = 0
  /// Work that is done, and the estimated total, in seconds of one core.
  package var workDone = 0.0
  package var workTotal = 0.0
  /// Movies that are being made, in the plan's order.
  package var movies: [MovieProgress] = []
}

/// How far the making of one movie has come.
package struct MovieProgress: Sendable, Hashable {
  package var source: BytePath
  /// Seconds of the result, and how long it will be.
  package var position: Double
  package var duration: Double
  /// Seconds of the result made in each second; 0 before anything can be said.
  package var speed: Double
}

/// Keeps the account of an export while it runs.
final class ExportLedger: Sendable {
  private struct State {
    var outcomes: [Int: ExportOutcome] = [:]
    var failure: (any Error)?
    var progress = ExportProgress()
    /// Movies that are under way, by item: seconds that are done, and when the first were.
    var positions: [Int: (seconds: Double, first: Double, since: ContinuousClock.Instant)] = [:]

    func progress(of plan: ExportPlan) -> ExportProgress {
      var progress = progress
      for (index, position) in positions.sorted(by: { $0.key < $1.key }) {
        let item = plan.items[index]
        let took = (ContinuousClock.now - position.since) / .seconds(1)
        let speed = took > 0.5 ? (position.seconds - position.first) / took : 0
        let length = item.movieSeconds
        if length > 0 {
          progress.workDone += min(position.seconds / length, 1) * item.expectedSeconds
        }
        progress.movies.append(
          MovieProgress(
            source: item.asset.path, position: position.seconds, duration: length, speed: speed))
      }
      return progress
    }
  }

  private let plan: ExportPlan
  private let target: BytePath
  /// The files that earlier exports made.
  private let versions: [String: FileStamp]
  private let reporter: AsyncStream<ExportProgress>.Continuation?
  private let cancellation = GracefulCancellation.current
  private let state: Mutex<State>

  /// Items that nothing has to be done for are settled at once.
  ///
  /// - Parameters:
  ///   - versions: the files that earlier exports made, as they are now.
  ///   - reporter: receives the progress after each change.
  init(
    _ plan: ExportPlan, target: BytePath, versions: [String: FileStamp],
    reporting reporter: AsyncStream<ExportProgress>.Continuation? = nil
  ) {
    self.plan = plan
    self.target = target
    self.versions = versions
    self.reporter = reporter
    var state = State()
    for (index, item) in plan.items.enumerated() where item.fate != .make {
      var outcome = ExportOutcome(item: item, action: item.action)
      if case .fail(let sentence) = item.fate { outcome.error = sentence }
      if case .skip = item.fate {
        outcome.made = item.files.map { Self.earlierFile($0, in: target, versions) }
      }
      state.outcomes[index] = outcome
    }
    state.progress.total = plan.items.count
    state.progress.settled = state.outcomes.count
    state.progress.workTotal = plan.items.reduce(0) { $0 + $1.expectedSeconds }
    self.state = Mutex(state)
    reporter?.yield(state.progress(of: plan))
  }

  /// Whether the export was cancelled.
  private var isInterrupted: Bool { cancellation?.isRequested == true }

  /// Whether nothing more is to be begun.
  var isStopped: Bool { isInterrupted || state.withLock { $0.failure != nil } }

  /// Ends the export because of what the system said.
  func stop(_ error: SystemError) {
    stop(
      error.isDiskFull
        ? ExportError.diskFull(target) : ExportError.unusableTarget(target, error))
  }

  func stop(_ failure: any Error) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Notes how many seconds of an item's movie are done, unless the item is settled or has no movie.
  func note(position: Double, of index: Int) {
    let length = plan.items[index].movieSeconds
    guard length > 0 else { return }
    let seconds = min(max(0, position), length)
    state.withLock { state in
      guard state.outcomes[index] == nil else { return }
      let begun = state.positions[index] ?? (seconds, seconds, ContinuousClock.now)
      state.positions[index] = (seconds, begun.first, begun.since)
      // Under the lock, so that the newest progress is the last one.
      reporter?.yield(state.progress(of: plan))
    }
  }

  /// A file that an earlier export made. One that has gone since the plan was made has no bytes.
  private static func earlierFile(
    _ file: PlannedFile, in target: BytePath, _ versions: [String: FileStamp]
  ) -> MadeFile {
    MadeFile(
      path: target.appending(Array(file.target.utf8)), size: versions[file.target]?.size ?? 0)
  }

  /// - Parameter made: the files that were made now, in the item's order.
  func settle(_ index: Int, made: [MadeFile], _ report: MakingReport = MakingReport()) {
    let item = plan.items[index]
    var rest = made[...]
    let made = item.files.compactMap { file in
      file.decision.work == .keep
        ? Self.earlierFile(file, in: target, versions) : rest.popFirst()
    }
    settle(
      index,
      ExportOutcome(
        item: item, action: report.isReencoded ? .transcoded : item.action, made: made,
        notes: item.notes + report.notes))
  }

  func fail(_ index: Int, _ sentence: String) {
    let outcome = ExportOutcome(item: plan.items[index], action: .failed, error: sentence)
    settle(index, outcome)
  }

  private func settle(_ index: Int, _ outcome: ExportOutcome) {
    let seconds = plan.items[index].expectedSeconds
    state.withLock { state in
      guard state.outcomes[index] == nil else { return }
      state.outcomes[index] = outcome
      state.positions[index] = nil
      state.progress.settled += 1
      state.progress.workDone += seconds
      reporter?.yield(state.progress(of: plan))
    }
  }

  func report(seconds: Double) -> ExportReport {
    let (outcomes, failure) = state.withLock { ($0.outcomes, $0.failure) }
    let ordered = plan.items.indices.compactMap { outcomes[$0] }
    return ExportReport(
      outcomes: ordered, seconds: seconds,
      isInterrupted: isInterrupted && ordered.count < plan.items.count,
      failure: failure)
  }
}
