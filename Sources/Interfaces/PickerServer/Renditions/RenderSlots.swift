import ShoeboxKit
import Synchronization

/// Lets a few tasks run at a time, in the order in which they came.
final class RenderSlots: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// - Parameter count: how many run at a time.
  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  /// Runs `body` when it is its turn.
  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.waiting.isEmpty else {
          state.free += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
    return try await body()
  }
}
