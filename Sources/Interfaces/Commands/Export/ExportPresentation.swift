import Catalog
import Exporter
import MediaModel
import Query
import Terminal

/// One planned or exported item, for printing.
struct ExportLine {
  var item: ExportItem
  var action: ExportAction
  /// The files of the results: a picture before its clip.
  var files: [BytePath]
  /// Why it is done so, or is not done.
  var reasons: [String]
  var error: String?
  var notes: [String] = []

  init(_ item: ExportItem, target: TargetFolder) {
    self.item = item
    action = item.action
    files = item.files.map { target.path(of: $0.target) }
    reasons = Self.reasons(item)
    notes = item.notes
    // The export may still fail for these, although they are planned.
    if item.fate == .make, !item.files.allSatisfy(\.decision.wasOpened) {
      reasons.append("not yet examined")
    }
    if case .fail(let sentence) = item.fate { error = sentence }
  }

  init(_ outcome: ExportOutcome) {
    item = outcome.item
    action = outcome.action
    files = outcome.made.map(\.path)
    reasons = action == .failed ? [] : Self.reasons(outcome.item)
    error = outcome.error
    notes = outcome.notes
  }

  private static func reasons(_ item: ExportItem) -> [String] {
    switch item.fate {
    case .make:
      // Several files may have one reason.
      item.files.flatMap(\.decision.reasons).reduce(into: []) { reasons, reason in
        if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
      }
    case .skip(let reason): [reason.description]
    case .fail: []
    }
  }

  /// The asset's main result: the picture or video itself, of two versions the edited one; nil if only a clip was
  /// requested.
  var main: BytePath? { mainIndex.map { files[$0] } }

  /// The clip of that version of a live photo.
  var clip: BytePath? {
    let version = mainIndex.map { item.files[$0].part.version }
    let index = item.files.indices.prefix(files.count).first {
      let part = item.files[$0].part
      return part.resource == .pairedVideo && (version == nil || part.version == version)
    }
    return index.map { files[$0] }
  }

  /// The other results: the original next to its edited version, RAW files, sidecars.
  var others: [(resource: ResourceType, path: BytePath)] {
    zip(item.files, files).compactMap { file, path in
      path == main || path == clip ? nil : (file.part.resource, path)
    }
  }

  /// The source of ``main``, or the asset's main file.
  var source: BytePath { mainIndex.map { item.files[$0].part.path } ?? item.asset.path }

  private var mainIndex: Int? {
    let sideshow: [ResourceType] = [.pairedVideo, .adjustmentData, .sidecar]
    return item.files.indices.prefix(files.count).first {
      !sideshow.contains(item.files[$0].part.resource)
    }
  }
}

extension Presentation where Item == ExportLine {
  static var exportLines: Presentation {
    Presentation(
      columns: [
        TableColumn("ACTION", width: 10, isAlarming: { $0.action == .failed }) {
          $0.action.rawValue
        },
        TableColumn("RESULT", width: 32, cut: .beginning) {
          $0.item.files.map(\.target).joined(separator: " + ")
        },
        TableColumn("WHY", width: 32) { $0.error ?? $0.reasons.joined(separator: ", ") },
        TableColumn("SOURCE", cut: .beginning) { $0.source.display },
      ],
      fields: [
        CSVField("id") { $0.item.asset.identifier },
        CSVField("action") { $0.action.rawValue },
        CSVField("sourcePath") { $0.source.display },
        CSVField("path") { $0.main?.display },
        CSVField("motionPath") { $0.clip?.display },
        CSVField("preset") { $0.item.preset },
        CSVField("reason") { $0.reasons.joined(separator: ", ") },
        CSVField("error") { $0.error },
      ],
      json: { $0.value($1) },
      paths: { $0.action == .failed ? [] : $0.files })
  }
}

extension ExportReport {
  /// The reasons why items were skipped that another export may include, with their numbers.
  fileprivate var unusualSkips: [(reason: String, count: Int)] {
    var counts: [String: Int] = [:]
    for outcome in outcomes {
      guard case .skip(let reason) = outcome.item.fate, reason.isUnusual else { continue }
      counts[reason.description, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Output {
  /// The summary of an export in a few lines, with all failures.
  func summarize(_ report: ExportReport) throws {
    for outcome in report.outcomes {
      let path = outcome.item.asset.path.display.terminalSafe
      if let error = outcome.error { try line("\(path): \(error.terminalSafe)") }
      for note in outcome.notes { try line("note: \(path): \(note.terminalSafe)") }
    }
    let took = humanDuration(report.seconds)
    let verb = report.isInterrupted ? "interrupted after" : "exported"
    let done = report.outcomes.count - report.count(.failed) - report.count(.skipped)
    try line("\(verb) \(humanCountOfAssets(done)) (\(humanBytes(report.bytes))) in \(took)")
    let counts = ExportAction.allCases.map { ($0.rawValue, report.count($0)) }
      .filter { $0.1 > 0 }.map { "\(humanCount($0.1)) \($0.0)" }
    if !counts.isEmpty { try line(counts.joined(separator: ", ")) }
    for (reason, count) in report.unusualSkips { try line("\(humanCount(count)): \(reason)") }
  }

  /// The same as one line of JSON, also for a plan.
  ///
  /// - Parameter report: the report of a finished export.
  func write(_ lines: [ExportLine], of report: ExportReport?) throws {
    try json { writer in
      writer.object { writer in
        for action in ExportAction.allCases {
          writer.member(action.rawValue, lines.count { $0.action == action })
        }
        writer.member("bytes", report?.bytes)
        writer.member("seconds", report?.seconds)
        writer.key("items")
        writer.array { writer in
          for line in lines { writer.value(line) }
        }
        writer.member(
          failures: lines.lazy.compactMap { line in
            line.error.map { (line.item.asset.path, $0) }
          })
      }
    }
  }
}
