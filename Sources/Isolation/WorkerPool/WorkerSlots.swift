import Synchronization

/// The places for processes of one program that work at once.
///
/// Work waits for a free place; the most urgent work gets it first, then the oldest.
final class WorkerSlots: Sendable {
  private struct Waiter {
    var priority: WorkPriority
    var number: Int
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var free: Int
    var waiters: [Waiter] = []
    var nextNumber = 0
  }

  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(free: count))
  }

  /// Waits for a place.
  ///
  /// - Throws: `CancellationError`.
  func acquire(_ priority: WorkPriority) async throws {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFree = state.withLock { state -> Bool? in
          if Task.isCancelled { return nil }
          guard state.free == 0 else {
            state.free -= 1
            return true
          }
          state.waiters.append(
            Waiter(priority: priority, number: number, continuation: continuation))
          return false
        }
        if isFree == true { continuation.resume() }
        if isFree == nil { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Gives a place back.
  func release() {
    let next = state.withLock { state -> Waiter? in
      let first = state.waiters.indices.min { first, second in
        let (first, second) = (state.waiters[first], state.waiters[second])
        return (second.priority, first.number) < (first.priority, second.number)
      }
      guard let first else {
        state.free += 1
        return nil
      }
      return state.waiters.remove(at: first)
    }
    next?.continuation.resume()
  }

  /// The number of tasks that wait.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Whether more urgent work waits.
  func isWanted(above priority: WorkPriority) -> Bool {
    state.withLock { $0.waiters.contains { $0.priority > priority } }
  }
}
