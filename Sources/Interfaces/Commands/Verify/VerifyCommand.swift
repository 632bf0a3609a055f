import ArgumentParser
import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// `shoebox verify`: compares the content of files with what it was.
struct VerifyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read files again and compare their content with stored digests.",
    usage: "shoebox verify [<asset> ...] [<options>]",
    discussion: """
      Reads the files that were not checked for the longest time first, past the cache. \
      The first check of a file stores the SHA-256 of its content. If later the content \
      has changed but the size and modification time have not, the file has bit rot.

        shoebox verify --slice 1/30
        shoebox verify --limit-bytes 20GB --under ~/Pictures/2019
        shoebox verify --accept ~/Pictures/IMG_0001.JPG
      """)

  @Argument(
    help: ArgumentHelp(
      "An id, an id prefix of at least 6 characters, or a file's path.", valueName: "asset"))
  var assets: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read files until they have SIZE, for example 20GB; the last one is read completely.",
      valueName: "size"))
  var limitBytes: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read this part of all bytes, for example 1/30 or 5%.", valueName: "share"))
  var slice: String?

  @Flag(help: "Store the present content of files with bit rot. Name the assets, or use a filter.")
  var accept = false

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Read at most N files at the same time (default: 2).", valueName: "n"))
  var jobs: Int?

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    try checkJobs(jobs)
    if limitBytes != nil, slice != nil {
      throw ValidationError("--limit-bytes and --slice exclude each other.")
    }
    if filterOptions.shared.missing { throw ValidationError(Self.missingComplaint) }
  }

  private static let missingComplaint = "Missing assets cannot be verified."

  func run(in context: CommandContext) async throws -> ExitStatus {
    let extent = try extent()
    var settings = WorkerSettings()
    settings.jobs = jobs
    settings.fileTimeout = try context.fileTimeout()
    // What does not exist must not be created.
    _ = try global.openLibrary(in: context)
    let library = try settings.library(at: global.catalogPath(in: context), .readWrite, in: context)
    let (selection, unknownCount) = try selection(library, context)
    let session = try library.verify(selection, extent, isAccepting: accept)
    for folder in session.unavailableFolders {
      context.complain(
        "\(BytePath(folder.path).display.terminalSafe) is left out: \(folder.reason)")
    }
    let display = ProgressDisplay(global, in: context)
    async let following: Void? = display?.follow(session)
    let report = try await cancelledBySignals { try await session.report }
    await following
    switch format {
    case .json: try context.output.write(report)
    case .table: try context.output.summarize(report)
    }
    let goneCount = report.isInterrupted ? 0 : complainOfGoneFiles(selection, report, in: context)
    return status(of: report, selection, unknownCount + goneCount)
  }

  private func extent() throws -> VerificationExtent {
    if let limitBytes { return .slice(bytes: try byteCount(typed: limitBytes)) }
    if let slice {
      let share = try partOfWhole(typed: slice)
      guard share > 0 else { throw BadValue(slice, "is nothing: write 1/30 or 5%") }
      return .share(share)
    }
    return .all
  }

  /// The selected files, and the number of named assets that do not exist.
  private func selection(
    _ library: PhotoLibrary, _ context: CommandContext
  ) throws -> (VerificationSelection, unknownCount: Int) {
    let filter = try filterOptions.filter(in: context, library)
    if filter.wantsMissing { throw Failure(.usage, Self.missingComplaint) }
    let isFiltered = filter != Query::AssetFilter()
    guard !assets.isEmpty else {
      if accept, !isFiltered {
        throw Failure(
          .usage, "--accept needs assets or a filter, so that no bit rot is accepted by mistake")
      }
      return (isFiltered ? .matching(filter) : .everything, 0)
    }
    if isFiltered { throw Failure(.usage, "name assets or use filters, but not both") }
    let (named, unknownCount) = try context.assets(named: assets, in: library)
    return (.named(named), unknownCount)
  }

  /// Reports the named assets and files that are gone, except in library folders that are unavailable: those are reported
  /// already.
  ///
  /// - Returns: their number.
  private func complainOfGoneFiles(
    _ selection: VerificationSelection, _ report: VerificationReport, in context: CommandContext
  ) -> Int {
    guard case .named(let assets) = selection else { return 0 }
    let away = report.unavailableFolders.map { BytePath($0.path) }
    let files = assets.flatMap { named in
      (named.files.isEmpty ? [named.asset.path] : named.files.sorted())
        .map { (path: $0, isMissing: named.asset.status == .missing) }
    }
    var count = 0
    for file in files where !away.contains(where: file.path.isWithin) {
      // The verification has reported files that cannot be examined.
      let isThere = (try? file.path.status() != nil) ?? true
      guard !isThere || file.isMissing else { continue }
      count += 1
      context.complain(
        isThere
          ? "\(file.path.display.terminalSafe) is missing in the catalog: run `shoebox scan` first"
          : "\(file.path.display.terminalSafe) is gone")
    }
    return count
  }

  /// - Parameter unknownCount: the named assets and files that were not found.
  private func status(
    of report: VerificationReport, _ selection: VerificationSelection, _ unknownCount: Int
  ) -> ExitStatus {
    if report.isInterrupted { return .interrupted }
    if !report.isSound || unknownCount > 0 { return .someFailed }
    let away = report.unavailableFolders.map { BytePath($0.path) }
    let isNamedAway =
      switch selection {
      case .everything: !away.isEmpty && report.checked == 0
      case .matching(let filter):
        filter.namedFolders.contains { folder in
          away.contains { folder.isWithin($0) || $0.isWithin(folder) }
        }
      case .named(let assets):
        assets.contains { named in away.contains { named.asset.path.isWithin($0) } }
      }
    return isNamedAway ? .unavailable : .success
  }
}
