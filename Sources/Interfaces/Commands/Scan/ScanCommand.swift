import ArgumentParser
import Catalog
import Glibc
import Indexer
import Linux
import MediaModel
import Query
import Terminal
import WorkerPool

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
    help:
      "Compare the folders with the catalog, and report the differences. Open and record nothing."
  )
  var dryRun = false

  @Flag(
    help:
      "Read every file again, and make everything in the catalog again that is made from files. Asset ids stay."
  )
  var rebuild = false

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    try checkJobs(jobs)
    if dryRun, rebuild { throw ValidationError("--dry-run and --rebuild exclude each other.") }
    for pattern in exclude where IgnorePatterns(lines: [pattern]).isEmpty {
      throw ValidationError("--exclude needs a pattern, not an empty text or a comment.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let workers = try context.workers(jobs: jobs ?? coreCount, workerOptions)
    let folders = folders.map(context.givenPath)
    if try BytePath(global.catalogPath(in: context)).status() == nil {
      // A command that fails must not leave an empty catalog.
      try ScanScope.check(folders, in: nil)
    }
    if dryRun { return try await compare(folders, workers, in: context) }
    let catalog = try global.openCatalog(.readWrite, in: context)
    let lock = try catalog.takeScanLock()
    let status = try await scan(
      folders, catalog, workers, rebuild ? .rebuild : .update, in: context)
    _ = consume lock
    return status
  }

  /// Compares with a copy of the catalog, which is then deleted.
  private func compare(
    _ folders: [BytePath], _ workers: MediaWorkers, in context: CommandContext
  ) async throws -> ExitStatus {
    let folder = try TemporaryFolder()
    let copy = folder.path.appending(Array("catalog.sqlite".utf8))
    let path = try global.catalogPath(in: context)
    if try BytePath(path).status() != nil {
      let catalog = try global.openCatalog(.readOnly, in: context)
      try await cancelledBySignals { try await catalog.copy(to: copy) }
    }
    let catalog = try Catalog.open(at: copy.display, mode: .readWrite)
    let status = try await scan(folders, catalog, workers, .comparison, in: context)
    _ = consume folder
    return status
  }

  private func scan(
    _ folders: [BytePath], _ catalog: Catalog, _ workers: MediaWorkers, _ mode: Scan.Mode,
    in context: CommandContext
  ) async throws -> ExitStatus {
    let scopes = try ScanScope.resolve(folders, in: catalog, options: try walkOptions(in: context))
    for scope in scopes {
      complain(of: scope.root.path, scope.unavailability, in: context)
    }
    let scan = Scan(catalog: catalog, workers: workers, scopes: scopes, mode: mode)
    let display = global.quiet ? nil : ProgressDisplay(isTerminal: context.isErrorTerminal)
    let (events, reporter) = AsyncStream.newest(ScanEvent.self)
    async let following: Void? = display?.follow(events) { scopes.countFiles() }
    let report = try await cancelledBySignals { try await scan.run(reporting: reporter) }
    // The display must not overwrite the report.
    await following
    for (scope, root) in zip(scopes, report.roots) where scope.isAvailable {
      complain(of: root.path, root.unavailability, in: context)
    }
    try print(report, catalog, to: context)
    return self.status(of: report)
  }

  private func walkOptions(in context: CommandContext) throws -> WalkOptions {
    try context.requireUTF8(exclude)
    var options = WalkOptions()
    options.staysOnFileSystem = oneFileSystem
    options.followsLinks = followLinks
    options.exclusions = IgnorePatterns(lines: exclude)
    return options
  }

  /// Says why a root was left as it is, if it was.
  private func complain(of root: BytePath, _ reason: String?, in context: CommandContext) {
    guard let reason else { return }
    context.complain("\(root.display.terminalSafe) was left as it is: \(reason)")
  }

  private func print(
    _ report: ScanReport, _ catalog: Catalog, to context: CommandContext
  ) throws {
    switch format {
    case .json:
      try context.output.write(
        report, failures: catalog.failures(of: report), isDryRun: dryRun)
    case .table:
      try context.output.summarize(report, failures: catalog.failures(of: report))
      if dryRun, !global.quiet { context.message("a dry run records nothing") }
    }
  }

  private func status(of report: ScanReport) -> ExitStatus {
    if report.outcome == .interrupted { return .interrupted }
    if report.roots.contains(where: { $0.unavailability != nil }) { return .unavailable }
    return report.failureCount > 0 ? .someFailed : .success
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

/// How many processes the machine runs at once.
var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

extension Catalog {
  /// What failed in the scan that a report is of.
  fileprivate func failures(of report: ScanReport) throws -> [ScanRecord.Failure] {
    guard report.failureCount > 0 else { return [] }
    return try scans(last: 1, failureLimit: .max).first { $0.rowID == report.scanID }?.failures
      ?? []
  }
}

extension CommandContext {
  /// The time limit for one file: `$SHOEBOX_FILE_TIMEOUT` seconds, or the default.
  func fileTimeout(usually usual: Duration = .seconds(20)) throws -> Duration {
    guard let text = environment["SHOEBOX_FILE_TIMEOUT"], !text.isEmpty else { return usual }
    guard let seconds = Int(text), (1...3600).contains(seconds) else {
      throw Failure(
        .badData,
        "$SHOEBOX_FILE_TIMEOUT must be a number of seconds between 1 and 3600, not \(text)")
    }
    return .seconds(seconds)
  }
}
