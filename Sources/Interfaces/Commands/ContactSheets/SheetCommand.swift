import ArgumentParser
import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// `shoebox sheet`: writes a page of previews.
struct SheetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sheet", _superCommandName: "shoebox",
    abstract: "Write an HTML page with previews of pictures and videos.",
    usage: "shoebox sheet [<asset> ...] --to <file> [<options>]",
    discussion: """
      The page shows the whole library if you name no asset and no filter. It contains \
      its previews, and no scripts. Videos and the clips of live photos play in it if \
      browsers know their format; it loads them from the library.

      Assets with the same content share one preview, which lists the other files.

      --renditions writes a JPEG of at most 1600 pixels of each picture into a folder \
      next to the page, named like it with _files at the end. A click on a preview \
      opens it. Without the option, a click opens the original.

        shoebox sheet --since 2023 --until 2023 --to 2023.html --title 'Our 2023'
        shoebox sheet --type raw --renditions -o raw.html
        shoebox sheet IMG_1.HEIC IMG_2.HEIC -o two.html
      """)

  @Argument(
    help: ArgumentHelp(
      "An id, an id prefix of at least 6 characters, or a file's path.", valueName: "asset"),
    completion: .file())
  var assets: [String] = []

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write the page to FILE. An earlier contact sheet is replaced, and no other file.",
      valueName: "file"), completion: .file(extensions: ["html"]))
  var to: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The title of the page.", valueName: "text"))
  var title: String?

  @Option(
    choosing: "Group the previews by this unit (default: chosen by the dates).", valueName: "time")
  var heading: SheetHeading?

  @Flag(inversion: .prefixedNo, help: "Show assets with the same content as one preview.")
  var stack = true

  @Flag(help: "Write larger pictures into a folder next to the page.")
  var renditions = false

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions

  @Option(choosing: "Sort by this key.", valueName: "key", standard: .captureDate)
  var sort: AssetOrder.Key?

  @Flag(help: "Reverse the order.")
  var reverse = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show at most N assets.", valueName: "n"))
  var limit: Int?

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    try checkJobs(jobs)
    if to.isEmpty { throw ValidationError("--to is empty: name a file.") }
    if title == "" { throw ValidationError("--title is empty.") }
    if (limit ?? 0) < 0 { throw ValidationError("--limit must not be negative.") }
    if !assets.isEmpty, limit != nil || sort != nil || reverse || heading != nil {
      throw ValidationError(
        "--limit, --sort, --reverse and --heading are for filters: named assets keep their order.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    try context.requireUTF8([title].compactMap(\.self))
    _ = try filterOptions.ownFilter(in: context, nil)
    let settings = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    let library = try global.openLibrary(in: context, settings)
    let (source, unknownCount) = try source(library, context)
    // A page without pictures would replace an earlier one.
    if case .named(let named) = source, named.isEmpty { return .someFailed }
    let choices = SheetChoices(
      title: title, heading: heading, stacksCopies: stack, makesRenditions: renditions)
    let sheet = try ContactSheet(library, source, choices)
    let status = try await sheet.make(
      at: context.givenPath(to), as: format, isQuiet: global.quiet, in: context)
    return status == .success && unknownCount > 0 ? .someFailed : status
  }

  /// The assets of the page, and the number of named assets that do not exist.
  private func source(
    _ library: PhotoLibrary, _ context: CommandContext
  ) throws -> (SheetSource, unknownCount: Int) {
    let filter = try filterOptions.filter(in: context, library)
    guard !assets.isEmpty else {
      let order = AssetOrder(sort ?? .captureDate, isReversed: reverse, limit: limit)
      return (.matching(filter, order), 0)
    }
    guard filter == Query::AssetFilter() else {
      throw Failure(.usage, "name assets or use filters, but not both")
    }
    let (named, unknownCount) = try context.assets(named: assets, in: library)
    return (.named(named.map(\.asset)), unknownCount)
  }
}
