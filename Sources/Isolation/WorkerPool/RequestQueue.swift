import Synchronization

/// The requests of a server's clients that workers have to answer.
///
/// Equal requests are one: all who wait for it get its result. The most urgent request is answered first; of several,
/// the one that has been so urgent for the longest time. The queue is bounded, so that a server with more clients than
/// it can serve refuses some at once, and not all of them late. A request that everyone has cancelled before its turn is
/// forgotten; one that is being answered is completed, because ending its worker would cost more, and a cache may keep the
/// result.
package final class RequestQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Answers a request. It runs in a task of its own, which is never cancelled.
  package typealias Answer = @Sendable (WorkPriority) async throws -> Value

  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct Entry {
    var priority: WorkPriority
    /// The order of arrival.
    var number: Int
    let answer: Answer
    var isRunning = false
    var waiters: [Int: Waiter] = [:]
  }

  /// The keys of one priority in their order of arrival. A key that was cancelled, or became more urgent, stays in it.
  private struct Lane {
    private var places: [(key: Key, number: Int)] = []
    private var start = 0

    var count: Int { places.count - start }

    mutating func append(_ key: Key, _ number: Int) { places.append((key, number)) }

    /// Leaves out places that nothing waits at.
    mutating func remove(unless isWaiting: (Key, Int) -> Bool) {
      places = places[start...].filter { isWaiting($0.key, $0.number) }
      start = 0
    }

    mutating func popFirst() -> (key: Key, number: Int)? {
      guard start < places.count else { return nil }
      defer { start += 1 }
      let first = places[start]
      if start >= 1024, start * 2 > places.count {
        places.removeFirst(start)
        start = 0
      }
      return first
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var lanes: [WorkPriority: Lane] = [:]
    var running = 0
    var nextNumber = 0

    /// Keeps a lane from growing with each request that is cancelled while all workers are busy.
    mutating func compactLane(of priority: WorkPriority) {
      guard let lane = lanes[priority], lane.count > 64 + 2 * entries.count else { return }
      let entries = entries
      lanes[priority]?.remove { key, number in
        entries[key].map { $0.number == number && $0.priority == priority } ?? false
      }
    }
  }

  private let state = Mutex(State())
  private let width: Int
  private let length: Int

  /// - Parameters:
  ///   - width: requests that are answered at once.
  ///   - length: different requests that may wait or be answered; more are refused.
  package init(width: Int, length: Int) {
    (self.width, self.length) = (max(1, width), max(1, length))
  }

  /// The answer to a request, which is shared with all that ask the same before it is there.
  ///
  /// - Parameter answer: used unless an equal request waits already.
  /// - Throws: ``WorkerError/tooManyRequests(_:)`` if the queue is full; `CancellationError`; the errors of the answer.
  package func value(
    for key: Key, priority: WorkPriority, _ answer: @escaping Answer
  ) async throws -> Value {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        do {
          try add(waiter, number, key, priority, answer)
          startNext()
        } catch {
          waiter.resume(throwing: error)
        }
      }
    } onCancel: {
      withdraw(number, from: key)
    }
  }

  private func add(
    _ waiter: Waiter, _ number: Int, _ key: Key, _ priority: WorkPriority,
    _ answer: @escaping Answer
  ) throws {
    try state.withLock { state in
      if Task.isCancelled { throw CancellationError() }
      if state.entries[key] == nil {
        guard state.entries.count < length else { throw WorkerError.tooManyRequests(length) }
        state.entries[key] = Entry(priority: priority, number: number, answer: answer)
        state.lanes[priority, default: Lane()].append(key, number)
      } else if let entry = state.entries[key], !entry.isRunning, entry.priority < priority {
        state.entries[key]?.priority = priority
        state.lanes[priority, default: Lane()].append(key, entry.number)
      }
      state.entries[key]?.waiters[number] = waiter
    }
  }

  private func withdraw(_ number: Int, from key: Key) {
    let waiter = state.withLock { state in
      let waiter = state.entries[key]?.waiters.removeValue(forKey: number)
      if let entry = state.entries[key], entry.waiters.isEmpty, !entry.isRunning {
        state.entries[key] = nil
        state.compactLane(of: entry.priority)
      }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func startNext() {
    let next = state.withLock { Self.takeNext(from: &$0, width: width) }
    guard let next else { return }
    Task {
      let result: Result<Value, any Error>
      do {
        result = .success(try await next.entry.answer(next.entry.priority))
      } catch {
        result = .failure(error)
      }
      let waiters = state.withLock { state in
        state.running -= 1
        return state.entries.removeValue(forKey: next.key)?.waiters.values.map(\.self) ?? []
      }
      for waiter in waiters { waiter.resume(with: result) }
      startNext()
    }
  }

  private static func takeNext(
    from state: inout State, width: Int
  ) -> (key: Key, entry: Entry)? {
    guard state.running < width else { return nil }
    for priority in WorkPriority.allCases.reversed() {
      while let (key, number) = state.lanes[priority]?.popFirst() {
        guard let entry = state.entries[key], entry.number == number, entry.priority == priority,
          !entry.isRunning
        else { continue }
        state.entries[key]?.isRunning = true
        state.running += 1
        return (key, entry)
      }
    }
    return nil
  }

  /// The number of tasks that wait for an answer.
  var waiterCount: Int {
    state.withLock { $0.entries.values.reduce(0) { $0 + $1.waiters.count } }
  }
}
