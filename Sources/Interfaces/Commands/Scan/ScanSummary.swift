import Catalog
import Indexer
import MediaModel
import Query
import Terminal

// The report of a scan: for scripts one JSON object, which is printed last, and a summary for people.

extension Output {
  /// The report as one line of JSON.
  func write(
    _ report: ScanReport, failures: [ScanRecord.Failure], isDryRun: Bool
  ) throws {
    try json { writer in
      writer.object { writer in
        if isDryRun { writer.member("dryRun", true) }
        for (name, count) in report.counts.named { writer.member(name, count) }
        writer.member("seconds", report.seconds)
        writer.key("roots")
        writer.array { writer in
          for root in report.roots {
            writer.object { writer in
              writer.member("path", path: root.path)
              writer.member("available", root.unavailability == nil)
            }
          }
        }
        writer.member(failures: failures.lazy.map { ($0.path, $0.error) })
      }
    }
  }

  /// The report in a few lines, with each failure.
  func summarize(_ report: ScanReport, failures: [ScanRecord.Failure]) throws {
    for failure in failures {
      try line("\(failure.path.display.terminalSafe): \(failure.error.terminalSafe)")
    }
    let counts = report.counts
    let took = report.seconds < 10 ? "\(tenths(report.seconds)) s" : humanDuration(report.seconds)
    let verb = report.outcome == .interrupted ? "interrupted after" : "scanned"
    try line("\(verb) \(humanCountOfAssets(counts.scanned)) in \(took)")
    let changes = phrases([
      (counts.added, "new"), (counts.changed, "changed"), (counts.moved, "moved"),
      (counts.missing, "missing"),
    ])
    let pairs = (counts.pairs == 1 ? "live photo" : "live photos") + " in the catalog"
    let state = phrases([(counts.unreadable, "unreadable"), (counts.pairs, pairs)])
    try line((changes.isEmpty ? ["nothing has changed"] : changes).joined(separator: ", "))
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

extension ScanCounts {
  /// The counts, with the names and in the order of the scan report.
  var named: [(name: String, count: Int)] {
    [
      ("scanned", scanned), ("added", added), ("changed", changed), ("moved", moved),
      ("missing", missing), ("unchanged", unchanged), ("unreadable", unreadable),
      ("ignored", ignored), ("sidecars", sidecars), ("pairs", pairs),
    ]
  }
}
