import ArgumentParser
import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// `shoebox list`: prints the selected assets, newest first.
struct ListCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", _superCommandName: "shoebox",
    abstract: "List pictures and videos, newest capture first.",
    usage: "shoebox list [<options>]",
    discussion: """
      An asset must match every kind of filter. If you repeat a filter, any one of its \
      values is enough.

      An expression joins conditions with and, or, not, all(…) and any(…). A condition \
      is one of these: a kind, as in --type; an attribute compared with =, !=, <, <=, \
      >, >= or in LOW..HIGH; a text compared with =, !=, ~ or like; has(ATTRIBUTE); \
      missing; near(LAT, LON, 5km); under "FOLDER"; search("WORDS").
      Attributes and texts: \(Self.attributes).

        shoebox list --type screenshots --since 2023-05 --limit 20
        shoebox list --under ~/Pictures/2022 --camera iphone --format jsonl
        shoebox list --where 'any(livePhotos, videos) and year = 2023'
        shoebox list --search 'rome beach' --columns captureDate,name,camera
        shoebox list --type screenshots --group-by year
        shoebox list --min-size 100MB --sort size --format paths0 | xargs -0 ls -l
        shoebox list --type raw --format paths0 --resources all | xargs -0 du -ch
        shoebox list --since 2023 --format sheet --to 2023.html
      """)

  /// What an expression compares, by all names.
  private static let attributes = Attribute.allCases.map(\.rawValue).joined(separator: ", ")

  static var endsWithReader: Bool { true }

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions

  @Option(choosing: "Sort by this key.", valueName: "key", standard: .captureDate)
  var sort: AssetOrder.Key?

  @Flag(help: "Reverse the order.")
  var reverse = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show at most N assets.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Skip the first N assets.", valueName: "n"))
  var offset: Int?

  @Option(choosing: "Print a count for each value instead of assets.", valueName: "what")
  var groupBy: AssetGrouping?

  @Flag(help: "Print only the number of assets.")
  var count = false

  @Option(
    help: ArgumentHelp(
      "Columns of table and csv: \(AssetColumn.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "a,b,c"), completion: .columnWords)
  var columns: String?

  @Option(
    choosing: "Files of an asset that --format paths and paths0 print.", valueName: "resources")
  var resources = ResourceChoice.main

  @Option(help: ArgumentHelp("Save this filter as NAME, for use with --saved.", valueName: "name"))
  var save: String?

  @OptionGroup var formatOptions: ListFormatOptions
  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if (offset ?? 0) < 0 || (limit ?? 0) < 0 {
      throw ValidationError("--limit and --offset must not be negative.")
    }
    if columns != nil, ![.printed(.table), .printed(.csv)].contains(formatOptions.format) {
      throw ValidationError("--columns is for --format table and csv.")
    }
    if resources == .all, ![.printed(.paths), .printed(.paths0)].contains(formatOptions.format) {
      throw ValidationError(
        "--resources all is for --format paths and paths0; json and jsonl list all files.")
    }
    if formatOptions.format == .sheet && (count || groupBy != nil) {
      throw ValidationError("--format sheet is for assets, not for counts.")
    }
    if count && groupBy != nil {
      throw ValidationError("--count and --group-by exclude each other.")
    }
    if (columns != nil || sort != nil) && (count || groupBy != nil) {
      throw ValidationError("--columns and --sort are for assets, not for counts.")
    }
    if save != nil && !filterOptions.shared.saved.isEmpty {
      throw ValidationError("--save cannot be combined with --saved.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let chosen = try columns.map(AssetColumn.list(typed:))
    _ = try filterOptions.ownFilter(in: context, nil)
    let library = try global.openLibrary(in: context, try workerSettings(in: context))
    let filter = try filterOptions.filter(in: context, library)
    if let save { try keep(save, in: context) }
    let order = AssetOrder(
      sort ?? .captureDate, isReversed: reverse, limit: limit, offset: offset ?? 0)
    switch formatOptions.format {
    case .sheet:
      let sheet = try ContactSheet(
        library, .matching(filter, order), SheetChoices(heading: formatOptions.heading))
      return try await sheet.make(
        at: context.givenPath(formatOptions.to ?? ""), isQuiet: global.quiet, in: context)
    case .printed(let format) where count:
      context.keepOpen(library)
      try printCount(try library.count(matching: filter), as: format, to: context.output)
    case .printed(let format):
      context.keepOpen(library)
      if let groupBy {
        let groups = try library.groups(matching: filter, by: groupBy)
        try printGroups(groups, by: groupBy, as: format, in: context)
      } else {
        let presentation = (chosen.map(Presentation.assets) ?? .assets).with(resources)
        var parts = format.assetParts
        for column in chosen ?? [] { parts.formUnion(column.neededParts) }
        if resources == .all { parts.insert(.resources) }
        try library.print(
          filter, order, presentation, with: parts, as: format, isQuiet: global.quiet,
          style: global.style(in: context), to: context)
      }
    }
    return .success
  }
}

extension PhotoLibrary {
  /// Prints assets, and their number to standard error.
  nonisolated fileprivate func print(
    _ filter: Query::AssetFilter, _ order: AssetOrder, _ presentation: Presentation<AssetRecord>,
    with parts: AssetParts, as format: OutputFormat, isQuiet: Bool, style: Style,
    to context: CommandContext
  ) throws {
    let printer = try format.printer(presentation, style: style, to: context.output)
    var total = (count: 0, bytes: Int64(0))
    do {
      try forEachRecord(matching: filter, in: order, with: parts) { asset in
        try printer.print(asset)
        total.count += 1
        total.bytes = total.bytes.adding(size: asset.size)
      }
    } catch {
      // The results so far are printed. A JSON array is not closed, because it would appear to be complete.
      if format != .json { try? printer.finish() }
      throw error
    }
    try printer.finish()
    try context.output.flush()
    if isQuiet { return }
    let bytes = total.count > 0 ? ", \(humanBytes(total.bytes))" : ""
    let noun = total.count == 1 ? "asset" : "assets"
    context.message("\(humanCount(total.count)) \(noun)\(bytes)")
  }
}

extension ListCommand {
  private func printCount(
    _ count: Int, as format: OutputFormat, to output: Output
  ) throws {
    switch format {
    case .json, .jsonl: try output.json { writer in writer.object { $0.member("count", count) } }
    case .csv: try output.append("count\r\n\(count)\r\n".utf8)
    case .table: try output.line(String(count))
    case .paths, .paths0:
      throw Failure(.usage, "a count has no paths: use --format table, json, jsonl or csv")
    }
  }

  private func printGroups(
    _ groups: [AssetGroup], by grouping: AssetGrouping, as format: OutputFormat,
    in context: CommandContext
  ) throws {
    let printer = try format.printer(
      .statistics, style: global.style(in: context), to: context.output)
    let ordered = reverse ? groups.reversed() : groups
    for line in ordered.dropFirst(offset ?? 0).prefix(limit ?? .max) {
      try printer.print(StatisticsLine(group: grouping.rawValue, line))
    }
    try printer.finish()
  }

  /// Those of a contact sheet; other listings start no worker.
  private func workerSettings(in context: CommandContext) throws -> WorkerSettings {
    guard formatOptions.format == .sheet else { return WorkerSettings() }
    return try WorkerSettings(jobs: formatOptions.jobs, workerOptions, in: context)
  }

  /// Saves the filter under a name, and says so.
  private func keep(_ name: String, in context: CommandContext) throws {
    let arguments = try filterOptions.arguments(in: context)
    guard !arguments.isEmpty else {
      throw Failure(.badData, "nothing to save as '\(name.terminalSafe)': name what to list")
    }
    try PhotoLibrary.checkSearchName(name)
    let library = try global.openExistingLibrary(in: context)
    let isReplaced = try library.saveSearch(name, arguments: arguments)
    if !global.quiet { context.message("\(isReplaced ? "replaced" : "saved") '\(name)'") }
  }
}

extension AssetGrouping: WordChoice {}
extension AssetOrder.Key: WordChoice {}

extension OutputFormat {
  /// The data of an asset that is printed in addition to its row.
  fileprivate var assetParts: AssetParts {
    self == .json || self == .jsonl ? .all : []
  }
}
