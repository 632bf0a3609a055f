/// Estimates the remaining time of work from its recent speed. Unchanged files are a hundred times faster than new
/// ones, so an average over the whole scan would be misleading.
struct RemainingTime {
  /// Units a second of late.
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
