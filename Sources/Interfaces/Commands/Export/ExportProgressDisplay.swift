import Exporter
import MediaModel
import Terminal

extension ProgressDisplay {
  /// Follows an export until the task is cancelled.
  func follow(export progress: @Sendable () -> ExportProgress) async {
    // Converts the estimated work into remaining time. The work is estimated in seconds, which are not seconds of
    // this machine; the observed speed gives the factor. In thousandths, because the estimate uses integers.
    var estimate = RemainingTime(start: .now)
    var hasSpoken = false
    while (try? await Task.sleep(for: interval)) != nil {
      hasSpoken = true
      let current = progress()
      estimate.note(settled: Int(current.workDone * 1000), at: .now)
      show(line(current, estimate))
    }
    guard hasSpoken else { return }
    // A log ends with how it ended.
    show(isTerminal ? "" : line(progress(), RemainingTime(start: .now)))
  }

  private func line(_ progress: ExportProgress, _ estimate: RemainingTime) -> String {
    let done = Int(progress.workDone * 1000)
    let total = Int(progress.workTotal * 1000)
    let counts = "\(humanCount(progress.settled)) of \(humanCount(progress.total)) exported"
    let remaining = estimate.remaining(of: total).map { ", \(humanDuration($0)) left" } ?? ""
    guard isTerminal else { return counts + remaining }
    let line = bar(min(done, total), of: total) + " " + counts + remaining
    guard let movie = progress.movies.first else { return line }
    return line + "; " + movie.line
  }
}

extension MovieProgress {
  /// As `clip.mov 0:12 of 0:40 at 1.8×, 0:16 left`.
  fileprivate var line: String {
    let name = BytePath(bytes: source.lastComponent).display.terminalSafe
    let place = "\(name) \(humanDuration(position)) of \(humanDuration(duration))"
    guard speed > 0.01 else { return place }
    let tenths = Int(min(speed, 1000) * 10)
    let left = humanDuration(max(0, duration - position) / speed)
    return place + " at \(tenths / 10).\(tenths % 10)×, \(left) left"
  }
}
