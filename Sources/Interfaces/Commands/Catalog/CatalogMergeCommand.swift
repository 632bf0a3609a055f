import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import Synchronization
import SystemPackage
import Terminal

/// `shoebox catalog merge --into ALL SHARD…`.
struct CatalogMergeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Take into one catalog what other catalogs have.",
    usage: "shoebox catalog merge --into <file> <catalog> ... [<options>]",
    discussion: """
      The catalogs may be those of `scan --shard`, or of different libraries. They stay as
      they are. Run the command again to take what has changed in them since.

        shoebox catalog merge --into all.sqlite shards/*.sqlite
      """)

  @Option(
    help: ArgumentHelp(
      "The catalog to merge into; created if it does not exist.", valueName: "file"),
    completion: .file())
  var into: String

  @Argument(help: ArgumentHelp("The catalogs to merge.", valueName: "catalog"), completion: .file())
  var catalogs: [String]

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if global.catalog != nil { throw ValidationError("--into names the catalog, not --catalog.") }
    if into.isEmpty { throw ValidationError("--into is empty: name a file.") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let name = try context.catalogName(into)
    for other in catalogs { _ = try context.catalogName(other) }
    let others = try catalogs.map { try context.givenPath($0).absolute() }
    let target = try context.path(into)
    for (other, typed) in zip(others, catalogs) {
      guard try context.path(typed) != target else {
        throw Failure(.usage, "\(other.display) is the catalog to merge into: name others")
      }
      guard try other.status() != nil else {
        throw Failure(.inputOutput, "there is no catalog \(other.display)")
      }
    }
    let settings = try WorkerSettings(jobs: nil, workerOptions, in: context)
    let report = MergeReport()
    let isQuiet = global.quiet || format == .json
    let file = try context.givenPath(into).absolute()
    var left = others.map { FilePath($0) }
    if try file.status() == nil {
      left = try await cancelledBySignals { [left] in
        try await PhotoLibrary.createCatalog(at: FilePath(file), merging: left) {
          report.append($0)
        }
      }
    } else {
      // A wrong name must not change a catalog.
      for other in others {
        _ = try WorkerSettings().library(at: other.display, .readOnly, in: context)
      }
    }
    let library = try settings.library(at: name, .readWrite, in: context)
    try await cancelledBySignals { [left] in try await library.merge(left) { report.append($0) } }
    if format == .json {
      try context.output.json { writer in
        writer.object { writer in
          writer.key("catalogs")
          writer.array { writer in
            for merged in report.all {
              writer.object { writer in
                writer.member("path", path: BytePath(merged.path))
                writer.member("added", merged.added)
                writer.member("changed", merged.changed)
                writer.member("total", merged.total)
                writer.member("isUnchanged", merged.isUnchanged)
              }
            }
          }
        }
      }
    } else if !isQuiet {
      let all = report.all
      let unchanged = all.count { $0.isUnchanged }
      try context.output.line(
        "merged \(humanCount(all.count - unchanged)) catalog\(all.count - unchanged == 1 ? "" : "s"): \(humanCount(all.reduce(0) { $0 + $1.added })) new, "
          + "\(humanCount(all.reduce(0) { $0 + $1.changed })) changed"
          + (unchanged > 0 ? "; \(humanCount(unchanged)) were merged already" : ""))
    }
    return .success
  }
}

/// What was merged so far.
private final class MergeReport: Sendable {
  private let merged = Mutex<[MergedCatalog]>([])

  var all: [MergedCatalog] { merged.withLock { $0 } }

  func append(_ catalog: MergedCatalog) { merged.withLock { $0.append(catalog) } }
}
