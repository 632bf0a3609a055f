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
    _ open: @escaping @Sendable (Item, OpenRoots) throws(SystemError) -> [SharedFile]
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
      threads.run {
        let roots = OpenRoots()
        for item in items {
          let result = Opened { () throws(SystemError) in try open(item, roots) }
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
