import Synchronization
import Testing

@testable import Linux

struct BlockingThreadsTests {
  /// Each piece of work waits until all have begun, so each needs a thread of its own.
  @Test(.timeLimit(.minutes(1)))
  func worksOnManyThreadsIfTheirCallsWait() {
    let threads = BlockingThreads()
    threads.expectWaiting()
    let (met, done) = (Semaphore(), Semaphore())
    let arrived = Atomic(0)
    for _ in 0..<BlockingThreads.maximumCount {
      threads.run {
        if arrived.add(1, ordering: .relaxed).newValue == BlockingThreads.maximumCount {
          for _ in 0..<BlockingThreads.maximumCount { met.signal() }
        }
        met.wait()
        done.signal()
      }
    }
    for _ in 0..<BlockingThreads.maximumCount { done.wait() }
    #expect(arrived.load(ordering: .relaxed) == BlockingThreads.maximumCount)
  }

  @Test(.timeLimit(.minutes(1)))
  func doesAllWork() {
    let threads = BlockingThreads()
    let done = Semaphore()
    let count = Atomic(0)
    for index in 0..<10_000 {
      threads.run(urgently: index % 7 == 0) {
        count.add(1, ordering: .relaxed)
        done.signal()
      }
    }
    for _ in 0..<10_000 { done.wait() }
    #expect(count.load(ordering: .relaxed) == 10_000)
  }
}
