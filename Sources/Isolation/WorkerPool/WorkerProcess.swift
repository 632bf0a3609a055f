import Linux
import MediaModel
import Synchronization
import WorkerProtocol

/// One running codec process, served by its own thread.
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
    /// How long to wait for a killed process to end.
    static let grace = Duration.seconds(2)
    /// How long the current file may take after an interruption.
    static let interruption = Duration.seconds(5)
    /// Bytes of output to buffer. More are read only while a frame is waited for.
    static let readAhead = 1 << 20
    /// Files that `shoebox` must be able to open while processes run.
    static let descriptorReserve = 12
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
    /// Input that the process has not accepted yet.
    var input: [UInt8] = []
    var mustDie = false
    /// When the current work exceeds its time limit; nil without current work.
    var deadline: SuspendingClock.Instant?
    var hasExpired = false
    var end: End?
    /// Waits for ``end``.
    var closer: CheckedContinuation<End, Never>?
  }

  private let state = Mutex(State())
  private let wake: WakeUp
  private let step: Duration
  private let interruptionLimit: Duration
  /// Checked on the thread, which is not part of the task.
  private let cancellation = GracefulCancellation.current

  /// Starts a codec process. If that fails, the error is reported as its ``End``.
  ///
  /// - Throws: `SystemError` if this process lacks descriptors or threads.
  init(
    _ program: BytePath, arguments: [String], limit: Duration, pool: CodecPool
  ) throws(SystemError) {
    wake = try WakeUp()
    step = min(pool.fileTimeout / 8, Limits.step)
    interruptionLimit = pool.stopsAtOnce ? .zero : Limits.interruption
    start(limit: limit)
    try startThread { self.run(program, arguments) }
  }

  // MARK: Called by the pool

  /// Starts a time limit for the work that begins now.
  func start(limit: Duration) {
    state.withLock { $0.deadline = .now + limit }
  }

  /// Removes the time limit.
  func rest() {
    state.withLock { $0.deadline = nil }
  }

  /// Whether the time limit was exceeded.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Sends bytes. A process that has ended is noticed by the missing reply.
  func send(_ bytes: [UInt8]) {
    state.withLock { $0.input += bytes }
    wake()
  }

  /// The next frame; nil if the process has ended or sent an invalid frame.
  func nextFrame() async -> [UInt8]? {
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
        state.bufferedBytes -= frame.count
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
        if !isThere { state.reader = continuation }
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

  private func run(_ program: BytePath, _ arguments: [String]) {
    do {
      let process = try ChildProcess(
        program, arguments: arguments, environment: ["SWIFT_BACKTRACE=enable=no"],
        reserve: Limits.descriptorReserve)
      settle(serve(process))
    } catch {
      settle(.notStarted(error))
    }
  }

  private func settle(_ end: End) {
    let (reader, closer) = state.withLock { state in
      state.isOver = true
      state.end = end
      defer { (state.reader, state.closer) = (nil, nil) }
      return (state.reader, state.closer)
    }
    reader?.resume()
    closer?.resume(returning: end)
  }

  /// Serves the process until it has ended or is abandoned.
  private func serve(_ process: borrowing ChildProcess) -> End {
    var hasOutput = true
    /// When to abandon the process, once it was killed.
    var giveUpTime: ContinuousClock.Instant?
    var interruptionTime: SuspendingClock.Instant?
    /// How long to wait before the next check for its end, which follows its last output after a moment.
    var pause = Duration.microseconds(500)
    while true {
      if !hasOutput, let end = process.end() { return End(end) }
      let isEnding = !hasOutput || giveUpTime != nil
      if isEnding { pause = min(pause * 2, .milliseconds(100)) }
      let goal = nextWaitGoal()
      let wait = isEnding ? pause : min(goal.timeLeft, step)
      let begin = SuspendingClock.now
      let ready = process.wait(
        forOutput: hasOutput && goal.wantsOutput, forInput: goal.hasInput, wake: wake,
        milliseconds: Int32(clamping: max(1, Int(wait / .milliseconds(1)))))
      // If this thread overslept, the process group was stopped (Ctrl-Z) and could not read replies.
      let overslept = begin.duration(to: .now) - wait
      if overslept > step * 2 {
        state.withLock { state in state.deadline = state.deadline.map { $0 + overslept } }
      }
      if ready.hasOutput, let bytes = process.read(upTo: 64 << 10) {
        hasOutput = !bytes.isEmpty
        add(bytes)
      }
      if ready.takesInput { feed(process) }
      if interruptionTime == nil, cancellation?.isRequested == true {
        interruptionTime = .now + interruptionLimit
      }
      if giveUpTime == nil, mustEnd(interruptionTime) {
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
    /// The time until the limit.
    var timeLeft: Duration
  }

  private func nextWaitGoal() -> WaitGoal {
    state.withLock { state in
      let wantsOutput = state.reader != nil || state.bufferedBytes < Limits.readAhead
      state.isPaused = !wantsOutput
      let timeLeft = state.deadline.map { SuspendingClock.now.duration(to: $0) } ?? step
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
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  private func feed(_ process: borrowing ChildProcess) {
    let input = state.withLock { $0.input }
    let taken = process.write(input[...])
    state.withLock { state in
      guard let taken else { return state.input.removeAll() }
      state.input.removeFirst(taken)
    }
  }

  /// Whether to kill the process now.
  private func mustEnd(_ interruptionTime: SuspendingClock.Instant?) -> Bool {
    state.withLock { state in
      if state.mustDie { return true }
      guard let deadline = state.deadline else { return false }
      if .now > deadline {
        state.hasExpired = true
        return true
      }
      return interruptionTime.map { .now > $0 } ?? false
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
