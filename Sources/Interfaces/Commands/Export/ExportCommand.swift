import ArgumentParser
import Linux
import MediaModel
import Presets
import Query
import ShoeboxKit
import Terminal

/// `shoebox export`: exports pictures and videos.
struct ExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export pictures and videos, as originals or in widely supported formats.",
    usage: "shoebox export [<asset> ...] --to <dir> [<options>]",
    discussion: """
      Exports the whole library if you name no asset and no filter. Shoebox never changes \
      originals, and overwrites nothing unless you ask for it.

        shoebox export --since 2023 --type livePhotos --to ~/Exports
        shoebox export --name '{captureDate:yyyy}/{stem}{ext}' --to /media/stick
        shoebox export --image-preset web --strip-location 6f9c1a IMG_2.HEIC --to .
        shoebox export --preset current --update --to /mnt/share --dry-run
      """)

  @Argument(
    help: ArgumentHelp(
      "An id, an id prefix of at least 6 characters, or a file's path.", valueName: "asset"))
  var assets: [String] = []

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write results into DIR, which is created if necessary.", valueName: "dir"),
    completion: .directory)
  var to: String

  @OptionGroup(title: "Conversion") var options: ExportOptions

  @Flag(
    name: [.customShort("n"), .long], help: "Print what an export would do, and write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Write a line of JSON for each item to FILE.", valueName: "file"))
  var manifest: String?

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @OptionGroup var shardOption: ShardOption

  @OptionGroup(title: "Filter") var filterOptions: SharedFilterOptions

  @Option(
    choosing: "The order in which --limit counts.", valueName: "key", standard: .captureDate)
  var sort: AssetOrder.Key?

  @Flag(help: "Reverse the order.")
  var reverse = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Export at most N of the assets that match.", valueName: "n"))
  var limit: Int?

  @OptionGroup var formatOption: FormatOption
  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let missingComplaint = "Missing assets cannot be exported."

  func validate() throws {
    try checkJobs(jobs)
    if to.isEmpty { throw ValidationError("--to is empty: write . for the current folder.") }
    try options.validateChoices()
    if options.update, options.overwrite {
      throw ValidationError("--update and --overwrite exclude each other.")
    }
    if options.name.contains("") { throw ValidationError("--name is empty.") }
    if (limit ?? 0) < 0 { throw ValidationError("--limit must not be negative.") }
    if limit == nil, sort != nil || reverse {
      throw ValidationError("--sort and --reverse are for --limit: they choose what is exported.")
    }
    if !assets.isEmpty, limit != nil {
      throw ValidationError("--limit is for filters: leave it out, or name no assets.")
    }
    if filterOptions.missing { throw ValidationError(Self.missingComplaint) }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let presets = try presetLibrary(context.environment)
    let placement = try options.placement(of: shardOption.named(in: context.environment))
    let representation = try options.representation(presets)
    let settings = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    let library = try global.openLibrary(in: context, settings)
    let (selection, unknownCount) = try selection(library, context)
    let target = try context.path(to)
    if dryRun { try checkIsFolder(target) }
    let session = try await cancelledBySignals {
      try await library.export(selection, as: representation, to: target, options: placement)
    }
    for warning in session.warnings { context.warn(warning) }
    if session.planLines.isEmpty, assets.isEmpty || placement.shard != nil, !global.quiet {
      let place = placement.shard.map { " in shard \($0.number)/\($0.count)" } ?? ""
      context.message("no asset\(place) matches: nothing to export")
    }
    let status =
      try await dryRun
      ? show(session, in: context) : carryOut(session, in: context)
    return status == .success && unknownCount > 0 ? .someFailed : status
  }

  /// The selected assets, and the number of named assets that do not exist.
  private func selection(
    _ library: PhotoLibrary, _ context: CommandContext
  ) throws -> (ExportSelection, unknownCount: Int) {
    var filter = try filterOptions.filter(in: context, library)
    // Expressions and saved searches may ask for it too.
    if filter.wantsMissing { throw Failure(.usage, Self.missingComplaint) }
    try context.requireUTF8(options.name)
    filter.names = try options.namePatterns.map(fileNamePattern(typed:))
    guard !assets.isEmpty else {
      let order = AssetOrder(sort ?? .captureDate, isReversed: reverse, limit: limit)
      return (.matching(filter, order), 0)
    }
    guard filter == Query::AssetFilter() else {
      throw Failure(.usage, "name assets or use filters, but not both")
    }
    let (wanted, unknownCount) = try context.assets(named: assets, in: library)
    return (.named(wanted), unknownCount)
  }

  /// Checks a target that a dry run does not open: it can be a folder, or be created as one.
  ///
  /// - Throws: `Failure` if it is something else, or would be in something else.
  private func checkIsFolder(_ target: BytePath) throws {
    var place = target
    var kind: FileStatus.Kind?
    while kind == nil, !place.components.isEmpty {
      kind = (try? FileStatus(of: place, followingLinks: true))?.kind
      if kind == nil { place = place.parent }
    }
    guard let kind, kind != .directory else { return }
    throw Failure(
      .inputOutput,
      "cannot export into \(target.display.terminalSafe): \(place.display.terminalSafe) is not a folder"
    )
  }

  /// Prints the plan.
  private func show(_ session: ExportSession, in context: CommandContext) throws -> ExitStatus {
    let lines = session.planLines
    try print(lines, to: context)
    if manifest != nil { context.message("a dry run writes no manifest") }
    return lines.contains { $0.action == .failed } ? .someFailed : .success
  }

  private func carryOut(
    _ session: ExportSession, in context: CommandContext
  ) async throws -> ExitStatus {
    let manifest = try manifest.map { try ExportManifest(context.givenPath($0), session) }
    let outcome = try await context.carryOut(session, global)
    try manifest?.write(outcome)
    try print(outcome, to: context)
    return try outcome.status
  }

  private func print(_ outcome: ExportOutcomes, to context: CommandContext) throws {
    switch formatOption.format {
    case .table: try context.output.summarize(outcome)
    case .json, .jsonl, .csv, .paths, .paths0:
      try print(outcome.lines, of: outcome, to: context)
    }
  }
}

extension ExportCommand {
  /// Prints planned or exported items.
  private func print(
    _ lines: [ExportLine], of outcome: ExportOutcomes? = nil, to context: CommandContext
  ) throws {
    if formatOption.format == .json { return try context.output.write(lines, of: outcome) }
    let printer = try formatOption.format.printer(
      .exportLines, style: global.style(in: context), to: context.output)
    for line in lines { try printer.print(line) }
    try printer.finish()
  }
}
