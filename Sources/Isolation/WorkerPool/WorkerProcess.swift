import Linux
import MediaModel
import Synchronization
import WorkerProtocol

/// One running worker, served by its own thread.
///
/// The thread starts the process, moves bytes in both directions, enforces the time limit and reaps the
/// process. It waits at most ``Limits/grace`` for a process that it has killed. A process that a broken disk
/// blocks in the kernel cannot be ended, and is abandoned (``StuckProcesses``).
///
/// The time limit does not advance while the machine sleeps, as the process sleeps too.
final class WorkerProcess: Sendable {
  /// How a process ended.
  enum End: Sendable {
    /// It could not be started.
    case notStarted(SystemError)
    case exited(Int32)
    case signaled(Int32)
    /// It was killed and still exists.
    case stuck
  }

  enum Limits {
    /// How often the thread checks the time limit and for an interruption, at least.
    static let step = Duration.milliseconds(250)
    /// How long to let output gather after some was read. The small replies of a batch follow each other within
    /// microseconds; to wake for each costs more than the reply.
    static let gathering = Duration.milliseconds(1)
    /// How long to wait for a killed process to end.
    static let grace = Duration.seconds(2)
    /// How long the current file may take after an interruption.
    static let interruption = Duration.seconds(5)
    /// Bytes of output to buffer. More are read only while a frame is waited for.
    static let readAhead = 1 << 20
    /// Files that `shoebox` must be able to open while processes run.
    static let descriptorReserve = 12
  }

  /// Bytes for the process, and the open files that are sent with the first of them.
  private struct Message {
    var bytes: ArraySlice<UInt8>
    var files: [SharedFile]
  }

  private struct State {
    /// Output that is not consumed yet, and its number of bytes.
    var frames = FrameBuffer()
    var bufferedBytes = 0
    /// Whether bytes have arrived since the last check for a frame.
    var hasNews = false
    /// Whether the output has ended.
    var isOver = false
    /// Waits for ``hasNews`` or ``isOver``.
    var reader: CheckedContinuation<Void, Never>?
    /// Whether the thread currently reads no output.
    var isPaused = false
    /// Messages that the process has not accepted completely.
    var input: [Message] = []
    var mustDie = false
    /// When the awaited output or the next work is overdue; nil while nothing is waited for. What arrived and was not
    /// taken yet, because this program is short of processor time, is not the worker's delay.
    var deadline: SuspendingClock.Instant?
    /// The rest of the time limit of the next frame, once a part of the frame has arrived.
    var timeLeft = Duration.zero
    var isIdle = false
    /// That of the task which the process works for.
    var cancellation: GracefulCancellation?
    /// When to end the process after an interruption.
    var interruptionTime: SuspendingClock.Instant?
    var hasExpired = false
    var end: End?
    /// Waits for ``end``.
    var closer: CheckedContinuation<End, Never>?

    var isAlive: Bool { end == nil && !mustDie && !hasExpired && !isOver }

    /// The one that waits for output, if any: its wait ends now.
    mutating func takeReader() -> CheckedContinuation<Void, Never>? {
      guard let reader else { return nil }
      if let deadline { timeLeft = SuspendingClock.now.duration(to: deadline) }
      (self.reader, deadline) = (nil, nil)
      return reader
    }
  }

  private let state = Mutex(State())
  private let wake: WakeUp
  private let step: Duration
  private let interruptionLimit: Duration
  /// The levels of the sandbox that the process has reported; nil before its greeting.
  private let greeting = Mutex<SandboxState?>(nil)

  /// Starts a worker. If that fails, the error is reported as its ``End``.
  ///
  /// - Throws: `SystemError` if this process lacks descriptors or threads.
  init(_ kind: WorkerKind, _ configuration: WorkerConfiguration) throws(SystemError) {
    wake = try WakeUp()
    step = min(configuration.fileTimeout / 8, Limits.step)
    interruptionLimit = configuration.stopsAtOnce ? .zero : Limits.interruption
    _ = beginWork()
    try startThread {
      self.run(configuration.executable(kind), configuration.arguments, kind.environment)
    }
  }

  // MARK: Called by the pool

  /// Has the process wait for other work, and end if there is none for some time.
  func rest(atMost time: Duration) {
    state.withLock { state in
      state.deadline = .now + time
      state.isIdle = true
      state.cancellation = nil
    }
    wake()
  }

  /// Assigns the process to the current task.
  ///
  /// - Returns: false if it has ended, or is about to.
  func beginWork() -> Bool {
    // The thread, which checks it, is not part of the task.
    let cancellation = GracefulCancellation.current
    return state.withLock { state in
      guard state.isAlive else { return false }
      state.deadline = nil
      state.isIdle = false
      state.cancellation = cancellation
      state.interruptionTime = nil
      return true
    }
  }

  /// Whether it runs and may continue to.
  var isAlive: Bool { state.withLock(\.isAlive) }

  var sandbox: SandboxState? { greeting.withLock { $0 } }

  func greet(_ sandbox: SandboxState) { greeting.withLock { $0 = sandbox } }

  /// Whether the time limit was exceeded.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Sends bytes and open files. A process that has ended is noticed by the missing reply.
  func send(_ bytes: [UInt8], _ files: [SharedFile]) {
    state.withLock { state in
      // More replies than requests: the next one would be taken for a reply to this request.
      if state.bufferedBytes > 0 { state.mustDie = true }
      state.input.append(Message(bytes: bytes[...], files: files))
    }
    wake()
  }

  /// The next frame; nil if the process has ended, sent an invalid frame, or let the caller wait for too long.
  ///
  /// - Parameter limit: how long to wait for the process. Other delays of the caller do not count.
  func nextFrame(within limit: Duration) async -> [UInt8]? {
    state.withLock { $0.timeLeft = limit }
    while true {
      switch state.withLock({ Self.take(from: &$0) }) {
      case .frame(let frame): return frame
      case .gone: return nil
      case .nothing: await waitForOutput()
      }
    }
  }

  private enum Found {
    case frame([UInt8])
    case gone
    case nothing
  }

  private static func take(from state: inout State) -> Found {
    do {
      if let frame = try state.frames.next() {
        state.bufferedBytes -= FrameBuffer.headerLength + frame.count
        return .frame(frame)
      }
    } catch {
      return .gone
    }
    if state.isOver { return .gone }
    state.hasNews = false
    return .nothing
  }

  private func waitForOutput() async {
    await withCheckedContinuation { continuation in
      let (isThere, isPaused) = state.withLock { state in
        let isThere = state.hasNews || state.isOver
        if !isThere {
          state.reader = continuation
          state.deadline = .now + state.timeLeft
        }
        return (isThere, state.isPaused)
      }
      if isThere { continuation.resume() }
      if isPaused { wake() }
    }
  }

  /// Requests that the process be killed; the thread reaps it.
  func kill() {
    state.withLock { $0.mustDie = true }
    wake()
  }

  /// Has the process killed if it still runs, and waits until it has ended or is abandoned.
  func finish() async -> End {
    kill()
    return await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.closer = continuation }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }

  // MARK: On the thread

  private func run(_ program: BytePath, _ arguments: [String], _ environment: [String]) {
    do {
      let process = try ChildProcess(
        program, arguments: arguments, environment: environment, reserve: Limits.descriptorReserve)
      settle(serve(process))
    } catch {
      settle(.notStarted(error))
    }
  }

  private func settle(_ end: End) {
    let (reader, closer) = state.withLock { state in
      state.isOver = true
      state.end = end
      state.input = []
      defer { state.closer = nil }
      return (state.takeReader(), state.closer)
    }
    reader?.resume()
    closer?.resume(returning: end)
  }

  /// Serves the process until it has ended or is abandoned.
  private func serve(_ process: borrowing ChildProcess) -> End {
    var hasOutput = true
    var hasJustRead = false
    /// When to abandon the process, once it was killed.
    var giveUpTime: ContinuousClock.Instant?
    /// How long to wait before the next check for its end, which follows its last output after a moment.
    var pause = Duration.microseconds(500)
    while true {
      if !hasOutput, let end = process.end() { return End(end) }
      let isEnding = !hasOutput || giveUpTime != nil
      if isEnding { pause = min(pause * 2, .milliseconds(100)) }
      let goal = nextWaitGoal()
      let isGathering = hasJustRead && !isEnding
      hasJustRead = false
      let wait = isEnding ? pause : isGathering ? Limits.gathering : goal.timeLeft
      let begin = SuspendingClock.now
      let ready = process.wait(
        forOutput: hasOutput && goal.wantsOutput && !isGathering, forInput: goal.hasInput,
        wake: wake,
        milliseconds: Int32(clamping: max(1, Int(wait / .milliseconds(1)))))
      // If this thread overslept, the process group was stopped (Ctrl-Z) and could not read replies.
      let overslept = begin.duration(to: .now) - wait
      if overslept > step * 2 {
        state.withLock { state in state.deadline = state.deadline.map { $0 + overslept } }
      }
      if ready.hasOutput, let bytes = process.read(upTo: 64 << 10) {
        hasOutput = !bytes.isEmpty
        hasJustRead = true
        add(bytes)
      }
      if ready.takesInput { feed(process) }
      if giveUpTime == nil, mustEnd() {
        process.kill()
        giveUpTime = .now + Limits.grace
      }
      if let giveUpTime, .now > giveUpTime {
        if let end = process.end() { return End(end) }
        StuckProcesses.add(process.id)
        return .stuck
      }
    }
  }

  /// What the thread waits for.
  private struct WaitGoal {
    var wantsOutput: Bool
    var hasInput: Bool
    /// The time until the limit or the next check.
    var timeLeft: Duration
  }

  private func nextWaitGoal() -> WaitGoal {
    state.withLock { state in
      let wantsOutput = state.reader != nil || state.bufferedBytes < Limits.readAhead
      state.isPaused = !wantsOutput
      var timeLeft = state.deadline.map { SuspendingClock.now.duration(to: $0) } ?? step
      // An idle process belongs to no task that might be cancelled.
      if !state.isIdle { timeLeft = min(timeLeft, step) }
      return WaitGoal(
        wantsOutput: wantsOutput, hasInput: !state.input.isEmpty, timeLeft: timeLeft)
    }
  }

  private func add(_ bytes: [UInt8]) {
    let reader = state.withLock { state in
      state.frames.append(bytes)
      state.bufferedBytes += bytes.count
      state.hasNews = true
      if bytes.isEmpty { state.isOver = true }
      return state.takeReader()
    }
    reader?.resume()
  }

  private func feed(_ process: borrowing ChildProcess) {
    guard let message = state.withLock({ $0.input.first }) else { return }
    let taken = process.send(message.bytes, with: message.files)
    state.withLock { state in
      guard let taken else { return state.input.removeAll() }
      guard taken > 0 else { return }
      // The process has them now.
      state.input[0].files = []
      state.input[0].bytes = state.input[0].bytes.dropFirst(taken)
      if state.input[0].bytes.isEmpty { state.input.removeFirst() }
    }
  }

  /// Whether to kill the process now.
  private func mustEnd() -> Bool {
    state.withLock { state in
      if state.mustDie { return true }
      if state.interruptionTime == nil, state.cancellation?.isRequested == true {
        state.interruptionTime = .now + interruptionLimit
      }
      guard let deadline = state.deadline else { return false }
      if .now > deadline {
        state.hasExpired = true
        return true
      }
      return state.interruptionTime.map { .now > $0 } ?? false
    }
  }
}

extension WorkerProcess.End {
  fileprivate init(_ end: ChildProcess.End) {
    switch end {
    case .exited(let status): self = .exited(status)
    case .signaled(let signal): self = .signaled(signal)
    }
  }
}

/// Processes that were killed but still exist, because a disk or network share that does not respond blocks
/// them in the kernel.
enum StuckProcesses {
  /// The number of stuck processes at which no further process is started. Each file on a disk that does not
  /// respond costs one.
  static let limit = 8

  private static let processes = Mutex<[Int32]>([])

  static func add(_ process: Int32) {
    processes.withLock { $0.append(process) }
  }

  /// The current number; processes that have ended meanwhile are reaped.
  static var count: Int {
    processes.withLock { processes in
      processes.removeAll { ChildProcess.end(of: $0) != nil }
      return processes.count
    }
  }
}
