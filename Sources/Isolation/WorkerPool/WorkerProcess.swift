import Linux
import MediaModel
import Synchronization
import WorkerProtocol

/// One running codec process, served by a thread of its own.
///
/// The thread starts the process, moves bytes in both directions, watches the clock and reaps. It never waits
/// longer than ``Limits/grace`` for a process that it has killed: one that a broken disk holds inside the
/// kernel cannot be ended, and is left behind (``StuckProcesses``).
///
/// The clock does not run while the machine sleeps: the process that is watched sleeps too.
final class WorkerProcess: Sendable {
  /// How a process ended.
  enum End: Sendable {
    /// It could not be started.
    case notStarted(SystemError)
    case exited(Int32)
    case signaled(Int32)
    /// It was killed and is still there.
    case stuck
  }

  enum Limits {
    /// How often the thread looks at the clock and for an interruption, at least.
    static let step = Duration.milliseconds(250)
    /// How long a process may take to disappear after it was killed.
    static let grace = Duration.seconds(2)
    /// How long the file that is under way may take after an interruption.
    static let interruption = Duration.seconds(5)
    /// Bytes of output that are kept for later. More are read only when a frame is waited for.
    static let readAhead = 1 << 20
    /// Files that `shoebox` must be able to open while processes run.
    static let descriptorReserve = 12
  }

  private struct State {
    /// Output that is not used yet, and how many bytes were added and taken.
    var frames = FrameBuffer()
    var bufferedBytes = 0
    /// Whether bytes came since the last look for a frame.
    var hasNews = false
    /// Whether there will be no more output.
    var isOver = false
    /// Waits for ``hasNews`` or ``isOver``.
    var reader: CheckedContinuation<Void, Never>?
    /// Whether the thread reads no output at the moment.
    var isPaused = false
    /// Input that the process has not taken yet.
    var input: [UInt8] = []
    var mustDie = false
    /// When what is under way has taken too long; nil if nothing is under way.
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

  /// Starts a codec process. A failure to start it is reported as its ``End``.
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

  // MARK: What the pool does

  /// Starts the clock: something is under way that may take this long.
  func start(limit: Duration) {
    state.withLock { $0.deadline = .now + limit }
  }

  /// Stops the clock.
  func rest() {
    state.withLock { $0.deadline = nil }
  }

  /// Whether the clock ran out.
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Sends bytes. If the process no longer listens, this is noticed when no reply comes.
  func send(_ bytes: [UInt8]) {
    state.withLock { $0.input += bytes }
    wake()
  }

  /// The next frame; nil if the process is gone or sends nonsense, which is as good as gone.
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

  /// Has the process killed; the thread reaps it.
  func kill() {
    state.withLock { $0.mustDie = true }
    wake()
  }

  /// Has the process killed, if it still runs, and waits until it has ended or is given up.
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

  // MARK: What the thread does

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

  /// Serves the process until it has ended or is given up.
  private func serve(_ process: borrowing ChildProcess) -> End {
    var hasOutput = true
    /// When it must be gone, once it was killed.
    var giveUpTime: ContinuousClock.Instant?
    var interruptionTime: SuspendingClock.Instant?
    /// How long to wait until the next look whether it has ended, which takes a moment after its last output.
    var pause = Duration.microseconds(500)
    while true {
      if !hasOutput, let end = process.end() { return End(end) }
      let isEnding = !hasOutput || giveUpTime != nil
      if isEnding { pause = min(pause * 2, .milliseconds(100)) }
      let wish = nextWish()
      let wait = isEnding ? pause : min(wish.patience, step)
      let begin = SuspendingClock.now
      let ready = process.wait(
        forOutput: hasOutput && wish.wantsOutput, forInput: wish.hasInput, wake: wake,
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
      if Interruption.isRequested, interruptionTime == nil {
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

  /// What the thread is to wait for.
  private struct Wish {
    var wantsOutput: Bool
    var hasInput: Bool
    /// How long until the clock runs out.
    var patience: Duration
  }

  private func nextWish() -> Wish {
    state.withLock { state in
      let wantsOutput = state.reader != nil || state.bufferedBytes < Limits.readAhead
      state.isPaused = !wantsOutput
      let patience = state.deadline.map { SuspendingClock.now.duration(to: $0) } ?? step
      return Wish(wantsOutput: wantsOutput, hasInput: !state.input.isEmpty, patience: patience)
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

  /// Whether the process is to be killed now.
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

/// Processes that were killed and are still there: a disk or a network share that does not answer holds them
/// inside the kernel.
enum StuckProcesses {
  /// How many there may be before no further one is started. Each file on a disk that does not answer costs
  /// one.
  static let limit = 8

  private static let processes = Mutex<[Int32]>([])

  static func add(_ process: Int32) {
    processes.withLock { $0.append(process) }
  }

  /// How many there are now; those that have ended meanwhile are reaped.
  static var count: Int {
    processes.withLock { processes in
      processes.removeAll { ChildProcess.end(of: $0) != nil }
      return processes.count
    }
  }
}
