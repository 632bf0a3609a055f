import MediaModel
import Synchronization
import Thumbnails

/// The pictures that have to be made. Equal requests are one; the most urgent is made first, then the oldest. A request
/// that everyone has cancelled before its turn is forgotten; one that is being made is finished, because the next
/// request finds it in the cache.
final class ImageQueue: Sendable {
  /// What a request waits for: nothing, because the cache has the result, or the failure of the worker program.
  typealias Outcome = Result<Void, PhotoLibraryError>

  private struct Entry {
    var request: ThumbnailRequest
    var priority: ImagePriority
    /// The order of arrival.
    var number: Int
    var isRunning = false
    var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
  }

  private struct State {
    var entries: [ThumbnailKey: Entry] = [:]
    var running = 0
    var nextNumber = 0
  }

  private let state = Mutex(State())
  /// Requests that are made at once.
  private let width: Int
  /// Requests that may wait.
  private static let length = 10_000

  init(width: Int) { self.width = width }

  /// Waits until a request is made.
  ///
  /// - Parameter make: makes the picture and puts it into the cache.
  func wait(
    for request: ThumbnailRequest, _ priority: ImagePriority,
    making make: @escaping @Sendable (ThumbnailRequest) async -> Outcome
  ) async throws(PhotoLibraryError) {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let refusal = add(request, priority, number, continuation)
        if let refusal { continuation.resume(returning: .failure(refusal)) }
        startNext(make)
      }
    } onCancel: {
      withdraw(number, from: request.key)
    }
    try outcome.get()
  }

  /// - Returns: why the request cannot wait.
  private func add(
    _ request: ThumbnailRequest, _ priority: ImagePriority, _ number: Int,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) -> PhotoLibraryError? {
    state.withLock { state in
      if Task.isCancelled { return .cancelled }
      guard state.entries.count < Self.length else { return .tooManyRequests }
      var entry =
        state.entries[request.key] ?? Entry(request: request, priority: priority, number: number)
      entry.priority = max(entry.priority, priority)
      entry.waiters[number] = continuation
      state.entries[request.key] = entry
      return nil
    }
  }

  private func withdraw(_ number: Int, from key: ThumbnailKey) {
    let continuation = state.withLock { state in
      let continuation = state.entries[key]?.waiters.removeValue(forKey: number)
      if let entry = state.entries[key], entry.waiters.isEmpty, !entry.isRunning {
        state.entries[key] = nil
      }
      return continuation
    }
    continuation?.resume(returning: .failure(.cancelled))
  }

  private func startNext(_ make: @escaping @Sendable (ThumbnailRequest) async -> Outcome) {
    let request = state.withLock { state -> ThumbnailRequest? in
      guard state.running < width else { return nil }
      let next = state.entries.values.filter { !$0.isRunning }.max {
        ($0.priority, $1.number) < ($1.priority, $0.number)
      }
      guard let next else { return nil }
      state.entries[next.request.key]?.isRunning = true
      state.running += 1
      return next.request
    }
    guard let request else { return }
    Task {
      let outcome = await make(request)
      let waiters = state.withLock { state in
        state.running -= 1
        return state.entries.removeValue(forKey: request.key)?.waiters.values.map(\.self) ?? []
      }
      for waiter in waiters { waiter.resume(returning: outcome) }
      startNext(make)
    }
  }
}
