import Linux
package import MediaModel
import Synchronization
import WorkerProtocol

/// A file that a worker is to read: `shoebox` opens it and sends the descriptor.
package struct SourceFile: Sendable, Hashable {
  package var path: BytePath
  /// A folder above the file: no symbolic link below it is followed. Nil to follow links.
  package var root: BytePath?

  package init(_ path: BytePath, root: BytePath? = nil) {
    (self.path, self.root) = (path, root)
  }
}

/// Opens files for workers, on threads of its own: a disk or network share that does not respond blocks the call.
final class FileOpening: Sendable {
  private let threads = BlockingThreads()

  /// The opened files of one item, or why they cannot be opened.
  typealias Opened = Result<[SharedFile], SystemError>

  /// The results of the first items, in order.
  struct Outcome: Sendable {
    var opened: [Opened] = []
    /// Whether opening the next item exceeded the limit. Otherwise items without a result were left for later.
    var isNextStuck = false
  }

  private struct State {
    var outcome = Outcome()
    /// When the opening of the current item began; nil before a thread has begun the first one.
    var begun: SuspendingClock.Instant?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  /// Opens the files of each item. If this takes longer than `limit`, leaves the other items for later, so that a worker
  /// gets the opened ones; after an interruption, too.
  ///
  /// - Parameter limit: the time for one item.
  func open<Item: Sendable>(
    _ items: ArraySlice<Item>, limit: Duration,
    _ open: @escaping @Sendable (Item, OpenRoots) throws(SystemError) -> [SharedFile]
  ) async -> Outcome {
    let call = Call()
    // The thread is not part of the task.
    let cancellation = GracefulCancellation.current
    let timer = Task {
      try await Task.sleep(for: limit, clock: .suspending)
      // All threads may be blocked by other calls.
      if !call.hasBegun {
        threads.expectWaiting()
        try await Task.sleep(for: limit, clock: .suspending)
      }
      while let deadline = call.endIfStuck(limit) {
        try await Task.sleep(until: deadline, clock: .suspending)
      }
      // The next calls must not wait for the thread that is blocked.
      threads.expectWaiting()
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      call.state.withLock { $0.continuation = continuation }
      threads.run {
        let roots = OpenRoots()
        let begun = SuspendingClock.now
        call.state.withLock { $0.begun = begun }
        for item in items {
          let result = Opened { () throws(SystemError) in try open(item, roots) }
          let now = SuspendingClock.now
          let isWanted = call.state.withLock { state in
            guard state.continuation != nil else { return false }
            state.outcome.opened.append(result)
            state.begun = now
            return now < begun + limit && cancellation?.isRequested != true
          }
          if !isWanted { break }
        }
        call.end()
      }
    }
  }

  /// One call of ``open(_:limit:_:)``, shared by its thread and its timer: the first one to end it does.
  private final class Call: Sendable {
    let state = Mutex(State())

    private typealias Ended = (
      continuation: CheckedContinuation<Outcome, Never>?, outcome: Outcome
    )

    var hasBegun: Bool { state.withLock { $0.begun != nil } }

    func end() {
      let ended = state.withLock { Self.take(from: &$0) }
      ended.continuation?.resume(returning: ended.outcome)
    }

    /// Ends the call if its current item exceeds the limit.
    ///
    /// - Returns: when to check again; nil if the call has ended.
    func endIfStuck(_ limit: Duration) -> SuspendingClock.Instant? {
      let (deadline, ended) = state.withLock { state -> (SuspendingClock.Instant?, Ended?) in
        if state.continuation != nil, let begun = state.begun, SuspendingClock.now < begun + limit {
          return (begun + limit, nil)
        }
        state.outcome.isNextStuck = true
        return (nil, Self.take(from: &state))
      }
      if let ended { ended.continuation?.resume(returning: ended.outcome) }
      return deadline
    }

    /// The outcome is moved: a blocked thread must not keep its files open.
    private static func take(from state: inout State) -> Ended {
      defer { (state.continuation, state.outcome) = (nil, Outcome()) }
      return (state.continuation, state.outcome)
    }
  }
}

/// The folders of the roots of a few files. They are open only as long as this value exists, because an open folder
/// prevents unmounting its disk.
final class OpenRoots {
  private var folders: [BytePath: OpenFolder] = [:]

  /// Opens a file for reading.
  func open(_ file: SourceFile) throws(SystemError) -> SharedFile {
    guard let path = file.root else { return try SharedFile.source(file.path, below: nil) }
    let folder: OpenFolder
    if let known = folders[path] {
      folder = known
    } else {
      folder = try OpenFolder(path)
      folders[path] = folder
    }
    return try SharedFile.source(file.path, below: folder)
  }
}
