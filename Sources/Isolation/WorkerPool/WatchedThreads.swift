import Linux
import Synchronization

/// Threads for work on files that is abandoned if it makes no progress: a disk or network share that does not respond may
/// block a call for ever.
///
/// The thread of abandoned work exists until its call returns, or until this process ends.
package final class WatchedThreads: Sendable {
  /// The number of blocked threads of this process at which no other work begins. Each file on a disk that does not
  /// respond costs one.
  private static let blockedLimit = 8
  private static let blockedCount = Atomic(0)
  /// How often the work is checked, at least, and how long a call may take after an interruption.
  private static let step = Duration.milliseconds(250)

  private let threads = BlockingThreads()
  private let underway = Underway()
  private let watch: Task<Void, Never>

  /// The work that is watched.
  private final class Underway: Sendable {
    let all = Mutex<[ObjectIdentifier: WatchedWork]>([:])
  }

  /// Why work has no result.
  package enum Abandonment: Error, Sendable, Hashable {
    /// Its disk or network share does not respond.
    case unresponsive
    /// The task was asked to end.
    case interrupted
  }

  /// - Parameter limit: how long work may take without progress. The time in which the machine sleeps does not count.
  package init(limit: Duration) {
    threads.expectWaiting()
    let step = min(limit / 8, Self.step)
    watch = Task { [underway] in
      while (try? await Task.sleep(for: step, clock: .suspending)) != nil {
        for work in underway.all.withLock({ Array($0.values) }) {
          work.abandonIfStuck(limit, afterInterruption: Self.step)
        }
      }
    }
  }

  deinit { watch.cancel() }

  /// Does a piece of work on one of the threads, and waits until it is done or abandoned.
  ///
  /// - Parameter body: calls ``WatchedWork/advance()`` regularly.
  /// - Throws: ``Abandonment``; ``BlockedThreads`` if there are too many to begin.
  package func value<Value: Sendable>(
    of body: @escaping @Sendable (WatchedWork) -> Value
  ) async throws -> Value {
    let count = Self.blockedCount.load(ordering: .relaxed)
    guard count < Self.blockedLimit else { throw BlockedThreads(count: count) }
    let work = WatchedWork()
    let key = ObjectIdentifier(work)
    underway.all.withLock { $0[key] = work }
    defer { underway.all.withLock { $0[key] = nil } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        work.wait { continuation.resume(throwing: $0) }
        threads.run {
          guard work.begin() else { return }
          let value = body(work)
          if work.finish() { continuation.resume(returning: value) }
        }
      }
    } onCancel: {
      work.cancel()
    }
  }

  fileprivate static func countBlocked(_ change: Int) {
    blockedCount.wrappingAdd(change, ordering: .relaxed)
  }
}

/// Too many threads of this process are blocked.
package struct BlockedThreads: Error, Sendable, Hashable, CustomStringConvertible {
  package let count: Int

  package var description: String {
    "\(count) reads wait for a disk or network share that does not respond, and cannot be stopped: check the disk, then "
      + "run the command again"
  }
}

/// A piece of work on one of the ``WatchedThreads``.
package final class WatchedWork: Sendable {
  private struct State {
    /// Resumes the task that waits for the work, if it is abandoned.
    var waiting: (@Sendable (WatchedThreads.Abandonment) -> Void)?
    /// When the work last made progress; nil before a thread has begun it.
    var progress: SuspendingClock.Instant?
    var isAbandoned = false
  }

  private let state = Mutex(State())
  private let isCancelled = Atomic(false)
  /// The thread is not part of the task.
  private let cancellation = GracefulCancellation.current

  fileprivate init() {}

  private var isInterrupted: Bool {
    isCancelled.load(ordering: .relaxed) || cancellation?.isRequested == true
  }

  /// Restarts the time limit.
  ///
  /// - Returns: false if the work is to end: it was abandoned, or the task was asked to end.
  package func advance() -> Bool {
    let isWanted = state.withLock { state in
      state.progress = .now
      return !state.isAbandoned
    }
    return isWanted && !isInterrupted
  }

  fileprivate func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// - Parameter resume: called if the work is abandoned.
  fileprivate func wait(_ resume: @escaping @Sendable (WatchedThreads.Abandonment) -> Void) {
    state.withLock { $0.waiting = resume }
  }

  /// - Returns: false if the work was abandoned before.
  fileprivate func begin() -> Bool {
    state.withLock { state in
      if !state.isAbandoned { state.progress = .now }
      return !state.isAbandoned
    }
  }

  /// - Returns: false if the work was abandoned.
  fileprivate func finish() -> Bool {
    let isWanted = state.withLock { state in
      state.waiting = nil
      return !state.isAbandoned
    }
    if !isWanted { WatchedThreads.countBlocked(-1) }
    return isWanted
  }

  /// Abandons the work if it made no progress for too long, or if it has not begun and is not to.
  ///
  /// - Parameter afterInterruption: the limit after the task was asked to end.
  fileprivate func abandonIfStuck(_ limit: Duration, afterInterruption: Duration) {
    let isInterrupted = isInterrupted
    let resume = state.withLock { state -> (@Sendable (WatchedThreads.Abandonment) -> Void)? in
      guard let waiting = state.waiting else { return nil }
      if let progress = state.progress {
        let limit = isInterrupted ? min(limit, afterInterruption) : limit
        guard .now > progress + limit else { return nil }
        // Here, so that the thread cannot subtract itself first.
        WatchedThreads.countBlocked(1)
      } else if !isInterrupted {
        return nil
      }
      (state.waiting, state.isAbandoned) = (nil, true)
      return waiting
    }
    resume?(isInterrupted ? .interrupted : .unresponsive)
  }
}
