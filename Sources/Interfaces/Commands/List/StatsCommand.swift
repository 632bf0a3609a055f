import ArgumentParser
import Catalog
import MediaModel
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
        shoebox stats --format json
      """)

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let catalog = try global.openCatalog(.readOnly, in: context)
    let filter = try filterOptions.filter(in: context, catalog)
    let lines = Self.lines(try catalog.statistics(matching: filter))
    let printer = try formatOption.format.printer(
      .statistics, style: global.style(in: context), to: context.output)
    for line in lines { try printer.print(line) }
    try printer.finish()
    return .success
  }

  private static func lines(_ statistics: LibraryStatistics) -> [StatisticsLine] {
    let groups: [(String, [LibraryStatistics.Line])] = [
      ("type", statistics.types), ("subtype", statistics.subtypes), ("root", statistics.roots),
      ("year", statistics.years), ("camera", statistics.cameras),
    ]
    return [StatisticsLine(group: "total", name: "", tally: statistics.total)]
      + groups.flatMap { group, lines in lines.map { StatisticsLine(group: group, $0) } }
      + [StatisticsLine(group: "spare", name: "exact copies", tally: statistics.spareCopies)]
      .filter { $0.tally.count > 0 }
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
  var tally: Tally

  init(group: String, name: String, tally: Tally) {
    (self.group, self.name, self.tally) = (group, name, tally)
  }

  init(group: String, _ line: LibraryStatistics.Line) {
    self.init(group: group, name: line.name, tally: line.tally)
    path = line.group.path
  }
}

extension Presentation where Item == StatisticsLine {
  static var statistics: Presentation {
    Presentation(
      columns: [
        TableColumn("BY", width: 7) { $0.group },
        TableColumn("COUNT", width: 10, alignment: .right) { humanCount($0.tally.count) },
        TableColumn("SIZE", width: 6, alignment: .right) { humanBytes($0.tally.bytes) },
        TableColumn("NAME", cut: .beginning) { $0.name },
      ],
      fields: [
        CSVField("group") { $0.group },
        CSVField("name") { $0.name },
        CSVField("count") { String($0.tally.count) },
        CSVField("bytes") { String($0.tally.bytes) },
      ],
      json: { writer, line in
        writer.object { writer in
          writer.member("group", line.group)
          if let path = line.path {
            writer.member("name", path: path)
          } else if !line.name.isEmpty {
            writer.member("name", line.name)
          }
          writer.member("count", line.tally.count)
          writer.member("bytes", line.tally.bytes)
        }
      },
      paths: nil)
  }
}
