import CLinux
import Glibc
package import MediaModel

/// A program that this process started. One end of a Unix socket pair is its standard input and output, `/dev/null` its
/// standard error.
///
/// It runs in its own process group, with the environment that the caller chooses and no other open file.
/// One thread owns the value. Deinitialisation closes the socket; it does not end the process.
package struct ChildProcess: ~Copyable {
  /// How a process ended.
  package enum End: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// The process ID, which is also the ID of its group.
  package let id: Int32
  /// This process's end of the socket pair.
  private let socket: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the path of its file; `PATH` is not searched.
  ///   - arguments: the arguments after the program's name.
  ///   - environment: all of its variables, each in the form `NAME=value`.
  ///   - reserve: the number of files that this process must still be able to open.
  /// - Throws: `SystemError`: the error of `posix_spawn(3)`, or `EMFILE` if too few descriptors are left.
  package init(
    _ program: BytePath, arguments: [String], environment: [String], reserve: Int
  ) throws(SystemError) {
    let pair = try SocketPair()
    try OpenFileLimit.requireFree(reserve, above: max(pair.own, pair.childs))
    id = try Self.spawn(program, arguments, environment, socket: pair.childs)
    socket = pair.keepOwn()
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    close(socket)
  }

  private static func spawn(
    _ program: BytePath, _ arguments: [String], _ environment: [String], socket: Int32
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Ctrl-C on a terminal is sent to a whole process group; in its own group the process can finish its
    // file while this one ends.
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGALRM, SIGXCPU] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var id: pid_t = 0
    let name = String(decoding: program.lastComponent, as: UTF8.self)
    let code = unsafe program.withCString { path in
      unsafe withCStrings([name] + arguments) { arguments in
        unsafe withCStrings(environment) { environment in
          unsafe posix_spawn(&id, path, &actions, &attributes, arguments, environment)
        }
      }
    }
    guard code == 0 else { throw SystemError(code: code, operation: "start", path: program) }
    return id
  }

  /// The result of ``wait(forOutput:forInput:wake:milliseconds:)``.
  package struct Readiness: Sendable {
    /// ``read(upTo:)`` will return bytes, or the end.
    package var hasOutput = false
    /// ``write(_:)`` will accept some bytes, or report that the process has closed its input.
    package var takesInput = false
  }

  /// Waits until the process has output or accepts input, for at most `milliseconds`.
  ///
  /// - Parameters:
  ///   - forOutput: whether to wait for output.
  ///   - forInput: whether to wait until it accepts input.
  ///   - wake: ends the wait early.
  package func wait(
    forOutput: Bool, forInput: Bool, wake: WakeUp, milliseconds: Int32
  ) -> Readiness {
    let events = (forOutput ? POLLIN : 0) | (forInput ? POLLOUT : 0)
    // poll(2) ignores negative descriptors.
    var entries = [
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events == 0 ? -1 : socket, events: Int16(events), revents: 0),
    ]
    let found = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    if found < 0, errno != EINTR {
      // The kernel lacks memory: try both directions, which do not block.
      usleep(10_000)
      return Readiness(hasOutput: forOutput, takesInput: forInput)
    }
    guard found > 0 else { return Readiness() }
    if entries[0].revents != 0 { wake.clear() }
    let state = Int32(entries[1].revents)
    let isOver = state & (POLLERR | POLLHUP) != 0
    return Readiness(
      hasOutput: forOutput && (isOver || state & POLLIN != 0),
      takesInput: forInput && (isOver || state & POLLOUT != 0))
  }

  /// Up to `count` bytes of its output; empty at the end, nil if there are none yet. Descriptors that a process sends are
  /// closed by the kernel, because this call does not ask for them.
  package func read(upTo count: Int) -> [UInt8]? {
    var isEmpty = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let got = unsafe Glibc.read(socket, buffer.baseAddress, count)
      filled = max(0, got)
      isEmpty = got < 0 && (errno == EAGAIN || errno == EINTR)
    }
    return isEmpty ? nil : bytes
  }

  /// Sends as many bytes as the process accepts now, and open files with the first of them.
  ///
  /// - Parameter files: at most ``maximumFiles``; sent completely unless the result is 0 or nil.
  /// - Returns: the number of bytes sent; nil if the process has closed its end.
  package func send(_ bytes: ArraySlice<UInt8>, with files: [SharedFile] = []) -> Int? {
    let descriptors = files.map(\.descriptor)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe send_with_descriptors(
        socket, $0.baseAddress, $0.count, descriptors, descriptors.count)
    }
    if count >= 0 { return count }
    return errno == EPIPE || errno == ECONNRESET ? nil : 0
  }

  /// The number of open files that can be sent at once: SCM_MAX_FD of the kernel.
  package static var maximumFiles: Int { 253 }

  /// Kills the process and its group.
  package func kill() {
    _ = Glibc.kill(-id, SIGKILL)
  }

  /// How the process ended; nil while it runs.
  package func end() -> End? { Self.end(of: id) }

  /// How the child process with this ID ended; nil while it runs. The result can be fetched only once.
  package static func end(of id: Int32) -> End? {
    var status: Int32 = 0
    let found = unsafe waitpid(id, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == id else { return .exited(0) }
    let signal = status & 0x7F  // WTERMSIG, a macro
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
  }
}

/// Two connected Unix sockets; each is closed with this value unless it is kept.
private struct SocketPair: ~Copyable {
  private(set) var own: Int32
  let childs: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last("socketpair") }
    (own, childs) = (ends[0], ends[1])
  }

  deinit {
    for end in [own, childs] where end >= 0 { close(end) }
  }

  /// This process's end; the other one is closed.
  consuming func keepOwn() -> Int32 {
    defer { own = -1 }
    return own
  }
}

/// Calls `body` with strings as a NULL-terminated list of C strings.
func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(pointers)
}

/// Ends another thread's ``ChildProcess/wait(forOutput:forInput:wake:milliseconds:)`` early.
package final class WakeUp: Sendable {
  let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("eventfd") }
  }

  deinit {
    close(descriptor)
  }

  package func callAsFunction() {
    _ = eventfd_write(descriptor, 1)
  }

  func clear() {
    var count: UInt64 = 0
    _ = unsafe eventfd_read(descriptor, &count)
  }
}

/// Runs `body` on its own thread, which may block without delaying this process's tasks. Signals are
/// delivered to the other threads; on this one, writing to a closed pipe only returns an error.
///
/// - Parameter stackSize: bytes of the thread's stack.
/// - Throws: `EAGAIN` if no more threads can be created.
package func startThread(
  stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
) throws(SystemError) {
  final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, stackSize)
  var thread = pthread_t()
  let work = unsafe Unmanaged.passRetained(Work(body))
  let code = unsafe pthread_create(
    &thread, &attributes,
    { pointer in
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      if let pointer = unsafe pointer {
        unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
      }
      return nil
    }, work.toOpaque())
  guard code == 0 else {
    unsafe work.release()
    throw SystemError(code: code, operation: "start a thread")
  }
}
