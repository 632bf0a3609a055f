import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox nightly`: everything that a library needs once a night.
struct NightlyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Back up, scan, make thumbnails, verify, export and report, as a timer does.",
    usage: "shoebox nightly [<dir> ...] [<options>]",
    discussion: """
      The configuration file names the library folders and the steps; see `shoebox config \
      show`. Ends with 0 if nothing new has failed: failures of earlier nights and absent \
      disks are in the report.

        shoebox nightly
        shoebox nightly ~/Pictures
        shoebox nightly --skip backup --skip verify
      """)

  @Argument(
    help: ArgumentHelp(
      "Scan these folders instead of those in the configuration.", valueName: "dir"),
    completion: .directory)
  var folders: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Skip a step: \(Self.skippable.map(\.rawValue).joined(separator: ", ")). Repeat for more steps.",
      valueName: "step"))
  var skip: [String] = []

  @Flag(help: "Do not run the notification command; `shoebox report --notify` does that later.")
  var noNotify = false

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers of each kind (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let skippable: [NightStep.Name] = [.backup, .thumbnails, .verify, .export]

  func validate() throws {
    try checkJobs(jobs)
    let words = Self.skippable.map(\.rawValue)
    if let unknown = skip.first(where: { !words.contains($0) }) {
      throw ValidationError("--skip \(unknown): choose from \(words.joined(separator: ", ")).")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let workers = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    var run = NightRun(
      settings: context.settings, catalog: try global.catalogPath(in: context), workers: workers,
      folders: try (folders.isEmpty ? context.settings.roots : folders).map(context.givenPath),
      skipped: Set(skip.compactMap(NightStep.Name.init(rawValue:))), context: context)
    NightOutcome.forget(environment: context.environment)
    await run.carryOut()
    let report = await run.publish()
    let outcome = NightOutcome(
      status: run.status.rawValue, steps: run.steps, isRecorded: run.isRecorded)
    do {
      try outcome.leave(environment: context.environment)
    } catch {
      context.complain(
        "the outcome cannot be left for the notification: \(error.localizedDescription)")
    }
    guard let library = run.library, let report else {
      // The catalog cannot be read, or has the run before this one: what the steps say is all.
      if format == .json {
        try context.output.write(outcome)
      } else {
        for line in outcome.lines { try context.output.line(line) }
      }
      notify(outcome, in: context)
      return run.status
    }
    try show(report, library, run.status, in: context)
    return run.status
  }

  /// Prints the report, and gives it to the notification that the configuration names.
  private func show(
    _ report: LibraryReport, _ library: PhotoLibrary, _ status: ExitStatus,
    in context: CommandContext
  ) throws {
    let text = ReportText(report: report, limit: 20)
    if format == .json {
      try context.output.write(report)
    } else if !global.quiet || status != .success {
      try text.write(to: context.output)
    }
    guard !noNotify, let notification = context.settings.notification,
      notification.wants(report, status: Int(status.rawValue))
    else { return }
    do {
      try notification.send(text, status: Int(status.rawValue))
    } catch {
      context.complain(CommandContext.sentence(of: error).terminalSafe)
    }
  }

  private func notify(_ outcome: NightOutcome, in context: CommandContext) {
    guard !noNotify, let notification = context.settings.notification else { return }
    do {
      try notification.send(outcome)
    } catch {
      context.complain(CommandContext.sentence(of: error).terminalSafe)
    }
  }
}
