import ArgumentParser
import Catalog
import Exporter
import Linux
import MediaModel
import Presets
import Query
import Terminal
import WorkerPool

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
    help: ArgumentHelp("Write results into DIR, which is created if necessary.", valueName: "dir"),
    completion: .directory)
  var to: String

  @OptionGroup(title: "Conversion") var options: ExportOptions

  @Flag(help: "Print what an export would do, and write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Write a line of JSON for each item to FILE.", valueName: "file"))
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "Run at most N workers (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @OptionGroup(title: "Filter") var filterOptions: SharedFilterOptions
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
    if filterOptions.missing { throw ValidationError(Self.missingComplaint) }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try presetLibrary(context.environment)
    if let problem = library.problems.first { throw problem }
    var request = try options.request(library)
    let jobs = jobs ?? coreCount
    request.threads = max(1, coreCount / jobs)
    let catalog = try global.openCatalog(.readOnly, in: context)
    let (subjects, unknownCount) = try selection(catalog, request, context)
    let target = TargetFolder(
      try context.path(to), libraries: try catalog.roots().map(\.record),
      key: try catalog.exportKey())
    // Rendering takes more time and memory than reading.
    let workers = try context.workers(
      jobs: jobs, workerOptions, usualTimeout: .seconds(120), isOptional: true
    ) {
      $0.memoryLimit = 6 << 30
      $0.stopsAtOnce = true
    }
    let export = Export(request, to: target, workers: workers)
    let plan = try await cancelledBySignals { [subjects] in try await export.plan(subjects) }
    if let warning = plan.warning(of: request) { context.complain(warning) }
    let status =
      try await dryRun
      ? show(plan, target, in: context) : carryOut(plan, export, in: context)
    return status == .success && unknownCount > 0 ? .someFailed : status
  }

  /// The selected assets, and the number of named assets that do not exist.
  private func selection(
    _ catalog: Catalog, _ request: ExportRequest, _ context: CommandContext
  ) throws -> (subjects: [ExportSubject], unknownCount: Int) {
    var filter = try filterOptions.filter(in: context, catalog)
    // Expressions and saved searches may ask for it too.
    if filter.wantsMissing { throw Failure(.usage, Self.missingComplaint) }
    try context.requireUTF8(options.namePatterns)
    filter.names = try options.namePatterns.map(fileNamePattern(typed:))
    let roots = try catalog.roots().map(\.record.path)
    var subjects: [ExportSubject] = []
    guard !assets.isEmpty else {
      try catalog.forEachAsset(matching: filter, with: .resources) { asset in
        subjects.append(ExportSubject(asset, roots: roots, for: request))
      }
      return (subjects, 0)
    }
    guard filter == AssetFilter() else {
      throw Failure(.usage, "name assets or use filters, but not both")
    }
    var wanted: [NamedAsset] = []
    var known: [Int64: Int] = [:]
    var unknownCount = 0
    for argument in assets {
      do {
        let named = try catalog.namedAsset(argument, in: context)
        if let index = known[named.asset.rowID] {
          wanted[index].merge(named)
        } else {
          known[named.asset.rowID] = wanted.count
          wanted.append(named)
        }
      } catch let error as AssetReferenceError {
        context.complain("\(error)".terminalSafe)
        unknownCount += 1
      }
    }
    subjects = wanted.map { named in
      ExportSubject(
        named.asset, roots: roots, for: request, isNamed: true,
        named: named.isWhole ? [] : named.files)
    }
    return (subjects, unknownCount)
  }

  /// Prints the plan.
  private func show(
    _ plan: ExportPlan, _ target: TargetFolder, in context: CommandContext
  ) throws -> ExitStatus {
    let lines = plan.items.map { ExportLine($0, target: target) }
    try print(lines, to: context)
    if manifest != nil { context.message("a dry run writes no manifest") }
    return lines.contains { $0.action == .failed } ? .someFailed : .success
  }

  private func carryOut(
    _ plan: ExportPlan, _ export: Export, in context: CommandContext
  ) async throws -> ExitStatus {
    let manifest = try manifest.map {
      try ExportManifest(context.givenPath($0), plan, in: export.target)
    }
    let display = global.quiet ? nil : ProgressDisplay(isTerminal: context.isErrorTerminal)
    let (events, reporter) = AsyncStream.newest(ExportProgress.self)
    async let following: Void? = display?.follow(events)
    let report = try await cancelledBySignals {
      try await export.run(plan, reporting: reporter)
    }
    await following
    try manifest?.write(report)
    try print(report, to: context)
    if let failure = report.failure { throw failure }
    if report.isInterrupted { return .interrupted }
    return report.count(.failed) > 0 ? .someFailed : .success
  }

  private func print(_ report: ExportReport, to context: CommandContext) throws {
    switch formatOption.format {
    case .table: try context.output.summarize(report)
    case .json, .jsonl, .csv, .paths, .paths0:
      try print(report.outcomes.map(ExportLine.init), of: report, to: context)
    }
  }
}

extension ExportCommand {
  /// Prints planned or exported items.
  private func print(
    _ lines: [ExportLine], of report: ExportReport? = nil, to context: CommandContext
  ) throws {
    if formatOption.format == .json { return try context.output.write(lines, of: report) }
    let printer = try formatOption.format.printer(
      .exportLines, style: global.style(in: context), to: context.output)
    for line in lines { try printer.print(line) }
    try printer.finish()
  }
}
