import Synchronization
import Testing

@testable import Linux

struct BlockingExecutorTests {
  @TaskLocal private static var value = 0

  /// Blocks until all have arrived, so each needs a thread of its own: Swift has one for each core.
  @Test(.timeLimit(.minutes(1)))
  func worksOnManyThreadsAtOnce() async {
    let executor = BlockingExecutor()
    let met = Semaphore()
    let arrived = Atomic(0)
    let count = BlockingThreads.maximumCount
    let meet: @Sendable () -> Void = {
      if arrived.add(1, ordering: .relaxed).newValue == count {
        for _ in 0..<count { met.signal() }
      }
      met.wait()
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { await executor.run { () async -> Void in meet() } }
      }
    }
    #expect(arrived.load(ordering: .relaxed) == count)
  }

  @Test(.timeLimit(.minutes(1)))
  func theTaskStaysTheSame() async throws {
    let executor = BlockingExecutor()
    let (begun, cancelled) = (Semaphore(), Semaphore())
    let task = Self.$value.withValue(7) {
      Task {
        await executor.run { () async -> (Int, Bool) in
          begun.signal()
          cancelled.wait()
          return (Self.value, Task.isCancelled)
        }
      }
    }
    // On a thread of its own: this one must not block.
    await BlockingExecutor().run { () async -> Void in begun.wait() }
    task.cancel()
    cancelled.signal()
    #expect(await task.value == (7, true))
  }

  @Test(.timeLimit(.minutes(1)))
  func anErrorKeepsItsType() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await BlockingExecutor().run { () async throws(Failure) -> Void in throw Failure() }
    }
  }
}
