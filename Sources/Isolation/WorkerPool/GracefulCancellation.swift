import Linux
import Synchronization

/// A request to end work early and to keep what is finished.
///
/// A cancelled task cannot wait any more: its channels and sleeps end at once, and what a worker process has just
/// read would be lost. So a scan or an export runs in a task of its own, which is never cancelled (``run(_:)``). To
/// cancel the task that waits for it only sets ``isRequested``, which the work checks between two files.
package final class GracefulCancellation: Sendable {
  private let isMade = Atomic(false)
  /// A request that counts as this one, too.
  private let outer: GracefulCancellation?

  @TaskLocal private static var ofTask: GracefulCancellation?

  private init(outer: GracefulCancellation? = nil) { self.outer = outer }

  /// The request to this task, for code that runs on a thread of its own.
  package static var current: GracefulCancellation? { ofTask }

  /// Whether this task shall end soon, by a request or because an error elsewhere has cancelled it.
  package static var isRequested: Bool { ofTask?.isRequested == true || Task.isCancelled }

  package var isRequested: Bool {
    isMade.load(ordering: .relaxed) || outer?.isRequested == true
  }

  /// Runs work that ends itself soon after this task is cancelled, and waits for it. Inside other such work, the
  /// request to that one counts.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard ofTask == nil else { return try await work() }
    let request = GracefulCancellation()
    let task = $ofTask.withValue(request) { Task { try await work() } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      request.isMade.store(true, ordering: .relaxed)
    }
  }

  /// Does work on a thread that is not part of the task, and waits for it. ``isRequested`` is there what it is in the task.
  static func value<Value: Sendable>(
    on threads: BlockingThreads, of work: @escaping @Sendable () -> Value
  ) async -> Value {
    let request = GracefulCancellation(outer: ofTask)
    return await withTaskCancellationHandler {
      await threads.value { $ofTask.withValue(request) { work() } }
    } onCancel: {
      request.isMade.store(true, ordering: .relaxed)
    }
  }
}
