import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox import`: copies files from a card or phone into the library.
struct ImportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy new pictures and videos from a card or phone into the library.",
    usage: "shoebox import <source> ... --into <root> [<options>]",
    discussion: """
      Copies the files whose content the catalog does not have. Live photos, RAW files \
      and sidecars stay together. Each copy is read again and verified. Shoebox never \
      changes the source, and overwrites nothing. Run the command again to complete an \
      interrupted import.

        shoebox import /media/card --into ~/Pictures
        shoebox import /media/card --into ~/Pictures --dry-run --verbose
        shoebox import /mnt/phone --into /photos --name '{captureDate:yyyy}/{stem}'
      """)

  @Argument(
    help: ArgumentHelp("A folder, which is imported with all below it.", valueName: "source"),
    completion: .directory)
  var sources: [String]

  @Option(
    help: ArgumentHelp(
      "Copy into this folder, which becomes a library folder if it is not in one.",
      valueName: "root"), completion: .directory)
  var into: String

  @Option(
    help: ArgumentHelp(
      "Template for the copies' names (default: '\(ImportOptions.defaultNameTemplate)').",
      valueName: "template"))
  var name: String?

  @Flag(
    name: [.customShort("n"), .long], help: "Print what an import would do, and copy nothing.")
  var dryRun = false

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers of each kind (default: one for each core), and copy N groups of files at the same time (default: 2).",
      valueName: "n"))
  var jobs: Int?

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    try checkJobs(jobs)
    if into.isEmpty { throw ValidationError("--into is empty: write . for the current folder.") }
    if sources.contains("") {
      throw ValidationError("A source is empty: write . for the current folder.")
    }
    if name == "" { throw ValidationError("--name is empty.") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    try context.requireUTF8([name].compactMap(\.self))
    var options = ImportOptions(isDryRun: dryRun)
    if let name { options.nameTemplate = name }
    options.scanOptions = ScanOptions(
      mode: dryRun ? .dryRun : .update, exclusions: context.settings.exclude,
      staysOnFileSystem: context.settings.oneFileSystem,
      followsLinks: context.settings.followLinks)
    options.scanOptions.acceptedLoss = context.settings.nightly.maximumLoss
    try options.check()
    let root = try context.givenPath(into)
    let path = try global.catalogPath(in: context)
    if global.verbose { context.message("catalog: \(path)") }
    // Nothing is created if the folder cannot be scanned.
    let library = try PhotoLibrary.opened(
      at: path, toScan: [root], options.scanOptions, settings.configuration(path, .readWrite),
      environment: context.environment, reportingLack: context.reportsLack)
    let folders = try sources.map(context.givenPath)
    let session = try await library.importFiles(from: folders, into: root, options: options)
    let display = ProgressDisplay(global, in: context)
    async let following: Void? = display?.follow(session)
    let report = try await cancelledBySignals { try await session.report }
    await following
    switch format {
    case .json: try context.output.write(report, isDryRun: dryRun)
    case .table:
      try context.output.summarize(report, isVerbose: global.verbose, isDryRun: dryRun)
    }
    if let failure = report.failure { throw failure }
    if let failure = report.scanFailure {
      context.complain("the copies are not in the catalog yet: \(failure); run `shoebox scan`")
    }
    let left = report.scan?.unavailableFolders ?? []
    for folder in left {
      context.complain(
        "\(BytePath(folder.path).display.terminalSafe) was left as it is: \(folder.reason)")
    }
    if report.isInterrupted { return .interrupted }
    if !left.isEmpty { return .unavailable }
    return report.count(.failed) > 0 || !report.failures.isEmpty || report.scanFailure != nil
      ? .someFailed : .success
  }
}
