import ArgumentParser

/// `shoebox catalog`: catalogs as a whole.
struct CatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Merge catalogs, or split one.",
    discussion: """
        shoebox catalog merge --into all.sqlite shards/*.sqlite
        shoebox catalog split --shards 64 --store shards
      """,
    subcommands: [CatalogMergeCommand.self, CatalogSplitCommand.self])
}
