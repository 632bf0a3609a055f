import Linux
import ShoeboxKit
import Synchronization
import Terminal

/// Shows the progress of a scan or an export: a bar on a terminal, otherwise an occasional line.
struct ProgressDisplay: Sendable {
  let isTerminal: Bool

  /// Without a terminal, a short scan prints nothing, and a long one a line a minute.
  var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(60) }

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
      group.addTask {
        var hasShown = false
        while (try? await Task.sleep(for: interval)) != nil {
          guard let event = latest.value else { continue }
          show(line(event))
          hasShown = true
        }
        guard hasShown, let last = latest.value else { return }
        // What is printed next takes the bar's place. A log ends with how it ended.
        show(isTerminal ? "" : line(last))
      }
      // The first task ends with the events.
      await group.next()
      group.cancelAll()
    }
  }

  func show(_ line: String) {
    // A line that is too long would wrap, and its beginning would remain on the terminal.
    let width = StandardStream.error.width ?? 80
    let text = isTerminal ? "\r\u{1B}[K\(line.keepingBeginning(columns: width - 1))" : line + "\n"
    // A failure to show progress does not end the scan.
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

  func bar(_ part: Int, of whole: Int) -> String {
    let width = 24
    let filled = whole > 0 ? Int(Double(part) / Double(whole) * Double(width)) : 0
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: width - filled) + "]"
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

/// Estimates the remaining time of a scan from its recent speed. Unchanged files are a hundred times faster than new
/// ones, so an average over the whole scan would be misleading.
struct RemainingTime {
  /// Files a second of late.
  private(set) var rate = 0.0
  private let start: ContinuousClock.Instant
  private var last: (settled: Int, time: ContinuousClock.Instant)
  /// Seconds over which the rate forgets.
  private static let memory = 10.0

  init(start: ContinuousClock.Instant) {
    self.start = start
    last = (0, start)
  }

  mutating func note(settled: Int, at time: ContinuousClock.Instant) {
    let seconds = (time - last.time) / .seconds(1)
    guard seconds > 0 else { return }
    let current = Double(settled - last.settled) / seconds
    let elapsed = (time - start) / .seconds(1)
    // At the beginning, the average over the whole time.
    let weight = min(1, seconds / min(Self.memory, max(elapsed, seconds)))
    rate += (current - rate) * weight
    last = (settled, time)
  }

  /// Seconds; nil before anything can be said.
  func remaining(of total: Int) -> Double? {
    guard rate > 0, total > last.settled, (last.time - start) >= .seconds(1) else { return nil }
    return Double(total - last.settled) / rate
  }
}
