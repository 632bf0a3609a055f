import Catalog
import Linux
import Synchronization

/// Counts what a verification found, and records it from time to time: a killed run loses a few seconds of work, and a scan
/// never waits long for the catalog.
final class VerificationLedger: Sendable {
  private struct State {
    var report = VerificationReport()
    var progress: VerificationProgress
    /// What is not in the catalog yet.
    var pending: [FileCheck] = []
    var lastWrite = ContinuousClock.now
    var skipped: Set<Int64> = []
  }

  private let catalog: Catalog
  private let reporter: AsyncStream<VerificationProgress>.Continuation?
  private let state: Mutex<State>

  /// Checks in one transaction.
  private static let batchSize = 256
  private static let interval: Duration = .seconds(2)

  init(
    _ catalog: Catalog, _ progress: VerificationProgress,
    _ reporter: AsyncStream<VerificationProgress>.Continuation?
  ) {
    (self.catalog, self.reporter) = (catalog, reporter)
    state = Mutex(State(progress: progress))
  }

  var report: VerificationReport { state.withLock(\.report) }

  /// The rows of files that were not read because they have changed or are gone.
  var skipped: Set<Int64> { state.withLock(\.skipped) }

  /// Adds files to those that the run reads.
  func expect(more count: Int) {
    state.withLock { $0.progress.filesTotal += count }
  }

  func note(bytes count: Int) {
    let progress = state.withLock { state in
      state.report.bytes += Int64(count)
      state.progress.bytesDone += Int64(count)
      return state.progress
    }
    reporter?.yield(progress)
  }

  /// - Throws: ``CatalogError``.
  func note(_ finding: FileFinding, of file: FileToVerify) throws {
    let (progress, isDue) = state.withLock { state in
      state.report.count(finding)
      state.progress.filesDone += 1
      if let check = FileCheck(finding, of: file.id) { state.pending.append(check) }
      switch finding {
      case .unscanned, .missing: state.skipped.insert(file.id)
      default: break
      }
      let isDue =
        state.pending.count >= Self.batchSize
        || ContinuousClock.now - state.lastWrite > Self.interval
      return (state.progress, isDue)
    }
    reporter?.yield(progress)
    if isDue { try flush() }
  }

  /// Writes what is not in the catalog yet.
  func flush() throws {
    let checks = state.withLock { state in
      defer { state.pending = [] }
      state.lastWrite = .now
      return state.pending
    }
    guard !checks.isEmpty else { return }
    do {
      try write(checks)
    } catch {
      // The next attempt, or the last one, writes them.
      state.withLock { $0.pending += checks }
      throw error
    }
  }

  /// A scan may write for longer than SQLite waits, for example while it builds an index.
  private func write(_ checks: [FileCheck]) throws {
    let start = ContinuousClock.now
    while true {
      do {
        return try catalog.write { try $0.record(checks, now: millisecondsSince1970()) }
      } catch CatalogError.busy(let path) {
        guard ContinuousClock.now - start < .seconds(60) else { throw CatalogError.busy(path) }
      }
    }
  }
}

extension FileCheck {
  /// What is recorded about a file; nil for nothing.
  fileprivate init?(_ finding: FileFinding, of file: Int64) {
    switch finding {
    case .equal(let content, _), .first(let content), .edited(let content):
      self.init(file, .equal, content: content)
    case .accepted(let content): self.init(file, .equal, content: content, isAccepted: true)
    case .rotted(let evidence): self.init(file, .rotted, error: evidence.sentence)
    case .unreadable(let reason): self.init(file, .unreadable, error: "cannot be read: \(reason)")
    case .unscanned, .missing, .stopped: return nil
    }
  }
}
