import Glibc
import Synchronization

/// A few threads for system calls that may block for long, as those to a file server. Swift's own threads must not
/// block: there are only as many as cores.
///
/// A thread starts when there is work for it. The threads end with this object, after the work they have begun.
package final class BlockingThreads: Sendable {
  /// Enough to keep a file server or the queue of a disk busy.
  package static let maximumCount = 16

  /// What the threads share. They do not refer to the object itself, so that it can end.
  private final class Queue: Sendable {
    struct State {
      var work: [@Sendable () -> Void] = []
      /// Threads that exist, and those of them that work.
      var count = 0
      var busy = 0
      var limit: Int
      var isClosed = false
    }

    let state: Mutex<State>
    /// Counts the pieces of work, and at the end the threads.
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
        // Without work, another thread has done it already.
        guard let work else { continue }
        work()
        state.withLock { $0.busy -= 1 }
      }
    }
  }

  private let queue: Queue

  /// As long as calls are not known to block, more threads than cores would only get in each other's way.
  package init() {
    queue = Queue(limit: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  deinit {
    let count = queue.state.withLock { state in
      state.isClosed = true
      return state.count
    }
    for _ in 0..<count { queue.available.signal() }
  }

  /// Uses ``maximumCount`` threads from now on: their calls wait for a server or a disk, not for a core.
  package func expectWaiting() {
    queue.state.withLock { $0.limit = Self.maximumCount }
    startThreads()
  }

  /// Does a piece of work on one of the threads.
  ///
  /// If no thread can be created, this call does the work itself.
  ///
  /// - Parameter urgently: whether the work is done before all other work that waits.
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

  /// Starts as many threads as there is work for.
  ///
  /// - Returns: whether there is a thread.
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
        try startThread { queue.serve() }
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
