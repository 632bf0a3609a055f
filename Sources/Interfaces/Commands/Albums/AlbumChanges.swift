import ArgumentParser
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// `shoebox albums add NAME`.
struct AlbumsAdd: Verb {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add assets to an album, which is created if necessary.",
    usage: "shoebox albums add <name> [<asset> ...] [<options>]",
    discussion: """
      Name assets, or use filters. Titles ignore case.

        shoebox albums add "Best of 2024" --where 'year = 2024 and rating >= 4'
        shoebox albums add "For the wall" ~/Pictures/IMG_1.HEIC 6f9c1a
      """)

  @OptionGroup var selection: AlbumSelectionOptions
  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try context.requireUTF8([selection.name])
    let library = try global.openExistingLibrary(in: context)
    try library.checkAlbumTitle(selection.name)
    let (assets, unknownCount) = try selection.assets(filterOptions, library, in: context)
    if try library.isEmpty(assets) {
      if !global.quiet, unknownCount == 0 {
        context.message("no asset matches: nothing to add")
      }
    } else {
      let done = try library.add(assets, toAlbum: selection.name)
      if !global.quiet {
        let title = done.title.terminalSafe
        context.message(
          "added \(assetCount(done.count)) to \(done.isNew ? "the new album " : "")'\(title)'")
      }
    }
    return unknownCount > 0 ? .someFailed : .success
  }
}

/// `shoebox albums remove NAME`.
struct AlbumsRemove: Verb {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove assets from one of your albums.",
    usage: "shoebox albums remove <name> [<asset> ...] [<options>]",
    discussion: """
      Name assets, or use filters. The assets stay in the library. To delete the album \
      itself, run `shoebox albums delete NAME`.

        shoebox albums remove "Best of 2024" --type screenshots
      """)

  @OptionGroup var selection: AlbumSelectionOptions
  @OptionGroup(title: "Filter") var filterOptions: FilterOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try context.requireUTF8([selection.name])
    let library = try global.openExistingLibrary(in: context)
    let (assets, unknownCount) = try selection.assets(filterOptions, library, in: context)
    let done = try library.remove(assets, fromAlbum: selection.name)
    if !global.quiet {
      context.message(
        done.count == 0
          ? "none of the assets is in '\(done.title.terminalSafe)': nothing to remove"
          : "removed \(assetCount(done.count)) from '\(done.title.terminalSafe)'")
    }
    return unknownCount > 0 ? .someFailed : .success
  }
}

/// The album and the assets of a change.
struct AlbumSelectionOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The album's title.", valueName: "name"), completion: .albums)
  var name: String

  @Argument(
    help: ArgumentHelp(
      "An id, an id prefix of at least 6 characters, or a file's path.", valueName: "asset"))
  var assets: [String] = []

  /// The selected assets, and the number of named assets that do not exist.
  ///
  /// - Throws: `Failure` if there is neither an asset nor a filter, or both; what an invalid filter throws.
  func assets(
    _ filterOptions: FilterOptions, _ library: PhotoLibrary, in context: CommandContext
  ) throws -> (AlbumSelection, unknownCount: Int) {
    let filter = try filterOptions.filter(in: context, library)
    guard !assets.isEmpty else {
      guard filter != Query::AssetFilter() else {
        throw Failure(.usage, "no assets: name some, or use a filter such as --since 2024")
      }
      return (.matching(filter), 0)
    }
    guard filter == Query::AssetFilter() else {
      throw Failure(.usage, "name assets or use filters, but not both")
    }
    let (named, unknownCount) = try context.assets(named: assets, in: library)
    return (.named(named), unknownCount)
  }
}

private func assetCount(_ count: Int) -> String {
  "\(humanCount(count)) \(count == 1 ? "asset" : "assets")"
}
