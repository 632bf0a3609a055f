import Glibc
import Synchronization

/// A few threads for system calls that may block for long, such as calls to a file server. Swift's own threads must
/// not block: there is only one for each core.
///
/// A thread starts when there is work for it. When this object is deallocated, each thread ends after its current
/// work.
package final class BlockingThreads: Sendable {
  /// Enough to keep a file server or the queue of a disk busy.
  package static let maximumCount = 16

  /// The state that the threads share. They do not refer to the object itself, so that it can be deallocated.
  private final class Queue: Sendable {
    struct State {
      var work: [@Sendable () -> Void] = []
      /// The number of threads, and the number of threads that are working.
      var count = 0
      var busy = 0
      var limit: Int
      var isClosed = false
    }

    let state: Mutex<State>
    /// Its count is the number of waiting pieces of work; at the end, the number of threads.
    let available = Semaphore()

    init(limit: Int) {
      state = Mutex(State(limit: limit))
    }

    /// Works until the queue is closed.
    func serve() {
      while true {
        available.wait()
        let (isClosed, work) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
          guard !state.isClosed, !state.work.isEmpty else { return (state.isClosed, nil) }
          state.busy += 1
          return (false, state.work.removeFirst())
        }
        if isClosed { return }
        // If no thread could be started at first, `run` has done the work.
        guard let work else { continue }
        work()
        state.withLock { $0.busy -= 1 }
      }
    }
  }

  private let queue: Queue
  private let stackSize: Int

  /// Starts at most one thread for each core, until ``expectWaiting()`` is called.
  ///
  /// - Parameter stackSize: bytes of each thread's stack; enough for system calls by default.
  package init(stackSize: Int = 512 << 10) {
    self.stackSize = stackSize
    queue = Queue(limit: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  deinit {
    let count = queue.state.withLock { state in
      state.isClosed = true
      return state.count
    }
    for _ in 0..<count { queue.available.signal() }
  }

  /// Uses up to ``maximumCount`` threads from now on, because their calls wait for a server or a disk.
  package func expectWaiting() {
    queue.state.withLock { $0.limit = Self.maximumCount }
    startThreads()
  }

  /// Queues a piece of work for the threads. If no thread can be created, does the work before it returns.
  ///
  /// - Parameter urgently: whether the work precedes all queued work.
  package func run(urgently: Bool = false, _ work: @escaping @Sendable () -> Void) {
    queue.state.withLock { $0.work.insert(work, at: urgently ? 0 : $0.work.count) }
    queue.available.signal()
    guard !startThreads() else { return }
    let left = queue.state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for work in left { work() }
  }

  /// Does a piece of work on one of the threads, and waits for its result without blocking the caller's thread.
  package func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: work()) }
    }
  }

  /// Starts threads for the queued work, up to the limit.
  ///
  /// - Returns: whether any thread exists.
  @discardableResult
  private func startThreads() -> Bool {
    while true {
      let (isNeeded, isAlone) = queue.state.withLock { state in
        let isNeeded =
          state.count < state.limit && state.work.count > state.count - state.busy
        if isNeeded { state.count += 1 }
        return (isNeeded, state.count == 0)
      }
      guard isNeeded else { return !isAlone }
      let queue = queue
      do {
        try startThread(stackSize: stackSize) { queue.serve() }
      } catch {
        return queue.state.withLock { state in
          state.count -= 1
          state.limit = state.count
          return state.count > 0
        }
      }
    }
  }
}

/// A counting semaphore (sem_init(3)).
@safe final class Semaphore: @unchecked Sendable {
  private let value: UnsafeMutablePointer<sem_t>

  init() {
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: sem_t())
    unsafe sem_init(value, 0, 0)
  }

  deinit {
    unsafe sem_destroy(value)
    unsafe value.deallocate()
  }

  /// Waits until the count is not 0, and subtracts 1.
  func wait() {
    while unsafe sem_wait(value) != 0 && errno == EINTR {}
  }

  /// Adds 1 to the count.
  func signal() {
    unsafe sem_post(value)
  }
}
