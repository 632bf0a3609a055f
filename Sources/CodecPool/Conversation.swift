import CodecMessages
import MediaModel
import POSIX
import Subprocess
import Synchronization
import SystemPackage

/// The exchange of frames with one running codec process.
struct Conversation {
  typealias Process = Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>

  /// What the process said first.
  let hello: Hello
  private let process: Process
  private var output: SubprocessOutputSequence.Iterator
  private var frames: FrameBuffer
  private let watch: Watch
  private let fileTimeout: Duration

  /// Hears the process's greeting; nil if it dies before saying anything.
  static func open(
    with process: Process, watch: Watch, pool: CodecPool
  ) async throws -> Conversation? {
    var output = process.standardOutput.makeAsyncIterator()
    var frames = FrameBuffer()
    guard let greeting = try await nextFrame(from: &output, into: &frames) else { return nil }
    guard let hello = try? Hello(payload: greeting), hello.version == codecProtocolVersion else {
      throw CodecPoolError.otherVersion(pool.executable)
    }
    return Conversation(
      hello: hello, process: process, output: output, frames: frames, watch: watch,
      fileTimeout: pool.fileTimeout)
  }

  /// Sends a request; a process that no longer listens is noticed when no reply comes.
  mutating func send(_ request: CodecRequest) async throws {
    watch.start(limit: fileTimeout)
    _ = try? await process.standardInputWriter.write(FrameBuffer.frame(request.payload))
  }

  /// The next reply, or nil if the process is gone or talks nonsense, which is as good as gone.
  mutating func receive() async throws -> [UInt8]? {
    watch.start(limit: fileTimeout)
    let frame = try await Self.nextFrame(from: &output, into: &frames)
    watch.start(limit: fileTimeout)
    return frame
  }

  /// Stops the clock between requests.
  func rest() {
    watch.stop()
  }

  private static func nextFrame(
    from output: inout SubprocessOutputSequence.Iterator, into frames: inout FrameBuffer
  ) async throws -> [UInt8]? {
    while true {
      do {
        if let frame = try frames.next() { return frame }
      } catch {
        return nil
      }
      guard let chunk = try await output.next(isolation: nil) else { return nil }
      frames.append(try BytesOutput.bytes(limit: .max).output(from: chunk.bytes))
    }
  }
}

/// When the file that is being looked at was begun, shared with the task that watches the clock.
///
/// The clock stands still while the machine sleeps: the process that is watched did too.
final class Watch: Sendable {
  private struct State {
    var deadline: SuspendingClock.Instant?
    var hasExpired = false
  }
  private let state = Mutex(State())

  /// Something has been begun that may take so long.
  func start(limit: Duration) {
    state.withLock { $0.deadline = .now + limit }
  }

  /// Nothing is under way.
  func stop() {
    state.withLock { $0.deadline = nil }
  }

  /// Whether the clock ran out once.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Returns true once something has taken longer than it may, and false when the task is cancelled.
  ///
  /// - Parameter stopsAtOnce: whether it may take no longer at all once somebody interrupts.
  func waitForExpiry(lookingEvery step: Duration, stopsAtOnce: Bool) async -> Bool {
    while !Task.isCancelled {
      let begin = SuspendingClock.now
      try? await Task.sleep(for: step)
      if stopsAtOnce, Interruption.isRequested { return true }
      // Whoever overslept so far was stopped (Ctrl-Z), and could not hear what was replied.
      let overslept = begin.duration(to: .now) - step
      let isOver = state.withLock { state in
        if overslept > step * 2 { state.deadline = state.deadline.map { $0 + overslept } }
        guard let deadline = state.deadline, .now > deadline else { return false }
        state.hasExpired = true
        return true
      }
      if isOver { return true }
    }
    return false
  }
}

/// How a conversation ended: with a value, or with the process's end.
struct ConversationOutcome<Value: Sendable>: Sendable {
  /// Nil if the process died or was stopped before there was one.
  var value: Value?
  /// Whether the process lived long enough to greet.
  var hasStarted: Bool
  var status: TerminationStatus
  var hasTimedOut: Bool

  /// Why no conversation could be had with a process that did not start.
  func startFailure(_ executable: BytePath) -> CodecPoolError {
    hasTimedOut ? .doesNotGreet(executable) : .doesNotStart(executable)
  }

  /// Why the file that was under way has no reply.
  var failure: ProbeFailure {
    if hasTimedOut {
      return ProbeFailure(.timedOut, "Reading it took too long and was stopped.")
    }
    if case .signaled(let signal) = status {
      let cause = SystemError.signalName(Int32(signal))
      return ProbeFailure(.crashed, "The program that reads media crashed on it (\(cause)).")
    }
    var cause = ""
    if case .exited(let code) = status { cause = " (exit status \(code))" }
    return ProbeFailure(.crashed, "The program that reads media gave up on it\(cause).")
  }
}

extension CodecPool {
  /// How long a process may take to greet: on a busy machine loading its libraries takes a while.
  static let startTimeout = Duration.seconds(10)

  /// Starts a codec process and talks to it; when `body` is done, or the process dies or takes too
  /// long, the process is ended and its last words are returned.
  ///
  /// - Parameter body: returns nil if it noticed that the process is gone.
  func converse<Value: Sendable>(
    _ body: (inout Conversation) async throws -> Value?
  ) async throws -> ConversationOutcome<Value> {
    let program = try program()
    let watch = Watch()
    var hasStarted = false
    let result = try await run(
      .path(program), arguments: arguments, environment: environment,
      platformOptions: ownGroup,
      input: .inputWriter, output: .sequence, error: .discarded
    ) { process in
      try await withThrowingTaskGroup(of: Void.self) { group in
        let step = min(fileTimeout / 8, .milliseconds(500))
        group.addTask {
          guard await watch.waitForExpiry(lookingEvery: step, stopsAtOnce: stopsAtOnce) else {
            return
          }
          try? process.send(signal: .kill)
        }
        defer { group.cancelAll() }
        watch.start(limit: Self.startTimeout)
        let opened = try await Conversation.open(with: process, watch: watch, pool: self)
        guard var conversation = opened else { return Value?.none }
        hasStarted = true
        conversation.rest()
        let value = try await body(&conversation)
        conversation.rest()
        if value == nil { try? process.send(signal: .kill) }
        return value
      }
    }
    return ConversationOutcome(
      value: result.closureResult, hasStarted: hasStarted, status: result.terminationStatus,
      hasTimedOut: watch.hasExpired)
  }

  /// The program's path, as it is started.
  private func program() throws(CodecPoolError) -> FilePath {
    let kind: FileStatus.Kind
    do {
      kind = try FileStatus(of: executable, followingLinks: true).kind
    } catch {
      throw error.isNotFound ? .notFound(executable) : .unreachable(executable, error.reason)
    }
    guard kind == .regular else { throw .notFound(executable) }
    // What starts processes takes paths as text alone.
    guard let text = String(validating: executable.bytes, as: UTF8.self) else {
      throw .notText(executable)
    }
    return FilePath(text)
  }

  /// Ctrl-C on a terminal reaches a whole process group; in one of its own a codec process finishes the
  /// file it has begun while `shoebox` winds up.
  private var ownGroup: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  /// A crash is reported by its reply that never comes, not by pages about it.
  private var environment: Environment {
    .inherit.updating(["SWIFT_BACKTRACE": "enable=no"])
  }

  private var arguments: Arguments {
    [
      "--memory-limit", String(memoryLimit),
      "--file-timeout", String(fileTimeout.components.seconds + 1),
    ]
  }
}
