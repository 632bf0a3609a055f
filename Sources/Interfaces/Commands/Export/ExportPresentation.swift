import MediaModel
import ShoeboxKit
import Terminal

extension Presentation where Item == ExportLine {
  static var exportLines: Presentation {
    Presentation(
      columns: [
        TableColumn("ACTION", width: 10, isAlarming: { $0.action == .failed }) {
          $0.action.rawValue
        },
        TableColumn("RESULT", width: 32, cut: .beginning) {
          $0.targets.joined(separator: " + ")
        },
        TableColumn("WHY", width: 32) {
          $0.error ?? ($0.changes + $0.reasons).joined(separator: ", ")
        },
        TableColumn("SOURCE", cut: .beginning) { $0.source.display },
      ],
      fields: [
        CSVField("id") { $0.asset.identifier },
        CSVField("action") { $0.action.rawValue },
        CSVField("sourcePath") { $0.source.display },
        CSVField("path") { $0.main?.display },
        CSVField("motionPath") { $0.clip?.display },
        CSVField("preset") { $0.preset },
        CSVField("reason") { $0.reasons.joined(separator: ", ") },
        CSVField("error") { $0.error },
      ],
      json: { $0.value($1) },
      paths: { $0.action == .failed ? [] : $0.files })
  }
}

extension ExportOutcomes {
  /// The reasons why items were skipped that another export may include, with their numbers.
  fileprivate var unusualSkips: [(reason: String, count: Int)] {
    var counts: [String: Int] = [:]
    for reason in lines.compactMap(\.unusualSkip) { counts[reason, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension [ExportLine] {
  /// Why assets were exported again, with their numbers.
  fileprivate var changes: [(change: String, count: Int)] {
    var counts: [String: Int] = [:]
    for line in self where line.error == nil {
      for change in line.changes { counts[change, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Output {
  /// The summary of an export in a few lines, with all failures.
  func summarize(_ report: ExportOutcomes) throws {
    for item in report.lines {
      let path = item.asset.path.display.terminalSafe
      if let error = item.error { try line("\(path): \(error.terminalSafe)") }
      for note in item.notes { try line("note: \(path): \(note.terminalSafe)") }
    }
    let took = humanDuration(report.seconds)
    let verb = report.isInterrupted ? "interrupted after" : "exported"
    let done = report.lines.count - report.count(.failed) - report.count(.skipped)
    try line("\(verb) \(humanCountOfAssets(done)) (\(humanBytes(report.bytes))) in \(took)")
    let counts = ExportAction.allCases.map { ($0.rawValue, report.count($0)) }
      .filter { $0.1 > 0 }.map { "\(humanCount($0.1)) \($0.0)" }
    if !counts.isEmpty { try line(counts.joined(separator: ", ")) }
    let changes = report.lines.changes
    if !changes.isEmpty {
      let texts = changes.map { "\($0.change): \(humanCount($0.count))" }
      try line("exported again: " + texts.joined(separator: ", "))
    }
    for (reason, count) in report.unusualSkips { try line("\(humanCount(count)): \(reason)") }
  }

  /// The same as one line of JSON, also for a plan.
  ///
  /// - Parameter report: the report of a finished export.
  func write(_ lines: [ExportLine], of report: ExportOutcomes?) throws {
    try json { writer in
      writer.object { writer in
        for action in ExportAction.allCases {
          writer.member(action.rawValue, lines.count { $0.action == action })
        }
        let changes = lines.changes
        if !changes.isEmpty {
          writer.key("changes")
          writer.object { writer in
            for (change, count) in changes { writer.member(change, count) }
          }
        }
        writer.member("bytes", report?.bytes)
        writer.member("seconds", report?.seconds)
        writer.key("items")
        writer.array { writer in
          for line in lines { writer.value(line) }
        }
        writer.member(
          failures: lines.lazy.compactMap { line in
            line.error.map { (line.asset.path, $0) }
          })
      }
    }
  }
}
