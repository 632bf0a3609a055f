import ArgumentParser
import Catalog

/// `shoebox list`: the assets wanted, newest first.
struct ListCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List pictures and videos, newest capture first.",
    usage: "shoebox list [<options>]",
    discussion: """
      Flags of different kinds must all hold, flags of one kind any of them.

        shoebox list --type screenshots --since 2023-05 --limit 20
        shoebox list --under ~/Pictures/2022 --camera iphone --format jsonl
        shoebox list --where 'any(livePhotos, videos) and year = 2023'
        shoebox list --min-size 100MB --sort size --format paths0 | xargs -0 ls -l
        shoebox list --since 2023 --format sheet --to 2023.html
      """)

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions

  @Option(help: ArgumentHelp("What to order by.", valueName: "key"))
  var sort = AssetOrder.Key.captureDate

  @Flag(help: "The other way round.")
  var reverse = false

  @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Pass over so many first.", valueName: "count"))
  var offset = 0

  @OptionGroup var formatOptions: ListFormatOptions
  @OptionGroup(title: "Everywhere") var global: GlobalOptions

  func validate() throws {
    if offset < 0 || (limit ?? 0) < 0 {
      throw ValidationError("--limit and --offset are not negative.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let filter = try filterOptions.filter(in: context)
    let order = AssetOrder(sort, isReversed: reverse, limit: limit, offset: offset)
    let catalog = try global.openCatalog(.readOnly, in: context)
    guard case .printed(let format) = formatOptions.format else {
      let sheet = try ContactSheet(catalog, filter, order, heading: formatOptions.heading)
      return try await sheet.make(
        at: context.givenPath(formatOptions.to ?? ""), jobs: formatOptions.jobs ?? coreCount,
        isQuiet: global.quiet,
        in: context)
    }
    let printer = try format.printer(
      .assets, style: global.style(in: context), to: context.output)
    try catalog.forEachAsset(matching: filter, in: order, with: format.assetParts, printer.print)
    try printer.finish()
    return .success
  }
}

extension AssetOrder.Key: ExpressibleByArgument {}

extension OutputFormat {
  /// What of an asset is printed beyond its own row.
  fileprivate var assetParts: AssetParts {
    self == .json || self == .jsonl ? .all : []
  }
}
