import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

// The report of a scan: for scripts one JSON object, which is printed last, and a summary for people.

extension Output {
  /// The report as one line of JSON.
  func write(_ report: ScanReport, isDryRun: Bool) throws {
    try json { writer in
      writer.object { writer in
        if isDryRun { writer.member("dryRun", true) }
        writer.members(report.counts)
        writer.member("seconds", report.seconds)
        writer.key("roots")
        writer.array { writer in
          let unavailable = Set(report.unavailableFolders.map(\.path))
          for folder in report.folders {
            writer.object { writer in
              writer.member("path", path: BytePath(folder))
              writer.member("available", !unavailable.contains(folder))
            }
          }
        }
        writer.member(failures: report.failures)
      }
    }
  }

  /// The report in a few lines, with each failure.
  func summarize(_ report: ScanReport) throws {
    for failure in report.failures where !failure.isAcknowledged {
      try line("\(BytePath(failure.path).display.terminalSafe): \(failure.message.terminalSafe)")
    }
    let counts = report.counts
    let took = report.seconds < 10 ? "\(tenths(report.seconds)) s" : humanDuration(report.seconds)
    let verb = report.isInterrupted ? "interrupted after" : "scanned"
    try line("\(verb) \(humanCountOfAssets(counts.scanned)) in \(took)")
    let changes = phrases([
      (counts.added, "new"), (counts.changed, "changed"), (counts.moved, "moved"),
      (counts.missing, "missing"),
    ])
    let pairs = (counts.livePhotos == 1 ? "live photo" : "live photos") + " in the catalog"
    let state = phrases([(counts.unreadable, "unreadable"), (counts.livePhotos, pairs)])
    let failed = report.failures.count { !$0.isKnown && !$0.isAbsence }
    let nothing =
      failed > 0 ? "\(humanCount(failed)) unreadable for the first time" : "nothing has changed"
    try line(changes.isEmpty ? nothing : changes.joined(separator: ", "))
    if !state.isEmpty { try line(state.joined(separator: ", ")) }
  }

  private func phrases(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\(humanCount($0.0)) \($0.1)" }
  }

  private func tenths(_ seconds: Double) -> String {
    let count = Int(seconds * 10 + 0.5)
    return "\(count / 10).\(count % 10)"
  }
}

extension JSONWriter {
  /// What failed, as every report has it.
  mutating func member(failures: some Sequence<(path: BytePath, error: String)>) {
    key("failures")
    array { writer in
      for failure in failures {
        writer.object { writer in
          writer.member("path", path: failure.path)
          writer.member("error", failure.error)
        }
      }
    }
  }
}

extension JSONWriter {
  /// The counts of a scan.
  mutating func members(_ counts: ScanCounts) {
    for (name, count) in ScanCounts.named { member(name, count(counts)) }
  }

  /// What a scan could not read.
  mutating func member(failures: [ScanReport.Failure]) {
    key("failures")
    array { writer in
      for failure in failures {
        writer.object { writer in
          writer.member("path", path: BytePath(failure.path))
          writer.member("error", failure.message)
          if failure.isAcknowledged { writer.member("isAcknowledged", true) }
        }
      }
    }
  }
}

extension ScanReport {
  var seconds: Double { duration / .seconds(1) }
}

extension ScanCounts {
  /// The counts, with the names and in the order of the scan report.
  static var named: [(name: String, count: @Sendable (ScanCounts) -> Int)] {
    [
      ("scanned", { $0.scanned }), ("added", { $0.added }), ("changed", { $0.changed }),
      ("moved", { $0.moved }), ("missing", { $0.missing }), ("unchanged", { $0.unchanged }),
      ("unreadable", { $0.unreadable }), ("ignored", { $0.ignored }),
      ("sidecars", { $0.sidecars }), ("pairs", { $0.livePhotos }),
    ]
  }
}
