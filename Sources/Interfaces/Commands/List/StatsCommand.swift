import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox stats`: the library in numbers.
struct StatsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "stats", _superCommandName: "shoebox",
    abstract: "Count assets and bytes by type, subtype, root, year and camera.",
    usage: "shoebox stats [<options>]",
    discussion: """
      An asset and its motion clip count as one. An asset can have several subtypes, or \
      none. Spare copies are the exact duplicates of an asset, beyond the first.

        shoebox stats --since 2020 --camera canon
        shoebox stats --by keyword --limit 20
        shoebox stats --format json
      """)

  @Option(choosing: "Count only by this.", valueName: "group")
  var by: AssetGrouping?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most N groups of --by.", valueName: "n"))
  var limit: Int?

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if limit != nil, by == nil { throw ValidationError("--limit is for --by.") }
    if (limit ?? 0) < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let filter = try filterOptions.filter(in: context, library)
    let lines =
      try by.map { grouping in
        try library.groups(matching: filter, by: grouping).prefix(limit ?? .max)
          .map { StatisticsLine(group: grouping.rawValue, $0) }
      } ?? Self.lines(try library.statistics(matching: filter))
    let printer = try formatOption.format.printer(
      .statistics, style: global.style(in: context), to: context.output)
    for line in lines { try printer.print(line) }
    try printer.finish()
    return .success
  }

  private static func lines(_ statistics: LibraryStatistics) -> [StatisticsLine] {
    let groups: [(String, [AssetGroup])] = [
      ("type", statistics.types), ("subtype", statistics.subtypes), ("root", statistics.folders),
      ("year", statistics.years), ("camera", statistics.cameras),
    ]
    return [StatisticsLine(group: "total", name: "", statistics.total)]
      + groups.flatMap { group, lines in lines.map { StatisticsLine(group: group, $0) } }
      + [StatisticsLine(group: "spare", name: "exact copies", statistics.spareCopies)]
      .filter { $0.count > 0 }
  }
}

/// One count of the library: its subject, number and size.
struct StatisticsLine {
  /// `total`, `type`, `subtype`, `root`, `year`, `camera`, or `spare` for copies that can be deleted.
  var group: String
  /// Which of the group; empty for the total.
  var name: String
  /// The folder or root that is counted, if it is one.
  var path: BytePath?
  var count: Int
  var bytes: Int64

  init(group: String, name: String, _ counted: AssetGroup) {
    (self.group, self.name, count, bytes) = (group, name, counted.count, counted.bytes)
  }

  init(group: String, _ counted: AssetGroup) {
    let path = counted.path.map { BytePath($0) }
    self.init(
      group: group, name: path?.display ?? counted.name ?? "unknown", counted)
    self.path = path
  }
}

extension Presentation where Item == StatisticsLine {
  static var statistics: Presentation {
    Presentation(
      columns: [
        TableColumn("BY", width: 7) { $0.group },
        TableColumn("COUNT", width: 10, alignment: .right) { humanCount($0.count) },
        TableColumn("SIZE", width: 6, alignment: .right) { humanBytes($0.bytes) },
        TableColumn("NAME", cut: .beginning) { $0.name },
      ],
      fields: [
        CSVField("group") { $0.group },
        CSVField("name") { $0.name },
        CSVField("count") { String($0.count) },
        CSVField("bytes") { String($0.bytes) },
      ],
      json: { writer, line in
        writer.object { writer in
          writer.member("group", line.group)
          if let path = line.path {
            writer.member("name", path: path)
          } else if !line.name.isEmpty {
            writer.member("name", line.name)
          }
          writer.member("count", line.count)
          writer.member("bytes", line.bytes)
        }
      },
      paths: nil)
  }
}
