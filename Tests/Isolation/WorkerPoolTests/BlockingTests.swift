import Foundation
import Linux
import Synchronization
import Testing

@testable import WorkerPool

/// Work that blocks, and what goes on meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct BlockingTests {
  /// Each call waits for a task of Swift, which would get no thread if the calls had all of them.
  @Test func `blocked calls leave Swift's threads to others`() async {
    let gate = Gate()
    let reached = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<min(12, 2 * ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask { await blocking { gate.wait(seconds: 30) } }
      }
      group.addTask { @concurrent in
        gate.open()
        return true
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(reached)
  }

  @Test func `blocking work sees the cancellation of its task`() async throws {
    for isGraceful in [false, true] {
      let gate = Gate()
      let work: @Sendable () async -> Bool = {
        await blocking {
          gate.open()
          let start = ContinuousClock.now
          while !GracefulCancellation.isRequested, .now < start + .seconds(30) { usleep(1000) }
          return GracefulCancellation.isRequested
        }
      }
      let task = Task {
        isGraceful ? try await GracefulCancellation.run(work) : await work()
      }
      while !gate.isOpen { try await Task.sleep(for: .milliseconds(5)) }
      task.cancel()
      #expect(try await task.value, "graceful: \(isGraceful)")
    }
  }

  @Test func `an error of blocking work is thrown`() async {
    await #expect(throws: SystemError.self) {
      try await blocking { throw SystemError(code: 5, operation: "read") }
    }
  }
}

/// Work that is abandoned. The number of blocked threads is one for the whole process, so one test runs after the other.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct WatchedThreadsTests {
  @Test func `work without progress is abandoned, and slow work is not`() async throws {
    let threads = WatchedThreads(limit: .milliseconds(500))
    let gate = Gate()
    let stuck = Task { try await threads.value { _ in gate.wait(seconds: 30) } }
    async let slow = threads.value { work in
      for _ in 0..<20 {
        usleep(50_000)
        guard work.advance() else { return false }
      }
      return true
    }
    await #expect(throws: WatchedThreads.Abandonment.unresponsive) { try await stuck.value }
    #expect(try await slow)
    gate.open()
  }

  @Test func `an interruption abandons blocked work, and waits for other work`() async throws {
    let gate = Gate()
    let begun = Gate()
    let task = Task {
      try await GracefulCancellation.run {
        let threads = WatchedThreads(limit: .seconds(30))
        async let other = threads.value { work in
          while work.advance() { usleep(1000) }
          return 1
        }
        let stuck = Task {
          try await threads.value { _ in
            begun.open()
            return gate.wait(seconds: 30)
          }
        }
        await #expect(throws: WatchedThreads.Abandonment.interrupted) { try await stuck.value }
        return try await other
      }
    }
    while !begun.isOpen { try await Task.sleep(for: .milliseconds(5)) }
    let start = ContinuousClock.now
    task.cancel()
    #expect(try await task.value == 1)
    #expect(.now < start + .seconds(20))
    gate.open()
  }

  @Test func `too many blocked threads end the work, until they are free again`() async throws {
    let threads = WatchedThreads(limit: .milliseconds(200))
    let gate = Gate()
    var stuck = 0
    var refusal: BlockedThreads?
    while refusal == nil, stuck < 20 {
      do {
        _ = try await threads.value { _ in gate.wait(seconds: 40) }
      } catch WatchedThreads.Abandonment.unresponsive {
        stuck += 1
      } catch let error as BlockedThreads {
        refusal = error
      }
    }
    #expect(stuck <= 8)
    #expect(refusal?.count == 8)
    #expect(refusal?.description.contains("does not respond") == true)
    gate.open()
    let start = ContinuousClock.now
    var value: Int?
    while value == nil, .now < start + .seconds(20) {
      value = try? await threads.value { _ in 1 }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(value == 1)
  }
}

/// Blocks threads until it is opened.
private final class Gate: Sendable {
  private let state = Atomic(false)

  var isOpen: Bool { state.load(ordering: .relaxed) }

  /// - Returns: whether it was opened in time.
  func wait(seconds: Int) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isOpen, .now < end { usleep(5000) }
    return isOpen
  }

  func open() { state.store(true, ordering: .relaxed) }
}
