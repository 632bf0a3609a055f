import Indexer
import Linux
import Terminal

/// Shows the progress of a scan: a bar on a terminal, otherwise an occasional line.
struct ProgressDisplay: Sendable {
  let isTerminal: Bool

  /// Without a terminal, a short scan prints nothing, and a long one a line a minute.
  var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(60) }

  /// Follows a scan until the task is cancelled.
  ///
  /// - Parameter total: counts all files, which may take a while.
  func follow(
    _ progress: @Sendable () async -> ScanProgress, total: @escaping @Sendable () -> Int?
  ) async {
    // Counting reads every folder, so a short scan does not count.
    guard (try? await Task.sleep(for: interval)) != nil else { return }
    let counting = Task.detached { total() }
    let counted = Counted()
    let waiting = Task { await counted.set(await counting.value) }
    defer {
      counting.cancel()
      waiting.cancel()
    }
    var estimate = RemainingTime(start: .now)
    while (try? await Task.sleep(for: interval)) != nil {
      let current = await progress()
      let total = await counted.value
      estimate.note(settled: current.settled, at: .now)
      show(line(current, total: total, estimate))
    }
    // The report takes the bar's place.
    if isTerminal { show("") }
  }

  func show(_ line: String) {
    // A line that is too long would wrap, and its beginning would remain on the terminal.
    let width = StandardStream.error.width ?? 80
    let text = isTerminal ? "\r\u{1B}[K\(line.keepingBeginning(columns: width - 1))" : line + "\n"
    // A failure to show progress does not end the scan.
    try? StandardStream.error.write(Array(text.utf8))
  }

  private func line(_ progress: ScanProgress, total: Int?, _ estimate: RemainingTime) -> String {
    let rate = "\(humanCount(Int(estimate.rate + 0.5))) files/s"
    guard let total, total > 0 else {
      return "\(humanCount(progress.settled)) files, \(rate)"
    }
    let settled = min(progress.settled, total)
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

/// A number that another task may find out.
private actor Counted {
  private(set) var value: Int?

  func set(_ value: Int?) {
    self.value = value
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
