import ShoeboxKit
import Synchronization
import Terminal

/// How far the search for similar pictures has come, in two parts with a speed each.
final class DuplicateProgressText: Sendable {
  private let estimate = Mutex((part: "", time: RemainingTime(start: .now)))

  /// The line about an event.
  func line(_ event: DuplicateProgress, on display: ProgressDisplay) -> String {
    switch event {
    case .previews(let done, let total): line("previews", done, total, display)
    case .comparing(let done, let total): line("compared", done, total, display)
    }
  }

  private func line(
    _ part: String, _ done: Int, _ total: Int, _ display: ProgressDisplay
  ) -> String {
    estimate.withLock { estimate in
      if estimate.part != part { estimate = (part, RemainingTime(start: .now)) }
      estimate.time.note(settled: done, at: .now)
      return display.line(
        done, of: total, "\(part): \(humanCount(done)) of \(humanCount(total))", estimate.time)
    }
  }
}
