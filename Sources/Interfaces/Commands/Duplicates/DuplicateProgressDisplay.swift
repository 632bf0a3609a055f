import Linux
import ShoeboxKit
import Synchronization
import Terminal

/// Shows on a terminal how far the search for similar pictures has come.
final class DuplicateProgressDisplay: Sendable {
  private let isShown: Bool
  private let shown = Mutex(ContinuousClock.now - .seconds(1))

  init(isShown: Bool) { self.isShown = isShown }

  func show(_ progress: DuplicateProgress) {
    guard isShown else { return }
    let isDue = shown.withLock { shown in
      guard .now - shown > .milliseconds(200) else { return false }
      shown = .now
      return true
    }
    guard isDue else { return }
    switch progress {
    case .previews(let done, let total): write("previews", done, total)
    case .comparing(let done, let total): write("compared", done, total)
    }
  }

  func clear() {
    if isShown { write("") }
  }

  private func write(_ what: String, _ done: Int, _ total: Int) {
    write("\(what): \(humanCount(done)) of \(humanCount(total))")
  }

  private func write(_ text: String) {
    // A failure to show the progress does not end the command.
    try? StandardStream.error.write(Array("\r\u{1B}[K\(text)".utf8))
  }
}
