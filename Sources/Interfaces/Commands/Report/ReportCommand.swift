import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox report`: what happened to the library.
struct ReportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report what scans found new, changed, moved, missing and unreadable.",
    usage: "shoebox report [<options>]",
    discussion: """
      DATE is last-night (the last nightly run, or the last scan), last-scan, yesterday,
      a time ago such as 7d or 12h, or a date such as 2026-05-14, on this machine's clock.

        shoebox report
        shoebox report --since 7d --format html --to week.html
        shoebox report --since last-night --notify
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Report what happened since DATE.", valueName: "date"))
  var since = "last-night"

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = Format.table

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write the report to FILE instead of standard output.", valueName: "file"),
    completion: .file())
  var to: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Name at most N items of each kind.", valueName: "n"))
  var limit = 20

  @Flag(help: "Give the report to the command that the configuration names, on its standard input.")
  var notify = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  /// The forms of a report.
  enum Format: String, WordChoice, CaseIterable {
    case table, json, html
  }

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
    if to == "" { throw ValidationError("--to is empty: name a file.") }
    if to != nil, format != .html { throw ValidationError("--to is for --format html.") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let period = try Self.period(since, now: Date())
    // In a service of its own: the catalog may have only the run of an earlier night.
    let outcome =
      notify && period == .lastNight
      ? NightOutcome.taken(environment: context.environment) : nil
    if let outcome {
      // The service starts after every run, whatever the configuration has.
      guard let notification = context.settings.notification else {
        context.complain("no command is configured, so the report is not sent")
        return .success
      }
      if !outcome.isRecorded {
        try notification.send(outcome)
        return .success
      }
    }
    let library = try global.openLibrary(in: context)
    let report = try await library.report(period, limit: max(limit, 1000))
    let text = ReportText(report: report, limit: limit)
    if notify {
      let notification = try notification(in: context)
      // A run without an end was killed.
      let recorded = report.night.map { $0.status ?? Int(ExitStatus.inputOutput.rawValue) } ?? 0
      let status = outcome.map { Int($0.status) } ?? recorded
      if notification.wants(report, status: status) {
        try notification.send(text, status: status)
      } else if global.verbose {
        context.complain("nothing to send: notify.when is \(notification.occasion.rawValue)")
      }
      return .success
    }
    switch format {
    case .table: try text.write(to: context.output)
    case .json: try context.output.write(report)
    case .html: try writePage(text, library, in: context)
    }
    return .success
  }

  private func notification(in context: CommandContext) throws -> Settings.Notification {
    guard let notification = context.settings.notification else {
      throw Failure(.badData, "no command is configured: set notify.command")
    }
    return notification
  }

  private func writePage(
    _ text: ReportText, _ library: PhotoLibrary, in context: CommandContext
  ) throws {
    let page = ReportPage(
      text: text, images: try? library.storedImages(longerSide: ContactSheet.longerSide),
      library: library)
    guard let to else { return try page.write(to: context.output) }
    try page.write(to: try context.givenPath(to).absolute())
  }

  /// The period that `--since` names.
  static func period(_ text: String, now: Date) throws -> ReportPeriod {
    switch text {
    case "last-night": return .lastNight
    case "last-scan": return .lastScan
    default: return .since(try Date(typed: text, now: now))
    }
  }
}

extension ReportPage {
  /// Writes the page to a file, which is complete or does not appear.
  func write(to target: BytePath) throws {
    let file = try PageFile(target, isReplacing: try Self.kind.exists(at: target))
    try write(to: Output { try file.write($0) })
    try file.publish()
  }
}
