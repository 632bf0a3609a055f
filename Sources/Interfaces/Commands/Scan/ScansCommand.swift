import ArgumentParser
import Catalog
import MediaModel
import Query
import Terminal

/// `shoebox scans`: the history of scans.
struct ScansCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "scans",
    abstract: "Show the scan history: start, duration, changes and failures.",
    usage: "shoebox scans [<options>]",
    discussion: """
      --format json lists every failure. --verbose lists them in the table, too.

        shoebox scans --last 3
        shoebox scans --last 1 --format json
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show the last N scans.", valueName: "n"))
  var last = 10

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if last < 0 { throw ValidationError("--last must not be negative.") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let catalog = try global.openCatalog(.readOnly, in: context)
    let printer = try formatOption.format.printer(
      .scans, style: global.style(in: context), to: context.output)
    for scan in try catalog.scanHistory(last: last) {
      try printer.print(scan)
      if global.verbose, formatOption.format == .table {
        // A table waits for more lines than one.
        try printer.finish()
        for failure in scan.failures {
          try context.output.line(
            "  \(failure.path.display.terminalSafe): \(failure.error.terminalSafe)")
        }
        for root in scan.unavailable {
          try context.output.line(
            "  \(root.path.display.terminalSafe) was left as it was: \(root.reason.terminalSafe)")
        }
      }
    }
    try printer.finish()
    return .success
  }
}

extension Presentation where Item == ScanRecord {
  static var scans: Presentation {
    Presentation(
      columns: [
        TableColumn("STARTED (UTC)", width: 16, least: 16) { wallText($0.started) },
        TableColumn("TOOK", width: 7, least: 5, alignment: .right) {
          $0.seconds.map(humanDuration) ?? ""
        },
        TableColumn(
          "OUTCOME", width: 11, least: 8,
          isAlarming: { $0.outcome == .failed || !$0.unavailable.isEmpty }
        ) { $0.outcomeWord },
        TableColumn("FILES", width: 9, least: 6, alignment: .right) {
          humanCount($0.counts.scanned)
        },
        TableColumn("NEW", width: 7, least: 4, alignment: .right) { humanCount($0.counts.added) },
        TableColumn("CHANGED", width: 7, alignment: .right) { humanCount($0.counts.changed) },
        TableColumn("MOVED", width: 6, least: 5, alignment: .right) {
          humanCount($0.counts.moved)
        },
        TableColumn("MISSING", width: 7, alignment: .right) { humanCount($0.counts.missing) },
        TableColumn("FAILED", width: 6, least: 6) { humanCount($0.failureCount) },
      ],
      fields: [
        CSVField("id") { String($0.rowID) },
        CSVField("startedDate") { JSONWriter.instant(milliseconds: $0.started) },
        CSVField("finishedDate") { $0.finished.map(JSONWriter.instant(milliseconds:)) },
        CSVField("outcome") { $0.outcome.rawValue },
        CSVField("seconds") { $0.seconds.map { "\($0)" } },
        CSVField("unavailableRoots") {
          $0.unavailable.isEmpty
            ? nil : $0.unavailable.map(\.path.display).joined(separator: "\n")
        },
      ]
        + ScanCounts().named.indices.map { index in
          CSVField(ScanCounts().named[index].name) { String($0.counts.named[index].count) }
        } + [CSVField("failures") { String($0.failureCount) }],
      json: { $0.value($1) },
      paths: nil)
  }
}

extension ScanRecord {
  /// The outcome for a table. It mentions roots that were unavailable during a finished scan.
  fileprivate var outcomeWord: String {
    guard outcome == .finished, !unavailable.isEmpty else { return outcome.rawValue }
    return unavailable.count < roots.count ? "incomplete" : "unavailable"
  }
}

extension JSONWriter {
  /// A scan in the form of the scan report, with its times and its outcome.
  fileprivate mutating func value(_ scan: ScanRecord) {
    object { writer in
      writer.member("id", scan.rowID)
      writer.member("startedDate", milliseconds: scan.started)
      writer.member("finishedDate", milliseconds: scan.finished)
      writer.member("outcome", scan.outcome.rawValue)
      for (name, count) in scan.counts.named { writer.member(name, count) }
      writer.member("seconds", scan.seconds)
      writer.member("roots", scan.roots)
      writer.key("unavailableRoots")
      writer.array { writer in
        for root in scan.unavailable {
          writer.object { writer in
            writer.member("path", path: root.path)
            writer.member("reason", root.reason)
          }
        }
      }
      writer.member(failures: scan.failures.lazy.map { ($0.path, $0.error) })
    }
  }
}
