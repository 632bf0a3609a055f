import Linux
import MediaModel
import ShoeboxKit
import Synchronization
import SystemPackage
import Terminal

extension CommandContext {
  /// Carries out an export and shows its progress. A signal interrupts it.
  func carryOut(
    _ session: ExportSession, _ global: GlobalOptions
  ) async throws -> ExportOutcomes {
    let display = ProgressDisplay(global, in: self)
    async let following: Void? = display?.follow(session)
    let outcome = try await cancelledBySignals { try await session.outcome }
    await following
    return outcome
  }
}

extension ExportOutcomes {
  /// The exit status of a command that has printed this.
  ///
  /// - Throws: what ended the export.
  var status: ExitStatus {
    get throws {
      if let failure { throw failure }
      if isInterrupted { return .interrupted }
      return count(.failed) > 0 ? .someFailed : .success
    }
  }
}

extension ProgressDisplay {
  /// Follows an export to its end.
  func follow(_ export: ExportSession) async {
    // Converts the estimated work into remaining time. The work is estimated in seconds, which are not seconds of
    // this machine; the observed speed gives the factor. In thousandths, because the estimate uses integers.
    let estimate = Mutex(RemainingTime(start: .now))
    await show(export) { progress in
      estimate.withLock { estimate in
        estimate.note(settled: Int(progress.workDone * 1000), at: .now)
        return line(progress, estimate)
      }
    }
  }

  private func line(_ progress: ExportEvent, _ estimate: RemainingTime) -> String {
    let done = Int(progress.workDone * 1000)
    let total = Int(progress.workTotal * 1000)
    let share = total > 0 ? Double(min(done, total)) / Double(total) : 0
    var more = "\(humanCount(progress.completed)) of \(humanCount(progress.total)) exported"
    if isTerminal, let movie = progress.videos.first { more += "; " + movie.line }
    return line(done, of: total, "\(Int(share * 100)) %", estimate, more: more)
  }
}

extension VideoProgress {
  /// As `clip.mov 0:12 of 0:40 at 1.8×, 0:16 left`.
  fileprivate var line: String {
    let name = BytePath(bytes: BytePath(path).lastComponent).display.terminalSafe
    let place = "\(name) \(humanDuration(position)) of \(humanDuration(duration))"
    guard speed > 0.01 else { return place }
    let tenths = Int(min(speed, 1000) * 10)
    let left = humanDuration(max(0, duration - position) / speed)
    return place + " at \(tenths / 10).\(tenths % 10)×, \(left) left"
  }
}
