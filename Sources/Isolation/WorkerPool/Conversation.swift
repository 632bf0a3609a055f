import Linux
import MediaModel
import WorkerProtocol

/// The exchange of frames with one running codec process.
struct Conversation {
  private let process: WorkerProcess
  private let fileTimeout: Duration

  /// Reads the process's greeting; nil if it ends before sending one.
  static func open(with process: WorkerProcess, pool: CodecPool) async throws -> Conversation? {
    guard let greeting = await process.nextFrame() else { return nil }
    guard let hello = try? Hello(payload: greeting), hello.version == codecProtocolVersion else {
      throw CodecPoolError.otherVersion(pool.executable)
    }
    return Conversation(process: process, fileTimeout: pool.fileTimeout)
  }

  /// Sends a request. A process that has ended is noticed by the missing reply.
  func send(_ request: CodecRequest) {
    process.start(limit: fileTimeout)
    process.send(FrameBuffer.frame(request.payload))
  }

  /// The next reply; nil if the process has ended or sent an invalid frame.
  func receive() async -> [UInt8]? {
    process.start(limit: fileTimeout)
    let frame = await process.nextFrame()
    process.start(limit: fileTimeout)
    return frame
  }

  /// Stops the time limit between requests.
  func rest() {
    process.rest()
  }
}

/// How a conversation ended.
enum ConversationOutcome<Value: Sendable>: Sendable {
  case value(Value)
  /// The process ended or was stopped before there was a value.
  case lost(LostProcess)
}

/// A codec process that ended before its work was done.
struct LostProcess: Sendable {
  /// Whether the process sent its greeting.
  var hasStarted: Bool
  var end: WorkerProcess.End
  var hasTimedOut: Bool

  /// Whether the process was killed and still exists.
  var isStuck: Bool {
    if case .stuck = end { true } else { false }
  }

  /// The error for a process that did not start.
  func startFailure(_ executable: BytePath) -> CodecPoolError {
    hasTimedOut ? .doesNotGreet(executable) : .doesNotStart(executable)
  }

  /// Why the current file has no reply.
  var failure: ProbeFailure {
    switch end {
    case .stuck:
      return ProbeFailure(
        .timedOut, "Reading timed out: its disk or network share does not respond.")
    case _ where hasTimedOut:
      return ProbeFailure(.timedOut, "Reading timed out and was stopped.")
    case .signaled(let signal):
      let cause = SystemError.signalName(signal)
      return ProbeFailure(.crashed, "The codec program crashed on it (\(cause)).")
    case .exited(let code):
      return ProbeFailure(
        .crashed, "The codec program failed on it (exit status \(code)).")
    case .notStarted(let error):
      return ProbeFailure(.crashed, "The codec program does not start (\(error)).")
    }
  }
}

extension CodecPool {
  /// The time limit for the greeting: on a busy machine loading the libraries takes a while.
  static let startTimeout = Duration.seconds(10)

  /// Starts a codec process and communicates with it. The process is ended when `body` returns, when it
  /// takes too long, or on cancellation.
  ///
  /// - Parameters:
  ///   - isWriting: whether the process may create files.
  ///   - body: returns nil if it noticed that the process has ended.
  /// - Throws: ``CodecPoolError`` if a process cannot be started, and the errors of `body`.
  func converse<Value: Sendable>(
    isWriting: Bool = false, _ body: (Conversation) async throws -> Value?
  ) async throws -> ConversationOutcome<Value> {
    let stuck = StuckProcesses.count
    guard stuck < StuckProcesses.limit else { throw CodecPoolError.tooManyStuck(stuck) }
    try checkProgram()
    let process: WorkerProcess
    do {
      process = try WorkerProcess(
        executable, arguments: arguments(isWriting: isWriting), limit: Self.startTimeout,
        pool: self)
    } catch {
      throw CodecPoolError.noResources(error.reason)
    }
    return try await withTaskCancellationHandler {
      var hasStarted = false
      let value: Value?
      do {
        let conversation = try await Conversation.open(with: process, pool: self)
        if let conversation {
          hasStarted = true
          conversation.rest()
          value = try await body(conversation)
        } else {
          value = nil
        }
      } catch {
        _ = await process.finish()
        throw error
      }
      if let value {
        // Its work is done: nothing waits for its end.
        process.kill()
        return .value(value)
      }
      let hasTimedOut = process.hasExpired
      let end = await process.finish()
      if case .notStarted(let error) = end { throw startError(error) }
      return .lost(LostProcess(hasStarted: hasStarted, end: end, hasTimedOut: hasTimedOut))
    } onCancel: {
      process.kill()
    }
  }

  private func checkProgram() throws(CodecPoolError) {
    let kind: FileStatus.Kind
    do {
      kind = try FileStatus(of: executable, followingLinks: true).kind
    } catch {
      throw error.isNotFound ? .notFound(executable) : .unreachable(executable, error.reason)
    }
    guard kind == .regular else { throw .notFound(executable) }
  }

  /// The error for a process that could not be started.
  private func startError(_ error: SystemError) -> CodecPoolError {
    error.isShortage ? .noResources(error.reason) : .notStarted(executable, error.reason)
  }

  private func arguments(isWriting: Bool) -> [String] {
    [
      "--memory-limit", String(memoryLimit),
      "--file-timeout", String(fileTimeout.components.seconds + 1),
    ] + (isWriting ? ["--make-files"] : [])
  }
}
