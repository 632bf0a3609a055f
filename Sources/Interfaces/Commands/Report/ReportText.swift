import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// A report as text, for terminals and mails.
struct ReportText {
  let report: LibraryReport
  /// How many items of each kind are named.
  let limit: Int
  /// That of this machine's clock.
  var zone = TimeZone.current
  /// Names the period; nil for one that ends now.
  var period: String?

  /// The first line: what has happened.
  var summary: String {
    var parts = report.sections.filter { $0.changes.count > 0 }
      .map { "\(humanCount($0.changes.count)) \($0.word)" }
    if !report.newFailures.isEmpty {
      parts.append("\(humanCount(report.newFailures.count)) newly unreadable")
    }
    for folder in report.absentFolders {
      parts.append("\(BytePath(folder.path).display) \(folder.isLoss ? "lost files" : "absent")")
    }
    let problems = report.steps.filter { $0.outcome != .done && $0.name != .scan }
    parts += problems.map { "\($0.name.rawValue): \($0.summary)" }
    return parts.isEmpty ? "nothing has changed" : parts.joined(separator: ", ")
  }

  /// The beginning of the period, on this machine's clock.
  var start: String { text(report.startDate) }

  func write(to output: Output) throws {
    try output.line("\(period ?? "Since \(start)"): \(summary)".terminalSafe)
    if report.scans.isEmpty { try output.line("No scan has ended in this time.") }
    for scan in report.scans where scan.outcome != .finished {
      try output.line("The scan of \(text(scan.startDate)) was \(scan.outcome.rawValue).")
    }
    for folder in report.absentFolders { try output.line(Self.sentence(folder).terminalSafe) }
    for section in report.sections where section.changes.count > 0 {
      try output.line("")
      try output.line("\(section.title): \(humanCount(section.changes.count))")
      for change in section.changes.first.prefix(limit) {
        try output.line("  \(Self.line(change))")
      }
      try more(section.changes.count - min(limit, section.changes.first.count), to: output)
    }
    try write("Unreadable for the first time", report.newFailures, to: output)
    try write("Still unreadable", report.openFailures, to: output)
    if report.acknowledgedCount > 0 {
      try output.line("")
      try output.line("Acknowledged failures: \(humanCount(report.acknowledgedCount))")
    }
    guard let night = report.night else { return }
    try output.line("")
    try output.line("Nightly run of \(text(night.startDate))\(Self.ending(night))")
    for step in report.steps {
      try output.line("  \(step.name.rawValue): \(step.summary.terminalSafe)")
      for detail in step.details.prefix(limit) { try output.line("    \(detail.terminalSafe)") }
      if step.details.count > limit {
        try output.line("    … and \(humanCount(step.details.count - limit)) more")
      }
    }
  }

  private func write(_ title: String, _ failures: [KnownFailure], to output: Output) throws {
    guard !failures.isEmpty else { return }
    try output.line("")
    try output.line("\(title): \(humanCount(failures.count))")
    for failure in failures.prefix(limit) {
      try output.line(
        "  \(BytePath(failure.path).display.terminalSafe): \(failure.message.terminalSafe)")
    }
    try more(failures.count - limit, to: output)
  }

  private func more(_ count: Int, to output: Output) throws {
    if count > 0 { try output.line("  … and \(humanCount(count)) more") }
  }

  /// A time on this machine's clock, to the minute.
  func text(_ date: Date) -> String {
    wallText(date.milliseconds + Int64(zone.secondsFromGMT(for: date)) * 1000)
  }

  static func line(_ change: LibraryReport.Change) -> String {
    let path = BytePath(change.path).display.terminalSafe + (change.isFolder ? "/" : "")
    guard let old = change.oldPath.map({ BytePath($0).display.terminalSafe }) else { return path }
    return "\(old) → \(path)"
  }

  static func sentence(_ folder: LibraryReport.AbsentFolder) -> String {
    let nights = folder.nights > 1 ? ", for \(folder.nights) nights" : ""
    return "\(BytePath(folder.path).display) was left as it was\(nights): \(folder.reason)"
  }

  private static func ending(_ night: Night) -> String {
    guard let end = night.endDate else { return "" }
    let seconds = end.timeIntervalSince(night.startDate)
    return ": \(humanDuration(max(0, seconds))), exit status \(night.status ?? 0)"
  }
}

extension LibraryReport {
  /// Changes of one kind.
  struct Section {
    /// For headings.
    let title: String
    /// For sentences and as a key in JSON.
    let word: String
    let changes: Changes
  }

  /// All kinds of changes in their order.
  var sections: [Section] {
    [
      Section(title: "New", word: "new", changes: added),
      Section(title: "Changed", word: "changed", changes: changed),
      Section(title: "Moved", word: "moved", changes: moved),
      Section(title: "Back again", word: "returned", changes: returned),
      Section(title: "Missing", word: "missing", changes: missing),
    ]
  }

  /// What the nightly run did.
  var steps: [NightStep] { NightStep.list(night) }
}
