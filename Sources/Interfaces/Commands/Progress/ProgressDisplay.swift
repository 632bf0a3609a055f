import Linux
import ShoeboxKit
import Synchronization
import Terminal

/// Shows the progress of long work: a bar on a terminal, otherwise a plain line now and then. The bar, the first number
/// and the remaining time measure the same quantity.
struct ProgressDisplay: Sendable {
  let isTerminal: Bool

  /// Without a terminal, short work prints nothing, and long work a line every ten seconds.
  private var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(10) }

  private init(isTerminal: Bool) { self.isTerminal = isTerminal }

  /// Nil for a command that prints no progress.
  init?(_ global: GlobalOptions, in context: CommandContext) {
    self.init(isQuiet: global.quiet, in: context)
  }

  /// Nil for a command that prints no progress.
  init?(isQuiet: Bool, in context: CommandContext) {
    if isQuiet { return nil }
    self.init(isTerminal: context.isErrorTerminal)
  }

  /// Follows a scan to its end.
  func follow(_ scan: ScanSession) async {
    let counted = Latest<Int>()
    let counting = Latest<Task<Void, Never>>()
    let estimate = Mutex(RemainingTime(start: .now))
    await show(scan) { event in
      // Counting reads every folder, so a short scan does not count.
      if counting.value == nil {
        counting.value = Task.detached { counted.value = await scan.countFiles() }
      }
      return estimate.withLock { estimate in
        estimate.note(settled: event.filesSeen, at: .now)
        return line(event, total: counted.value, estimate)
      }
    }
    counting.value?.cancel()
  }

  /// Shows a line about the newest event at each interval, until the events end.
  func show<Event: Sendable>(
    _ events: some AsyncSequence<Event, PhotoLibraryError> & Sendable,
    line: @escaping @Sendable (Event) -> String
  ) async {
    let latest = Latest<Event>()
    await withTaskGroup { group in
      group.addTask {
        // The command reports the error that ends the work.
        do { for try await event in events { latest.value = event } } catch {}
      }
      group.addTask { await show(latest, line: line) }
      // The first task ends with the events.
      await group.next()
      group.cancelAll()
    }
  }

  /// Shows a line about the newest value at each interval, until the task is cancelled.
  fileprivate func show<Value: Sendable>(
    _ latest: Latest<Value>, line: @Sendable (Value) -> String
  ) async {
    var hasShown = false
    while (try? await Task.sleep(for: interval)) != nil {
      guard let value = latest.value else { continue }
      show(line(value))
      hasShown = true
    }
    guard hasShown, let last = latest.value else { return }
    // What is printed next takes the bar's place. A log ends with how it ended.
    show(isTerminal ? "" : line(last))
  }

  private func show(_ line: String) {
    // A line that is too long would wrap, and its beginning would remain on the terminal.
    let width = StandardStream.error.width ?? 80
    let text = isTerminal ? "\r\u{1B}[K\(line.keepingBeginning(columns: width - 1))" : line + "\n"
    // A failure to show progress does not end the work.
    try? StandardStream.error.write(Array(text.utf8))
  }

  private func line(_ event: ScanEvent, total: Int?, _ estimate: RemainingTime) -> String {
    let part: (verb: String, noun: String)
    switch event.phase {
    case .reading: return line(reading: event, total: total, estimate)
    case .settling: part = ("sorting", "groups of files")
    case .indexingTexts: part = ("indexing", "texts")
    case .comparingCopies: part = ("comparing", "possible copies")
    }
    guard event.total > 0 else { return "\(part.verb) \(part.noun)" }
    let counts = "\(humanCount(event.completed)) of \(humanCount(event.total)) \(part.noun)"
    let start = isTerminal ? bar(event.completed, of: event.total) + " " : ""
    return start + "\(part.verb) \(counts)"
  }

  private func line(
    reading event: ScanEvent, total: Int?, _ estimate: RemainingTime
  ) -> String {
    let rate = "\(humanCount(Int(estimate.rate + 0.5))) files/s"
    guard let total, total > 0 else {
      return "\(humanCount(event.filesSeen)) files, \(rate)"
    }
    let settled = min(event.filesSeen, total)
    let counts = "\(humanCount(settled)) of \(humanCount(total)) files, \(rate)"
    let remaining = estimate.remaining(of: total).map { ", \(humanDuration($0)) left" } ?? ""
    return (isTerminal ? bar(settled, of: total) + " " : "") + counts + remaining
  }

  /// A line about one quantity.
  ///
  /// - Parameters:
  ///   - number: the quantity in words, such as `3 of 12 files`.
  ///   - more: what else is known.
  func line(
    _ part: Int, of whole: Int, _ number: String, _ estimate: RemainingTime, more: String = ""
  ) -> String {
    let remaining = estimate.remaining(of: whole).map { ", \(humanDuration($0)) left" } ?? ""
    let bar = isTerminal && whole > 0 ? bar(min(part, whole), of: whole) + " " : ""
    return bar + number + remaining + (more.isEmpty ? "" : "; \(more)")
  }

  private func bar(_ part: Int, of whole: Int) -> String {
    let width = 24
    let filled = whole > 0 ? Int(Double(part) / Double(whole) * Double(width)) : 0
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: width - filled) + "]"
  }
}

/// Does work that reports its progress by calls, and shows it.
///
/// - Parameter display: nil to show nothing.
func showing<Progress: Sendable, Result: Sendable>(
  on display: ProgressDisplay?, line: @escaping @Sendable (ProgressDisplay, Progress) -> String,
  _ work: (@escaping @Sendable (Progress) -> Void) async throws -> Result
) async throws -> Result {
  let latest = Latest<Progress>()
  let following = display.map { display in
    Task { await display.show(latest) { line(display, $0) } }
  }
  do {
    let result = try await work { latest.value = $0 }
    following?.cancel()
    await following?.value
    return result
  } catch {
    following?.cancel()
    await following?.value
    throw error
  }
}

/// Does work on a number of things, one call for each that is done, and shows how many are.
///
/// - Parameter noun: what is counted, in the plural.
func counting<Result: Sendable>(
  _ noun: String, total: Int, on display: ProgressDisplay?,
  _ work: (@escaping @Sendable () -> Void) async throws -> Result
) async throws -> Result {
  let done = Mutex(0)
  let estimate = Mutex(RemainingTime(start: .now))
  return try await showing(on: display) { display, count in
    estimate.withLock { estimate in
      estimate.note(settled: count, at: .now)
      return display.line(
        count, of: total, "\(noun): \(humanCount(count)) of \(humanCount(total))", estimate)
    }
  } _: { report in
    try await work {
      done.withLock { done in
        done += 1
        report(done)
      }
    }
  }
}

/// The newest value that another task has found; nil before the first.
private final class Latest<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  var value: Value? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
