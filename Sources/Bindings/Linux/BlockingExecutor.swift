/// Runs parts of tasks on threads that may block, see ``BlockingThreads``: system calls and SQLite's queries wait for
/// disks and locks, and Swift's own threads must not.
///
/// The task stays the same: its cancellation, priority and task-local values are those of the caller.
package final class BlockingExecutor: TaskExecutor {
  /// Bytes of a thread's stack: as Swift's own threads have.
  private static let stackSize = 8 << 20

  private let threads: BlockingThreads

  package init() {
    threads = BlockingThreads(stackSize: Self.stackSize)
    // Most of the work waits for a disk or a lock.
    threads.expectWaiting()
  }

  /// Runs work of the current task, and the child tasks of the work, on the threads.
  package func run<Value, Failure: Error>(
    _ work: @concurrent () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in
      try await work()
    }
  }

  /// Runs work that belongs to no task, and does not wait for it.
  package func start(_ work: @escaping @Sendable () -> Void) { threads.run(work) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.run { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
