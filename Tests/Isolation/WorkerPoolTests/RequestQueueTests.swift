import Synchronization
import Testing

@testable import WorkerPool

/// Requests of many clients for few workers.
@Suite(.timeLimit(.minutes(1)))
struct RequestQueueTests {
  /// Answers each key with itself, when it is let.
  private final class Answers: Sendable {
    private struct State {
      var isOpen = false
      var waiting: [CheckedContinuation<Void, Never>] = []
      var asked: [Int] = []
      var (running, most) = (0, 0)
    }

    private let state = Mutex(State())

    /// The keys in the order in which they were to be answered.
    var asked: [Int] { state.withLock(\.asked) }
    /// The most keys that were answered at once.
    var most: Int { state.withLock(\.most) }

    func answer(_ key: Int) async -> Int {
      state.withLock { state in
        state.asked.append(key)
        state.running += 1
        state.most = max(state.most, state.running)
      }
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
      state.withLock { $0.running -= 1 }
      return key
    }

    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  private let answers = Answers()

  private func ask(
    _ key: Int, _ queue: RequestQueue<Int, Int>, _ priority: WorkPriority = .interactive
  ) -> Task<Int, any Error> {
    Task { [answers] in
      try await queue.value(for: key, priority: priority) { _ in await answers.answer(key) }
    }
  }

  /// Asks, and waits until the request waits.
  private func enqueue(
    _ key: Int, _ queue: RequestQueue<Int, Int>, _ priority: WorkPriority = .interactive
  ) async -> Task<Int, any Error> {
    let count = queue.waiterCount
    let task = ask(key, queue, priority)
    await wait(for: count + 1, in: queue)
    return task
  }

  private func wait(for count: Int, in queue: RequestQueue<Int, Int>) async {
    while queue.waiterCount != count { await Task.yield() }
  }

  @Test func aThousandRequestsForFortyThingsAreForty() async throws {
    let queue = RequestQueue<Int, Int>(width: 3, length: 40)
    let tasks = (0..<1000).map { number in
      ask(number % 40, queue, WorkPriority.allCases[number % 3])
    }
    await wait(for: 1000, in: queue)
    answers.open()
    for (number, task) in tasks.enumerated() { #expect(try await task.value == number % 40) }
    #expect(answers.asked.sorted() == Array(0..<40))
    #expect(answers.most <= 3)
    #expect(queue.waiterCount == 0)
  }

  @Test func moreThanTheBoundAreRefused() async throws {
    let queue = RequestQueue<Int, Int>(width: 1, length: 2)
    let first = await enqueue(1, queue)
    let second = await enqueue(2, queue)
    await #expect(throws: WorkerError.tooManyRequests(2)) { try await ask(3, queue).value }
    // An equal one is not one more.
    let third = await enqueue(2, queue)
    answers.open()
    #expect(try await [first.value, second.value, third.value] == [1, 2, 2])
    // There is space again.
    #expect(try await ask(3, queue).value == 3)
  }

  @Test func theMostUrgentComesFirstThenTheOldest() async throws {
    let queue = RequestQueue<Int, Int>(width: 1, length: 10)
    var tasks = [await enqueue(0, queue)]
    tasks.append(await enqueue(1, queue, .background))
    tasks.append(await enqueue(2, queue, .upcoming))
    tasks.append(await enqueue(3, queue, .interactive))
    tasks.append(await enqueue(4, queue, .upcoming))
    tasks.append(await enqueue(5, queue, .interactive))
    // Someone looks at it now.
    tasks.append(await enqueue(4, queue, .interactive))
    answers.open()
    for task in tasks { _ = try await task.value }
    #expect(answers.asked == [0, 3, 5, 4, 2, 1])
  }

  @Test func aCancelledRequestKeepsTheEqualOne() async throws {
    let queue = RequestQueue<Int, Int>(width: 1, length: 10)
    let running = await enqueue(0, queue)
    let kept = await enqueue(1, queue)
    let cancelled = await enqueue(1, queue)
    let alone = await enqueue(2, queue)
    for task in [cancelled, alone] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(queue.waiterCount == 2)
    // Of one that is being answered, the others get the result too.
    let alsoRunning = await enqueue(0, queue)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    answers.open()
    #expect(try await alsoRunning.value == 0)
    #expect(try await kept.value == 1)
    #expect(answers.asked == [0, 1])
  }

  @Test func aFailureIsThatOfAllWhoAsked() async throws {
    let queue = RequestQueue<Int, Int>(width: 1, length: 10)
    let running = await enqueue(0, queue)
    let failing = (0..<3).map { _ in
      Task {
        try await queue.value(for: 1, priority: .upcoming) { _ in throw WorkerError.tooManyStuck(9)
        }
      }
    }
    await wait(for: 4, in: queue)
    answers.open()
    for task in failing {
      await #expect(throws: WorkerError.tooManyStuck(9)) { try await task.value }
    }
    #expect(try await running.value == 0)
    // The next one is answered again.
    #expect(try await ask(1, queue).value == 1)
  }
}
