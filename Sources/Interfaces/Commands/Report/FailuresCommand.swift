import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox failures`: what cannot be read now.
struct FailuresCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "failures",
    abstract: "List files and folders that cannot be read, and acknowledge them.",
    usage: "shoebox failures [<path> ...] [<options>]",
    discussion: """
      A scan ends with status 1 if it finds failures that are not acknowledged. A file \
      that changes and still cannot be read is a new failure.

        shoebox failures
        shoebox failures --acknowledge ~/Pictures/2009/broken.jpg
        shoebox failures --retry
      """)

  @Argument(
    help: ArgumentHelp(
      "Only these files and folders, and all below them.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @Flag(help: "Accept the failures, so that they no longer affect exit statuses.")
  var acknowledge = false

  @Flag(help: "Take back that they are accepted.")
  var withdraw = false

  @Flag(help: "Make the next scan read the files again, whatever their turn.")
  var retry = false

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if acknowledge, withdraw {
      throw ValidationError("--acknowledge and --withdraw exclude each other.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let changes = acknowledge || withdraw || retry
    let library =
      try changes ? global.openExistingLibrary(in: context) : global.openLibrary(in: context)
    let wanted = try paths.map(context.path)
    var failures = try library.listedFailures().filter { failure in
      let path = BytePath(failure.path)
      // A disk that is absent is accepted only by its name.
      if wanted.isEmpty { return !(acknowledge && failure.isAbsence) }
      return wanted.contains { path.isWithin($0) }
    }
    let unknown = wanted.filter { path in
      !failures.contains { BytePath($0.path).isWithin(path) }
    }
    for path in unknown {
      context.complain("\(path.display.terminalSafe): no failure is known there")
    }
    if changes {
      if acknowledge { try await library.acknowledgeFailures(failures) }
      if withdraw { try await library.withdrawAcknowledgements(of: failures) }
      if retry { try await library.retryFailures(failures) }
      let ids = Set(failures.map(\.id))
      failures = try library.listedFailures().filter { ids.contains($0.id) }
    }
    let printer = try formatOption.format.printer(
      .failures, style: global.style(in: context), to: context.output)
    for failure in failures { try printer.print(failure) }
    try printer.finish()
    return unknown.isEmpty ? .success : .someFailed
  }
}

extension Presentation where Item == KnownFailure {
  fileprivate static var failures: Presentation {
    Presentation(
      columns: [
        TableColumn("SINCE (UTC)", width: 10) {
          String(wallText($0.firstDate.milliseconds).prefix(10))
        },
        TableColumn("TRIES", width: 5, alignment: .right) { humanCount($0.attempts) },
        TableColumn("NEXT", width: 10) { failure in
          failure.nextAttemptDate.map { String(wallText($0.milliseconds).prefix(10)) } ?? ""
        },
        TableColumn("STATE", width: 12, isAlarming: { $0.acknowledgedDate == nil }) {
          $0.acknowledgedDate == nil ? "open" : "acknowledged"
        },
        TableColumn("PATH", cut: .beginning) { failure in
          "\(BytePath(failure.path).display): \(failure.message)"
        },
      ],
      fields: [
        CSVField("path") { BytePath($0.path).display },
        CSVField("error") { $0.message },
        CSVField("firstDate") { JSONWriter.instant(milliseconds: $0.firstDate.milliseconds) },
        CSVField("lastDate") { JSONWriter.instant(milliseconds: $0.lastDate.milliseconds) },
        CSVField("attempts") { String($0.attempts) },
        CSVField("nextAttemptDate") { failure in
          failure.nextAttemptDate.map { JSONWriter.instant(milliseconds: $0.milliseconds) }
        },
        CSVField("acknowledgedDate") { failure in
          failure.acknowledgedDate.map { JSONWriter.instant(milliseconds: $0.milliseconds) }
        },
      ],
      json: { $0.value($1) },
      paths: { [BytePath($0.path)] })
  }
}
