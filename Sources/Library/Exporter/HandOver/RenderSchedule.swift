import Synchronization

/// The order in which files are made, within the cores and the memory that may be used.
///
/// The longest work comes first, so that no long movie is left when everything else is done. A file that is more than its
/// share of all the work gets several threads from the beginning, and fewer files are made beside it: the threads of all
/// files together are never more than the cores. A file that needs more memory than is free waits, and smaller ones go
/// before it; if it needs more than there is at all, it is made alone.
struct RenderSchedule<File: Sendable, Job: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  /// A file to make.
  struct Entry: Sendable {
    var file: File
    /// The files of one item follow each other.
    var item: Int
    var cost: ExpectedCost
    /// Whether it can use several threads.
    var isDivisible: Bool
  }

  /// What a running file uses.
  struct Share: Sendable {
    fileprivate var threads: Int
    fileprivate var memory: UInt64
  }

  private struct State {
    /// The next one is the last.
    var waiting: [Entry]
    /// Seconds of work of those that wait.
    var seconds: Double
    var running = 0
    var threads = 0
    var memory: UInt64 = 0
  }

  private final class Shared: Sendable {
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }
  }

  private let cores: Int
  private let memory: UInt64
  private let isStopped: @Sendable () -> Bool
  private let begin: @Sendable (File, _ threads: Int, Share) -> Job?
  private let shared: Shared
  /// How long to wait before looking again for free cores and memory.
  private let pause = Duration.milliseconds(20)

  /// - Parameters:
  ///   - cores: how many threads may work at once.
  ///   - memory: bytes that all files together may use.
  ///   - isStopped: whether nothing more is to be begun.
  ///   - begin: prepares a file for making with this number of threads; nil if it is not made after all. What is
  ///     begun has to be given to ``finish(_:)`` at its end.
  init(
    _ entries: [Entry], cores: Int, memory: UInt64,
    isStopped: @escaping @Sendable () -> Bool,
    begin: @escaping @Sendable (File, _ threads: Int, Share) -> Job?
  ) {
    self.cores = Swift.max(1, cores)
    self.memory = memory
    self.isStopped = isStopped
    self.begin = begin
    shared = Shared(
      State(
        waiting: Self.ordered(entries).reversed(),
        seconds: entries.reduce(0) { $0 + $1.cost.seconds }))
  }

  /// Short work stays in the order of the plan, which is that of the disk.
  private static func ordered(_ entries: [Entry]) -> [Entry] {
    var costs: [Int: Double] = [:]
    for entry in entries { costs[entry.item, default: 0] += entry.cost.seconds }
    let keys = entries.map { Swift.max(costs[$0.item] ?? 0, shortest) }
    return entries.indices.sorted { (keys[$1], $0) < (keys[$0], $1) }.map { entries[$0] }
  }

  /// Seconds of work that need no order.
  private static var shortest: Double { 5 }

  /// How many files are examined for one that fits into the memory that is free.
  private static var window: Int { 64 }

  /// Frees what a file has used.
  func finish(_ share: Share) {
    shared.state.withLock { state in
      state.running -= 1
      state.threads -= share.threads
      state.memory -= share.memory
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let schedule: RenderSchedule

    mutating func next(isolation actor: isolated (any Actor)?) async -> [Job]? {
      await schedule.next()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(schedule: self) }

  private enum Choice {
    case entry(Entry, Share)
    /// What is running has to end first.
    case wait
    case end
  }

  private func next() async -> [Job]? {
    while !isStopped() {
      switch shared.state.withLock({ choose(from: &$0) }) {
      case .end: return nil
      case .entry(let entry, let share):
        if let job = begin(entry.file, share.threads, share) { return [job] }
        finish(share)
      case .wait:
        do {
          try await Task.sleep(for: pause)
        } catch {
          return nil
        }
      }
    }
    return nil
  }

  private func choose(from state: inout State) -> Choice {
    if state.waiting.isEmpty { return .end }
    for index in state.waiting.indices.suffix(Self.window).reversed() {
      let entry = state.waiting[index]
      let free = memory > state.memory ? memory - state.memory : 0
      guard state.running == 0 || entry.cost.memory <= free else { continue }
      let threads = threads(for: entry, in: state)
      guard state.threads + threads <= cores else {
        // A long movie waits for its cores; nothing shorter may take them again and again.
        return .wait
      }
      let share = Share(threads: threads, memory: entry.cost.memory)
      state.waiting.remove(at: index)
      state.seconds -= entry.cost.seconds
      state.running += 1
      state.threads += threads
      state.memory += share.memory
      return .entry(entry, share)
    }
    return .wait
  }

  /// As many threads as cores correspond to its share of the work that is left, and those for which no file is left or
  /// no memory.
  private func threads(for entry: Entry, in state: State) -> Int {
    guard entry.isDivisible, cores > 1 else { return 1 }
    let share = entry.cost.seconds / Swift.max(state.seconds, entry.cost.seconds, 0.001)
    let byWork = Int((share * Double(cores) - 0.1).rounded(.up))
    let byCount = cores / Swift.max(1, Swift.min(cores, state.waiting.count + state.running))
    let fitting = entry.cost.memory > 0 ? memory / entry.cost.memory : UInt64(cores)
    let byMemory = cores / Swift.max(1, Int(clamping: Swift.min(fitting, UInt64(cores))))
    return Swift.min(cores, Swift.max(1, byWork, byCount, byMemory))
  }
}
