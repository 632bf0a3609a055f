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
  private let roots = Mutex<[BytePath: OpenFolder]>([:])

  /// The opened files of one item, or why they cannot be opened.
  typealias Opened = Result<[SharedFile], SystemError>

  private struct State {
    var opened: [Opened] = []
    var continuation: CheckedContinuation<[Opened], Never>?
  }

  /// Opens the files of each item.
  ///
  /// - Parameter limit: the time for all of them.
  /// - Returns: the results in order. If they are fewer than the items, opening the next one exceeded the limit.
  func open<Item: Sendable>(
    _ items: ArraySlice<Item>, limit: Duration,
    _ open: @escaping @Sendable (Item, FileOpening) throws(SystemError) -> [SharedFile]
  ) async -> [Opened] {
    let state = Mutexed(State())
    let timer = Task {
      try await Task.sleep(for: limit, clock: .suspending)
      // The next calls must not wait for the thread that is blocked.
      threads.expectWaiting()
      state.finish()
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      state.value.withLock { $0.continuation = continuation }
      threads.run { [self] in
        for item in items {
          let result = Opened { () throws(SystemError) in try open(item, self) }
          let isWanted = state.value.withLock { state in
            if state.continuation != nil { state.opened.append(result) }
            return state.continuation != nil
          }
          if !isWanted { return }
        }
        state.finish()
      }
    }
  }

  private final class Mutexed: Sendable {
    let value: Mutex<State>

    init(_ state: sending State) { value = Mutex(state) }

    func finish() {
      let (continuation, opened) = value.withLock { state in
        defer { state.continuation = nil }
        return (state.continuation, state.opened)
      }
      continuation?.resume(returning: opened)
    }
  }

  /// Opens a file for reading.
  func open(_ file: SourceFile) throws(SystemError) -> SharedFile {
    try SharedFile.source(
      file.path, below: file.root.map { (root) throws(SystemError) in try folder(root) })
  }

  /// The open folder of a root, which stays open.
  private func folder(_ path: BytePath) throws(SystemError) -> OpenFolder {
    if let open = roots.withLock({ $0[path] }) { return open }
    let folder = try OpenFolder(path)
    roots.withLock { $0[path] = folder }
    return folder
  }
}
