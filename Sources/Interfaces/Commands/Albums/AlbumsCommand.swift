import ArgumentParser
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox albums`: the user's albums, and folders as albums.
struct AlbumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "List and change albums.",
    discussion: """
      An album is a list of assets in the catalog; your files stay where they are. Scans \
      never change it: an asset that is moved, missing or back again is still in it.

        shoebox albums add "Best of 2024" --where 'year = 2024 and rating >= 4'
        shoebox albums add "For the wall" ~/Pictures/IMG_1.HEIC 6f9c1a
        shoebox list --album "Best of 2024"
        shoebox albums
      """,
    subcommands: [
      AlbumsList.self, AlbumsAdd.self, AlbumsRemove.self, AlbumsRename.self, AlbumsDelete.self,
    ],
    defaultSubcommand: AlbumsList.self)
}

/// `shoebox albums list`.
struct AlbumsList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List your albums and those of Google Takeouts.",
    usage: "shoebox albums list [<options>]",
    discussion: """
      Each album has the number of its assets. Missing assets stay in your albums, and are \
      not counted.

        shoebox albums list --folders --format json
      """)

  @Flag(help: "Also list folders, which are albums with the folder's name.")
  var folders = false

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let printer = try formatOption.format.printer(
      .albums, style: global.style(in: context), to: context.output)
    let kinds: Set<Album.Kind> = folders ? [.user, .takeout, .folder] : [.user, .takeout]
    let albums = try library.listedAlbums(of: kinds)
    for album in albums { try printer.print(album) }
    try printer.finish()
    if albums.isEmpty, !global.quiet {
      let hint = folders ? "" : ", and `shoebox albums --folders` lists folders"
      context.message("no albums: `shoebox albums add` makes one\(hint)")
    }
    return .success
  }
}

/// `shoebox albums rename OLD NEW`.
struct AlbumsRename: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give one of your albums another title.",
    usage: "shoebox albums rename <old> <new> [<options>]",
    discussion: "  shoebox albums rename \"Best of 2024\" \"Best of the year\"")

  @Argument(help: ArgumentHelp("The album's title.", valueName: "old"), completion: .albums)
  var old: String

  @Argument(help: ArgumentHelp("Its new title.", valueName: "new"))
  var new: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try context.requireUTF8([old, new])
    let titles = try global.openExistingLibrary(in: context).renamedAlbum(old, to: new)
    if !global.quiet {
      context.message(
        "renamed '\(titles.old.terminalSafe)' to '\(titles.new.terminalSafe)'")
    }
    return .success
  }
}

/// `shoebox albums delete NAME`.
struct AlbumsDelete: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete one of your albums.",
    usage: "shoebox albums delete <name> [<options>]",
    discussion: """
      Its assets stay in the library and in other albums.

        shoebox albums delete "For the wall"
      """)

  @Argument(help: ArgumentHelp("The album's title.", valueName: "name"), completion: .albums)
  var name: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try context.requireUTF8([name])
    let title = try global.openExistingLibrary(in: context).deletedAlbum(name)
    if !global.quiet { context.message("deleted the album '\(title.terminalSafe)'") }
    return .success
  }
}

extension Presentation where Item == Album {
  static var albums: Presentation {
    Presentation(
      columns: [
        TableColumn("KIND", width: 7) { $0.kind.rawValue },
        TableColumn("COUNT", width: 8, alignment: .right) { humanCount($0.count) },
        TableColumn("ALBUM") { $0.title },
      ],
      fields: [
        CSVField("kind") { $0.kind.rawValue },
        CSVField("title") { $0.title },
        CSVField("count") { String($0.count) },
        CSVField("missingCount") { String($0.missingCount) },
      ],
      json: { writer, album in
        writer.object { writer in
          writer.member("kind", album.kind.rawValue)
          writer.member("title", album.title)
          writer.member("titleBytes", album.titleBytes?.base64)
          writer.member("count", album.count)
          writer.member("missingCount", album.missingCount)
        }
      },
      paths: nil)
  }
}
