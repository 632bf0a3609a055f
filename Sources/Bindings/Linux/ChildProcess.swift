import CLinux
import Glibc
package import MediaModel

/// A program that this process started, with pipes at its standard input and output and `/dev/null` at its
/// standard error.
///
/// It runs in its own process group, with the environment that the caller chooses and no other open file.
/// One thread owns the value. Deinitialisation closes both pipes; it does not end the process.
package struct ChildProcess: ~Copyable {
  /// How a process ended.
  package enum End: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// The process ID, which is also the ID of its group.
  package let id: Int32
  /// Writes to its standard input.
  private let input: Int32
  /// Reads from its standard output.
  private let output: Int32

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
    let toChild = try Pipe()
    let fromChild = try Pipe()
    try OpenFileLimit.requireFree(
      reserve, above: max(fromChild.readEnd, fromChild.writeEnd, toChild.writeEnd))
    id = try Self.spawn(
      program, arguments, environment, input: toChild.readEnd, output: fromChild.writeEnd)
    input = toChild.keepWriteEnd()
    output = fromChild.keepReadEnd()
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    close(input)
    close(output)
  }

  private static func spawn(
    _ program: BytePath, _ arguments: [String], _ environment: [String], input: Int32,
    output: Int32
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
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
    for signal in [SIGPIPE, SIGXFSZ, SIGALRM] { unsafe sigaddset(&signals, signal) }
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
    // poll(2) ignores negative descriptors.
    var entries = [
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forOutput ? output : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forInput ? input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    let found = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    if found < 0, errno != EINTR {
      // The kernel lacks memory: try both pipes, which do not block.
      usleep(10_000)
      return Readiness(hasOutput: forOutput, takesInput: forInput)
    }
    guard found > 0 else { return Readiness() }
    if entries[0].revents != 0 { wake.clear() }
    return Readiness(hasOutput: entries[1].revents != 0, takesInput: entries[2].revents != 0)
  }

  /// Up to `count` bytes of its output; empty at the end, nil if there are none yet.
  package func read(upTo count: Int) -> [UInt8]? {
    var isEmpty = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let got = unsafe Glibc.read(output, buffer.baseAddress, count)
      filled = max(0, got)
      isEmpty = got < 0 && (errno == EAGAIN || errno == EINTR)
    }
    return isEmpty ? nil : bytes
  }

  /// Writes as much of its input as it accepts now.
  ///
  /// - Returns: the number of bytes written; nil if the process has closed its input.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(input, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    return errno == EPIPE ? nil : 0
  }

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

/// The two ends of a pipe; each is closed with this value unless it is kept.
private struct Pipe: ~Copyable {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("pipe") }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    for end in [readEnd, writeEnd] where end >= 0 { close(end) }
  }

  /// The write end; the read end is closed.
  consuming func keepWriteEnd() -> Int32 {
    defer { writeEnd = -1 }
    return writeEnd
  }

  /// The read end; the write end is closed.
  consuming func keepReadEnd() -> Int32 {
    defer { readEnd = -1 }
    return readEnd
  }
}

/// Calls `body` with strings as a NULL-terminated list of C strings.
private func withCStrings<Result>(
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
/// - Throws: `EAGAIN` if no more threads can be created.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
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
  unsafe pthread_attr_setstacksize(&attributes, 512 << 10)
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
