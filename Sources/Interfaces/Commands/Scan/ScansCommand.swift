import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox scans`: the history of scans.
struct ScansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scans",
    abstract: "Show the scan history, or what changed from one scan to another.",
    discussion: """
        shoebox scans --last 3
        shoebox scans diff 41 43
      """,
    subcommands: [ScansList.self, ScansDiff.self],
    defaultSubcommand: ScansList.self)
}

/// `shoebox scans list`.
struct ScansList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the scan history: start, duration, changes and failures.",
    usage: "shoebox scans list [<options>]",
    discussion: """
      --format json lists every failure. --verbose lists them in the table, too.

        shoebox scans list --last 3
        shoebox scans list --last 1 --format json
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
    let library = try global.openLibrary(in: context)
    let printer = try formatOption.format.printer(
      .scans, style: global.style(in: context), to: context.output)
    for scan in try library.listedScans(last: last) {
      try printer.print(scan)
      if global.verbose, formatOption.format == .table {
        // A table waits for more lines than one.
        try printer.finish()
        for failure in scan.failures {
          try context.output.line(
            "  \(BytePath(failure.path).display.terminalSafe): \(failure.message.terminalSafe)")
        }
        for root in scan.unavailableFolders {
          try context.output.line(
            "  \(BytePath(root.path).display.terminalSafe) was left as it was: \(root.reason.terminalSafe)"
          )
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
        TableColumn("SCAN", width: 5, least: 4, alignment: .right) { String($0.id) },
        TableColumn("STARTED (UTC)", width: 16, least: 16) { wallText($0.startDate.milliseconds) },
        TableColumn("TOOK", width: 7, least: 5, alignment: .right) {
          $0.seconds.map(humanDuration) ?? ""
        },
        TableColumn(
          "OUTCOME", width: 11, least: 8,
          isAlarming: { $0.outcome == .failed || !$0.unavailableFolders.isEmpty }
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
        TableColumn("FAILED", width: 6, least: 6) { humanCount($0.failures.count) },
      ],
      fields: fields,
      json: { $0.value($1) },
      paths: nil)
  }

  private static var fields: [CSVField<ScanRecord>] {
    var fields: [CSVField<ScanRecord>] = [
      CSVField("id") { String($0.id) },
      CSVField("startedDate") { JSONWriter.instant(milliseconds: $0.startDate.milliseconds) },
      CSVField("finishedDate") { scan in
        scan.endDate.map { JSONWriter.instant(milliseconds: $0.milliseconds) }
      },
      CSVField("outcome") { $0.outcome.rawValue },
      CSVField("seconds") { scan in scan.seconds.map { "\($0)" } },
      CSVField("unavailableRoots") { scan in
        scan.unavailableFolders.isEmpty
          ? nil : scan.unavailableFolders.map { BytePath($0.path).display }.joined(separator: "\n")
      },
    ]
    for (name, count) in ScanCounts.named {
      fields.append(CSVField(name) { String(count($0.counts)) })
    }
    fields.append(CSVField("failures") { String($0.failures.count) })
    return fields
  }
}

extension ScanRecord {
  /// To the millisecond, as the catalog has it.
  fileprivate var seconds: Double? {
    duration.map { duration in
      let (seconds, attoseconds) = duration.components
      return Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000) / 1000
    }
  }

  /// The outcome for a table. It mentions roots that were unavailable during a finished scan.
  fileprivate var outcomeWord: String {
    guard outcome == .finished, !unavailableFolders.isEmpty else { return outcome.rawValue }
    return unavailableFolders.count < folders.count ? "incomplete" : "unavailable"
  }
}

extension JSONWriter {
  /// A scan in the form of the scan report, with its times and its outcome.
  fileprivate mutating func value(_ scan: ScanRecord) {
    object { writer in
      writer.member("id", scan.id)
      writer.member("startedDate", milliseconds: scan.startDate.milliseconds)
      writer.member("finishedDate", milliseconds: scan.endDate?.milliseconds)
      writer.member("outcome", scan.outcome.rawValue)
      writer.members(scan.counts)
      writer.member("seconds", scan.seconds)
      writer.member("roots", scan.folders)
      writer.key("unavailableRoots")
      writer.array { writer in
        for root in scan.unavailableFolders {
          writer.object { writer in
            writer.member("path", path: BytePath(root.path))
            writer.member("reason", root.reason)
          }
        }
      }
      writer.member(failures: scan.failures)
    }
  }
}
