import ArgumentParser
import Foundation
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox scans diff [OLD [NEW]]`: what changed from one scan to another.
struct ScansDiff: Verb {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed from one scan to another.",
    usage: "shoebox scans diff [<old> [<new>]] [<options>]",
    discussion: """
      OLD and NEW are numbers of scans, as in `shoebox scans`. NEW is the last scan if you
      leave it out, and OLD the scan before it.

        shoebox scans diff
        shoebox scans diff 41 43 --format json
      """)

  static var endsWithReader: Bool { true }

  @Argument(help: ArgumentHelp("The earlier scan; 0 for the empty catalog.", valueName: "old"))
  var old: Int64?

  @Argument(help: ArgumentHelp("The later scan.", valueName: "new"))
  var new: Int64?

  @Option(choosing: "Print the difference in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Name at most N items of each kind.", valueName: "n"))
  var limit = 100

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
    if let old, let new, old > new {
      throw ValidationError("scan \(old) is later than scan \(new): name the earlier one first.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let scans = try library.listedScans(last: Self.searchedScans).filter { $0.outcome != .running }
    guard let last = scans.first else { throw Failure(.badData, "no scan has ended yet") }
    let (newer, older) = (new ?? last.id, old ?? scans.first { $0.id < (new ?? last.id) }?.id ?? 0)
    for id in [older, newer] where id != 0 && !scans.contains(where: { $0.id == id }) {
      throw Failure(.badData, "there is no scan \(id): `shoebox scans` lists them")
    }
    let report = try await library.report(
      .scans(after: older, through: newer), limit: limit)
    switch format {
    case .json:
      try context.output.json { writer in
        writer.object { writer in
          writer.member("from", older)
          writer.member("to", newer)
          writer.members(changesIn: report)
        }
      }
    case .table:
      var text = ReportText(report: report, limit: limit)
      let dates = Dictionary(uniqueKeysWithValues: scans.map { ($0.id, text.text($0.startDate)) })
      func name(_ id: Int64) -> String { dates[id].map { "scan \(id) (\($0))" } ?? "nothing" }
      text.period = "From \(name(older)) to \(name(newer))"
      try text.write(to: context.output)
    }
    return .success
  }

  /// The catalog keeps the changes of this number of scans.
  private static let searchedScans = 400
}
