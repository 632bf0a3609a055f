import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox scan`: updates the catalog.
struct ScanCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Bring the catalog up to date with the library folders.",
    usage: "shoebox scan [<dir> ...] [<options>]",
    discussion: """
      Adds each DIR as a library folder, with its subfolders. Without DIR, scans all
      library folders. Shoebox never changes originals. If a folder is unavailable,
      for example because its disk is not mounted, its assets stay in the catalog.

        shoebox scan ~/Pictures
        shoebox scan --format json
      """)

  @Argument(
    help: ArgumentHelp("A folder of pictures and videos.", valueName: "dir"),
    completion: .directory)
  var folders: [String] = []

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers of each kind (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Skip files and folders that match PATTERN, in the syntax of .gitignore. Their assets become missing. Repeat for more patterns.",
      valueName: "pattern"))
  var exclude: [String] = []

  @Flag(
    help:
      "Skip folders at which another file system is mounted. Their assets stay in the catalog.")
  var oneFileSystem = false

  @Flag(
    help:
      "Index symbolic links to files, as in git-annex. Links to folders are not followed.")
  var followLinks = false

  @Flag(
    name: [.customShort("n"), .long],
    help:
      "Compare the folders with the catalog, and report the differences. Open and record nothing."
  )
  var dryRun = false

  @Flag(
    help:
      "Read every file again, and make everything in the catalog again that is made from files. Asset ids stay."
  )
  var rebuild = false

  @OptionGroup var shardOption: ShardOption

  @Option(
    help: ArgumentHelp(
      "With --shard: make the catalog in a temporary folder, and put it into DIR when it is complete. Do nothing if it is there.",
      valueName: "dir"),
    completion: .directory)
  var store: String?

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    try checkJobs(jobs)
    if store != nil {
      guard shardOption.shard != nil else { throw ValidationError("--store needs --shard.") }
      if dryRun || rebuild || global.catalog != nil {
        throw ValidationError("--store excludes --catalog, --dry-run and --rebuild.")
      }
      if folders.isEmpty { throw ValidationError("--store needs the folders to scan.") }
      if store == "" { throw ValidationError("--store is empty: name a folder.") }
    }
    if dryRun, rebuild { throw ValidationError("--dry-run and --rebuild exclude each other.") }
    for pattern in exclude where !ScanOptions.isExclusion(pattern) {
      throw ValidationError("--exclude needs a pattern, not an empty text or a comment.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let options = try scanOptions(in: context)
    guard let store, let shard = options.shard else {
      return status(of: try await scan(options, into: try global.catalogPath(in: context), context))
    }
    let place = ShardStore(folder: try context.givenPath(store).absolute())
    if try place.has(shard) {
      if !global.quiet {
        context.message("\(place.path(of: shard).display.terminalSafe) is there already")
      }
      return .success
    }
    return try await place.fill(shard) { path in
      status(of: try await scan(options, into: path, context))
    }
  }

  /// Scans, and prints the report.
  ///
  /// - Parameter path: the catalog's.
  private func scan(
    _ options: ScanOptions, into path: String, _ context: CommandContext
  ) async throws -> ScanReport {
    let settings = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    let folders = try (folders.isEmpty ? context.settings.roots : folders).map(context.givenPath)
    if global.verbose { context.message("catalog: \(path)") }
    let library = try PhotoLibrary.opened(
      at: path, toScan: folders, options, settings.configuration(path, .readWrite),
      environment: context.environment, reportingLack: context.reportsLack)
    let session = try await cancelledBySignals {
      try await library.scan(at: folders, options: options)
    }
    for folder in session.unavailableFolders { complain(of: folder, in: context) }
    let display = ProgressDisplay(global, in: context)
    async let following: Void? = display?.follow(session)
    let report = try await cancelledBySignals { try await session.report }
    // The display must not overwrite the report.
    await following
    let known = Set(session.unavailableFolders.map(\.path))
    for folder in report.unavailableFolders where !known.contains(folder.path) {
      complain(of: folder, in: context)
    }
    try print(report, to: context)
    return report
  }

  private func scanOptions(in context: CommandContext) throws -> ScanOptions {
    try context.requireUTF8(exclude)
    var options = ScanOptions(
      mode: dryRun ? .dryRun : rebuild ? .rebuild : .update,
      exclusions: context.settings.exclude + exclude,
      staysOnFileSystem: oneFileSystem || context.settings.oneFileSystem,
      followsLinks: followLinks || context.settings.followLinks)
    options.shard = try shardOption.named(in: context.environment)
    return options
  }

  /// Says why a library folder was left as it is.
  private func complain(of folder: ScanReport.UnavailableFolder, in context: CommandContext) {
    context.complain(
      "\(BytePath(folder.path).display.terminalSafe) was left as it is: \(folder.reason)")
  }

  private func print(_ report: ScanReport, to context: CommandContext) throws {
    switch format {
    case .json: try context.output.write(report, isDryRun: dryRun)
    case .table:
      try context.output.summarize(report)
      if dryRun, !global.quiet { context.message("a dry run records nothing") }
    }
  }

  private func status(of report: ScanReport) -> ExitStatus {
    if report.isInterrupted { return .interrupted }
    if !report.unavailableFolders.isEmpty { return .unavailable }
    return report.failures.allSatisfy(\.isAcknowledged) ? .success : .someFailed
  }
}

/// The forms in which a report can be printed.
enum ReportFormat: String, WordChoice, CaseIterable {
  case table, json
}

/// - Throws: `ValidationError` for an invalid `--jobs`.
func checkJobs(_ jobs: Int?) throws {
  if let jobs, !(1...1024).contains(jobs) {
    throw ValidationError("--jobs must be between 1 and 1024.")
  }
}
