import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox catalog split --shards N --store DIR`.
struct CatalogSplitCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Write the shards of the catalog as catalogs of their own.",
    usage: "shoebox catalog split --shards <n> --store <dir> [<options>]",
    discussion: """
      Tasks go on from there with `scan --shard K/N --catalog FILE`, and `catalog merge`
      takes their changes back. Assets keep their ids. A shard that the folder has
      already is left as it is.

        shoebox catalog split --shards 64 --store /shared/shards
      """)

  @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
  var shards: Int

  @Option(
    help: ArgumentHelp(
      "The folder for the catalogs, shard-1-of-N.sqlite and so on.", valueName: "dir"),
    completion: .directory)
  var store: String

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard LibraryShard(1, of: shards) != nil else {
      throw ValidationError("--shards must be from 1 to 1000000.")
    }
    if store.isEmpty { throw ValidationError("--store is empty: name a folder.") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let place = ShardStore(folder: try context.givenPath(store).absolute())
    var written: [(path: BytePath, bytes: Int64)] = []
    for number in 1...shards {
      guard let shard = LibraryShard(number, of: shards), try !place.has(shard) else { continue }
      let path = place.path(of: shard)
      let size = try await cancelledBySignals { try await library.split(shard, to: FilePath(path)) }
      written.append((path, size))
    }
    switch format {
    case .json:
      try context.output.json { writer in
        writer.object { writer in
          writer.key("catalogs")
          writer.array { writer in
            for catalog in written {
              writer.object { writer in
                writer.member("path", path: catalog.path)
                writer.member("bytes", catalog.bytes)
              }
            }
          }
        }
      }
    case .table:
      if global.quiet { break }
      let kept = shards - written.count
      try context.output.line(
        "wrote \(humanCount(written.count)) catalog\(written.count == 1 ? "" : "s"), "
          + humanBytes(written.reduce(0) { $0 + $1.bytes })
          + (kept > 0 ? "; \(humanCount(kept)) were there already" : ""))
    }
    return .success
  }
}
