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

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Everywhere") var global: GlobalOptions

  func validate() throws {
    if offset < 0 || (limit ?? 0) < 0 {
      throw ValidationError("--limit and --offset are not negative.")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let filter = try filterOptions.filter(in: context)
    let order = AssetOrder(sort, isReversed: reverse, limit: limit, offset: offset)
    let catalog = try global.openCatalog(.readOnly, in: context)
    let format = formatOption.format
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
