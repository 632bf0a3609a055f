import ArgumentParser
import Foundation
import Linux
import MediaModel
import Presets
import Query
import ShoeboxKit
import Terminal

/// `shoebox pick`: lets a person choose in a browser, and lists or exports what was chosen.
struct PickCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "pick",
    abstract: "Choose pictures and videos in a browser; list or export them.",
    usage: "shoebox pick [<options>]",
    discussion: """
      Opens the browser, or prints an address if there is no desktop, and waits for your \
      choice. Prints the chosen assets in the order of the choice. With --to, exports them \
      instead. Ends with 1 if you cancel or do not choose in time.

        shoebox pick --type livePhotos --format paths
        shoebox pick --limit 3 --ordered --to ~/Desktop --strip-location
        shoebox pick --where 'images and year = 2023' --limit 0 --format jsonl
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Choose at most N assets; 0 means no limit.", valueName: "n"))
  var limit = 1

  @Flag(help: "Number the assets in the order of the choice.")
  var ordered = false

  @Option(help: ArgumentHelp("Show TEXT as the title of the page.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("Export the chosen assets into DIR.", valueName: "dir"),
    completion: .directory)
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Preset for --to, for example compatible or current.", valueName: "name"),
    completion: .presets())
  var preset: String?

  @Flag(help: "With --to, remove location metadata.")
  var stripLocation = false

  @Flag(help: "Print the address instead of opening a browser.")
  var noBrowser = false

  @Option(help: ArgumentHelp("Wait at most N minutes.", valueName: "n"))
  var minutes = 60

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup var formatOption: FormatOption
  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard (0...1_000_000).contains(limit) else {
      throw ValidationError("--limit \(limit): the value is a number from 0 to 1000000.")
    }
    if to == "" { throw ValidationError("--to is empty: write . for the current folder.") }
    if to == nil, preset != nil || stripLocation {
      throw ValidationError("--preset and --strip-location are for --to DIR.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let presets = try presetLibrary(context.environment)
    var representation = Representation.presets(
      try presets.imagePreset(preset ?? "compatible"),
      try presets.videoPreset(preset ?? "compatible"))
    let settings = WorkerSettings(sandbox: workerOptions.sandbox)
    let library = try global.openLibrary(in: context, settings)
    let choice: Choice
    switch try await pick(library, in: context) {
    case .made(let made): choice = made
    case .ended(let status): return status
    }
    guard let to else {
      try print(choice.selection, of: library, in: context)
      return .success
    }
    if choice.removesLocation { representation = representation.removingLocation() }
    if choice.removesCaptions { representation = representation.removingCaptions() }
    let target = try context.path(to)
    let assets = try choice.selection.map {
      try library.asset(named: $0, paths: context.catalogPaths)
    }
    let session = try await cancelledBySignals { [representation] in
      try await library.export(
        .named(assets), as: representation, to: target,
        options: ShoeboxKit::ExportOptions(isFlat: true))
    }
    for warning in session.warnings { context.warn(warning) }
    let outcome = try await context.carryOut(session, global)
    try context.output.summarize(outcome)
    return try outcome.status
  }

  /// The person's choice, as the picker program prints it.
  private struct Choice: Decodable {
    /// The ids of the assets, in order.
    var selection: [String]
    /// Whether the export must not contain places: `--strip-location`, or the person decided so.
    var removesLocation: Bool
    /// Whether the export must not contain captions, because the person decided so.
    var removesCaptions: Bool
  }

  /// How the picker program has ended.
  private enum Answer {
    /// The person has chosen.
    case made(Choice)
    /// Without a choice. The program has printed why, unless the person cancelled.
    case ended(ExitStatus)
  }

  /// Lets the person choose.
  ///
  /// - Throws: `Failure` if the picker program cannot be started or is of another version, `CancellationError` after a
  ///   signal.
  private func pick(
    _ library: PhotoLibrary, in context: CommandContext
  ) async throws -> Answer {
    var config: [String: Any] = [
      "selectionLimit": limit, "selection": ordered ? "ordered" : "default",
    ]
    config["filter"] = try filterOptions.expression(in: context, library)
    config["title"] = title
    // The page offers to remove the other metadata. Without an export there is nothing to remove it from, so the page must
    // not offer that.
    if to == nil {
      config["metadataOptions"] = ["removeLocation", "removeCaptions"]
    } else if stripLocation {
      config["metadataOptions"] = ["removeLocation"]
    }
    var arguments = ["pick", "--minutes", String(minutes)]
    if noBrowser { arguments.append("--no-browser") }
    arguments += try pickerArguments(global, workerOptions, in: context)
    let program = try PickerProgram(in: context)
    let result = try await program.run(
      arguments, input: JSONSerialization.data(withJSONObject: config))
    switch ExitStatus(rawValue: result.status) {
    case .success:
      guard let choice = try? JSONDecoder().decode(Choice.self, from: result.output) else {
        throw program.failure("is of another version of Shoebox")
      }
      return .made(choice)
    case .interrupted: throw CancellationError()
    case let status?: return .ended(status)
    case nil: throw program.failure("has ended with status \(result.status)")
    }
  }

  /// Prints assets as `list` does.
  private func print(
    _ chosen: [String], of library: PhotoLibrary, in context: CommandContext
  ) throws {
    let printer = try formatOption.format.printer(
      .assets, style: global.style(in: context), to: context.output)
    for id in chosen {
      try printer.print(library.record(named: id, paths: context.catalogPaths))
    }
    try printer.finish()
  }
}
