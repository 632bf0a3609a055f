import Synchronization
import Testing
import WorkerPool

/// Work that one task finds and several tasks do.
struct BatchFeedTests {
  private struct Failure: Error {}

  private final class Done: Sendable {
    private let items = Mutex<[Int]>([])

    var all: [Int] { items.withLock { $0.sorted() } }

    func add(_ batch: [Int]) {
      items.withLock { $0 += batch }
    }
  }

  @Test(.timeLimit(.minutes(1))) func everythingFoundIsDoneOnce() async throws {
    let done = Done()
    try await BatchFeed<Int>.run { feed in
      for batch in Array(0..<100).inBatches(of: 7) { await feed.send(batch) }
    } working: { feed in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask { for await batch in feed { done.add(batch) } }
        }
      }
    }
    #expect(done.all == Array(0..<100))
  }

  /// Without cancellation the finding task would wait forever for a worker.
  @Test(.timeLimit(.minutes(1))) func aFailureEndsTheOtherTask() async {
    await #expect(throws: Failure.self) {
      try await BatchFeed<Int>.run { feed in
        while !Task.isCancelled { await feed.send([1]) }
      } working: { feed in
        for await _ in feed { throw Failure() }
      }
    }
    await #expect(throws: Failure.self) {
      try await BatchFeed<Int>.run { _ in
        throw Failure()
      } working: { feed in
        for await _ in feed {}
      }
    }
  }

  @Test func batchesHoldAllInOrder() {
    #expect([1, 2, 3, 4, 5].inBatches(of: 2) == [[1, 2], [3, 4], [5]])
    #expect([Int]().inBatches(of: 2).isEmpty)
  }
}
