import Linux
import MediaModel
import WorkerProtocol

/// The exchange of frames with one running worker.
struct Conversation {
  private let process: WorkerProcess
  private let fileTimeout: Duration
  /// The levels of the sandbox that the process has.
  let sandbox: SandboxState

  /// Reads the process's greeting, if it is new; nil if it ends before sending one.
  static func open(
    with process: WorkerProcess, _ kind: WorkerKind, _ workers: MediaWorkers
  ) async throws -> Conversation? {
    let timeout = workers.configuration.fileTimeout
    if let sandbox = process.sandbox {
      return Conversation(process: process, fileTimeout: timeout, sandbox: sandbox)
    }
    guard let greeting = await process.nextFrame(within: MediaWorkers.startTimeout) else {
      return nil
    }
    guard let hello = try? Hello(payload: greeting), hello.version == workerProtocolVersion else {
      throw WorkerError.otherVersion(workers.configuration.executable(kind))
    }
    try workers.check(hello.sandbox)
    process.greet(hello.sandbox)
    return Conversation(process: process, fileTimeout: timeout, sandbox: hello.sandbox)
  }

  /// Sends a request. A process that has ended is noticed by the missing reply.
  ///
  /// - Parameter files: as ``WorkerRequest/fileCount`` says.
  func send(_ request: WorkerRequest, _ files: [SharedFile]) {
    process.send(FrameBuffer.frame(request.payload), files)
  }

  /// The next reply; nil if the process has ended or sent an invalid frame.
  func receive() async -> [UInt8]? {
    await process.nextFrame(within: fileTimeout)
  }

  /// Gives the process up: it still works on requests, but the replies are not needed.
  func abandon() {
    process.kill()
  }
}

/// How a conversation ended.
enum ConversationOutcome<Value: Sendable>: Sendable {
  case value(Value)
  /// The process ended or was stopped before there was a value.
  case lost(LostProcess)
}

/// A worker that ended before its work was done.
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
  func startFailure(_ executable: BytePath) -> WorkerError {
    hasTimedOut ? .doesNotGreet(executable) : .doesNotStart(executable)
  }

  /// Why the current file has no reply.
  var failure: ProbeFailure {
    switch end {
    case .stuck: return .unresponsive
    case _ where hasTimedOut:
      return ProbeFailure(.timedOut, "Reading timed out and was stopped.")
    case .signaled(let signal):
      let cause = SystemError.signalName(signal)
      return ProbeFailure(.crashed, "The worker crashed on it (\(cause)).")
    case .exited(let code):
      return ProbeFailure(
        .crashed, "The worker failed on it (exit status \(code)).")
    case .notStarted(let error):
      return ProbeFailure(.crashed, "The worker does not start (\(error)).")
    }
  }
}

extension ProbeFailure {
  /// The failure for a file whose disk blocks a process or thread.
  static let unresponsive = ProbeFailure(
    .timedOut, "Reading timed out: its disk or network share does not respond.")
}

extension MediaWorkers {
  /// The time limit for the greeting: on a busy machine loading the libraries takes a while.
  static let startTimeout = Duration.seconds(10)

  /// Communicates with a worker, which is started if none is idle. The process is ended when it takes too long, when
  /// `body` throws, and on cancellation; otherwise it waits for other work.
  ///
  /// - Parameter body: returns nil if it noticed that the process has ended.
  /// - Throws: ``WorkerError`` if a process cannot be started, and the errors of `body`.
  func converse<Value: Sendable>(
    with kind: WorkerKind, priority: WorkPriority = .background,
    _ body: (Conversation) async throws -> Value?
  ) async throws -> ConversationOutcome<Value> {
    let slots = slots(of: kind)
    try await slots.acquire(priority)
    defer { slots.release() }
    let process = try takeIdle(kind) ?? start(kind)
    return try await withTaskCancellationHandler {
      var hasStarted = false
      let value: Value?
      do {
        let conversation = try await Conversation.open(with: process, kind, self)
        if let conversation {
          hasStarted = true
          value = try await body(conversation)
        } else {
          value = nil
        }
      } catch {
        _ = await process.finish()
        throw error
      }
      if let value {
        keep(process, kind)
        return .value(value)
      }
      let hasTimedOut = process.hasExpired
      let end = await process.finish()
      if case .notStarted(let error) = end { throw startError(error, kind) }
      // The program says by its exit status that it does not enter its sandbox.
      if !hasStarted, end.isRefusal { throw WorkerError.notConfined("a level of the sandbox") }
      return .lost(LostProcess(hasStarted: hasStarted, end: end, hasTimedOut: hasTimedOut))
    } onCancel: {
      process.kill()
    }
  }

  private func start(_ kind: WorkerKind) throws -> WorkerProcess {
    let stuck = StuckProcesses.count
    guard stuck < StuckProcesses.limit else { throw WorkerError.tooManyStuck(stuck) }
    try checkProgram(configuration.executable(kind))
    do {
      return try WorkerProcess(kind, configuration)
    } catch {
      throw WorkerError.noResources(error.reason)
    }
  }

  private func checkProgram(_ executable: BytePath) throws(WorkerError) {
    let status: FileStatus.Kind
    do {
      status = try FileStatus(of: executable, followingLinks: true).kind
    } catch {
      throw error.isNotFound ? .notFound(executable) : .unreachable(executable, error.reason)
    }
    guard status == .regular else { throw .notFound(executable) }
  }

  /// The error for a process that could not be started.
  private func startError(_ error: SystemError, _ kind: WorkerKind) -> WorkerError {
    error.isShortage
      ? .noResources(error.reason) : .notStarted(configuration.executable(kind), error.reason)
  }
}

extension WorkerProcess.End {
  /// Whether a worker has ended itself because it does not get the sandbox that it must have.
  fileprivate var isRefusal: Bool {
    if case .exited(77) = self { true } else { false }
  }
}
