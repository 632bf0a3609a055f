import CLinux
import Glibc
import MediaModel
import Synchronization

/// The calls of `stat` for the entries of one folder.
///
/// A server answers each in milliseconds. If the first ones are slow, or the folder is big, other threads make some
/// of them.
@safe final class StatCalls: @unchecked Sendable {
  private struct Progress {
    /// The first entry that no thread has taken.
    var next = 0
    /// The number of threads that have taken entries and have not finished them.
    var working = 0
    /// Whether the reader of the folder waits for the others.
    var isAwaited = false
    var failures: [Int: SystemError] = [:]
  }

  private let folder: Int32
  private let followingLinks: Bool
  // The memory belongs to the reader of the folder, which waits until no other thread uses it.
  private let names: UnsafeRawBufferPointer
  private let ends: UnsafeBufferPointer<UInt32>
  private let kinds: UnsafeMutableBufferPointer<DirectoryEntries.Kind>
  private let states: UnsafeMutableBufferPointer<DirectoryEntries.State>
  private let progress = Mutex(Progress())
  private let othersAreDone = Semaphore()

  /// The number of entries that a thread takes at once.
  private static let share = 32
  /// The smallest number of entries for which other threads are woken even if calls are fast.
  private static let bigFolder = 4096
  /// Nanoseconds. If the data is in memory, a call takes a hundredth of this time; a call to a server takes longer.
  private static let slowCall: Int64 = 100_000

  /// - Parameters:
  ///   - folder: the descriptor of the folder.
  ///   - names: all names, each with a NUL after it.
  ///   - ends: the offset after each NUL.
  ///   - kinds: those listed; each is replaced by the one that `stat` reports.
  ///   - states: uninitialised memory for the results.
  ///   - followingLinks: whether a symbolic link to a regular file is replaced with that file.
  init(
    folder: Int32, names: UnsafeRawBufferPointer, ends: UnsafeBufferPointer<UInt32>,
    kinds: UnsafeMutableBufferPointer<DirectoryEntries.Kind>,
    states: UnsafeMutableBufferPointer<DirectoryEntries.State>, followingLinks: Bool
  ) {
    self.folder = folder
    unsafe self.names = unsafe names
    unsafe self.ends = unsafe ends
    unsafe self.kinds = unsafe kinds
    unsafe self.states = unsafe states
    self.followingLinks = followingLinks
  }

  /// Makes all calls. Returns when every result is known.
  ///
  /// - Parameter threads: make some of the calls at the same time, if there are many or they are slow.
  /// - Returns: the failures by the positions of their entries.
  func make(sharedWith threads: BlockingThreads?) -> [Int: SystemError] {
    var isShared = false
    if unsafe ends.count >= Self.bigFolder { share(with: threads) }
    while true {
      let start = monotonicNanoseconds()
      guard makeSome() else { break }
      if !isShared, monotonicNanoseconds() - start > Int64(Self.share) * Self.slowCall {
        isShared = true
        threads?.expectWaiting()
        share(with: threads)
      }
    }
    let mustWait = progress.withLock { progress in
      progress.isAwaited = progress.working > 0
      return progress.isAwaited
    }
    if mustWait { othersAreDone.wait() }
    return progress.withLock { $0.failures }
  }

  /// Lets other threads make calls until all are made.
  private func share(with threads: BlockingThreads?) {
    let shares = unsafe ends.count / Self.share
    for _ in 0..<min(shares, BlockingThreads.maximumCount) {
      threads?.run(urgently: true) { while self.makeSome() {} }
    }
  }

  /// Makes the calls for a few entries.
  ///
  /// - Returns: false if other threads have taken all entries.
  private func makeSome() -> Bool {
    let count = unsafe ends.count
    let taken = progress.withLock { progress -> Range<Int>? in
      guard progress.next < count else { return nil }
      let taken = progress.next..<min(progress.next + Self.share, count)
      progress.next = taken.upperBound
      progress.working += 1
      return taken
    }
    guard let taken else { return false }
    for index in taken { unsafe states[index] = make(at: index) }
    let isLast = progress.withLock { progress in
      progress.working -= 1
      return progress.isAwaited && progress.working == 0
    }
    if isLast { othersAreDone.signal() }
    return true
  }

  /// The call for one entry, if it needs one. Sets its kind.
  private func make(at index: Int) -> DirectoryEntries.State {
    switch unsafe kinds[index] {
    case .regular, .unlisted: break
    case .symbolicLink where followingLinks: return follow(index)
    default: return DirectoryEntries.State()
    }
    switch status(of: index, AT_SYMLINK_NOFOLLOW) {
    case .success(let status):
      unsafe kinds[index] = DirectoryEntries.Kind(status.kind)
      if status.kind == .symbolicLink, followingLinks { return follow(index) }
      return DirectoryEntries.State(status)
    case .failure(let error):
      if error.code == ENOENT {
        unsafe kinds[index] = .gone
      } else {
        progress.withLock { $0.failures[index] = error }
      }
      return DirectoryEntries.State()
    }
  }

  /// Replaces a symbolic link to a regular file with that file. Other links stay links, including dangling ones.
  /// It is a failure if the target cannot be examined, for example because of a permission.
  private func follow(_ index: Int) -> DirectoryEntries.State {
    switch status(of: index, 0) {
    case .success(let status):
      guard status.kind == .regular else { break }
      unsafe kinds[index] = .regular
      return DirectoryEntries.State(status)
    case .failure(let error):
      if !error.isNotFound, !error.isLink { progress.withLock { $0.failures[index] = error } }
    }
    return DirectoryEntries.State()
  }

  private func status(of index: Int, _ flags: Int32) -> Result<FileStatus, SystemError> {
    let start = index == 0 ? 0 : Int(unsafe ends[index - 1])
    var found = stat()
    let name = unsafe UnsafeRawBufferPointer(rebasing: names[start...])
    guard let text = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self),
      unsafe fstatat(folder, text, &found, flags) == 0
    else {
      let name = unsafe Array(names[start..<Int(ends[index]) - 1])
      return .failure(.last("stat", BytePath(bytes: name)))
    }
    return .success(FileStatus(found))
  }
}

extension DirectoryEntries.State {
  /// Zeros for anything but a regular file.
  fileprivate init(_ status: FileStatus) {
    let isFile = status.kind == .regular
    self.init(
      size: isFile ? status.stamp.size : 0, modified: isFile ? status.stamp.modified : 0,
      inode: isFile ? status.stamp.inode : 0, changed: isFile ? status.changed : 0)
  }
}

/// Nanoseconds of the system's monotonic clock.
private func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return FileStatus.nanoseconds(time)
}
