import ArgumentParser
import Catalog
import Indexer
import MediaModel
import Terminal

/// `shoebox roots`: the library folders.
struct RootsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roots",
    abstract: "List, forget or move the library folders.",
    discussion: """
      To add a library folder, run `shoebox scan DIR`.

        shoebox roots
        shoebox roots move /media/old/Pictures /media/new/Pictures
      """,
    subcommands: [RootsList.self, RootsForget.self, RootsMove.self],
    defaultSubcommand: RootsList.self)
}

/// `shoebox roots list`.
struct RootsList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the library folders, and whether each is available.",
    usage: "shoebox roots list [<options>]",
    discussion: "  shoebox roots list --format json")

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let catalog = try global.openCatalog(.readOnly, in: context)
    let printer = try formatOption.format.printer(
      .roots, style: global.style(in: context), to: context.output)
    for root in try catalog.roots() {
      let reason = try ScanScope.unavailability(of: root.record, in: catalog)
      try printer.print(RootLine(root: root, unavailability: reason))
    }
    try printer.finish()
    return .success
  }
}

/// `shoebox roots forget DIR`.
struct RootsForget: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove a library folder and its assets from the catalog.",
    usage: "shoebox roots forget <dir> [<options>]",
    discussion: """
      Your files stay as they are. If you scan the folder again later, its assets get \
      new ids.

        shoebox roots forget /media/stick/DCIM
      """)

  @Argument(
    help: ArgumentHelp("The library folder.", valueName: "dir"), completion: .libraryFolders)
  var folder: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let root = try context.path(folder)
    let catalog = try global.openExistingCatalog(in: context)
    let lock = try catalog.takeScanLock()
    let count = try catalog.forgetRoot(root)
    if !global.quiet {
      context.message("forgot \(root.display.terminalSafe) and \(humanCount(count)) assets in it")
    }
    _ = consume lock
    return .success
  }
}

/// `shoebox roots move OLD NEW`.
struct RootsMove: Verb {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Record the new path of a library folder that was moved.",
    usage: "shoebox roots move <old> <new> [<options>]",
    discussion: """
      Move the files first. This command changes only the catalog; ids stay the same.
      Library folders inside OLD follow if they exist in NEW.

        shoebox roots move ~/Pictures /media/disk/Pictures
      """)

  @Argument(
    help: ArgumentHelp("The folder's path in the catalog.", valueName: "old"),
    completion: .libraryFolders)
  var old: String

  @Argument(help: ArgumentHelp("The folder's new path.", valueName: "new"), completion: .directory)
  var new: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let (old, new) = (try context.path(old), try context.path(new))
    let catalog = try global.openExistingCatalog(in: context)
    let lock = try catalog.takeScanLock()
    let (affectsLabels, inside) = try catalog.relocateRoot(old, to: new)
    if !global.quiet {
      context.message("\(old.display.terminalSafe) is \(new.display.terminalSafe) now")
      if affectsLabels {
        context.message(
          "this folder's name affects classification; the next scan re-evaluates its files")
      }
      for (old, new) in inside { context.message(Self.sentence(old, isNow: new)) }
    }
    _ = consume lock
    return .success
  }

  /// The result for a library folder inside the one that was moved.
  private static func sentence(_ old: BytePath, isNow new: BytePath?) -> String {
    let old = old.display.terminalSafe
    guard let new else {
      return
        "\(old) is a library folder too, but was not found there: record its new path with `shoebox roots move`"
    }
    return "\(old) is \(new.display.terminalSafe) now"
  }
}

/// A root and whether it can be seen.
struct RootLine {
  var root: LibraryRoot
  /// Why it cannot be seen now; nil if it can.
  var unavailability: String?

  var path: BytePath { root.record.path }
}

extension Presentation where Item == RootLine {
  static var roots: Presentation {
    Presentation(
      columns: [
        TableColumn("STATE", width: 11, isAlarming: { $0.unavailability != nil }) {
          $0.unavailability == nil ? "available" : "unavailable"
        },
        TableColumn("FILES", width: 9, alignment: .right) { humanCount($0.root.mediaCount) },
        TableColumn("ADDED", width: 10) { String(wallText($0.root.added).prefix(10)) },
        TableColumn("PATH", cut: .beginning) { line in
          line.path.display + (line.unavailability.map { " (\($0))" } ?? "")
        },
      ],
      fields: [
        CSVField("path") { $0.path.display },
        CSVField("available") { $0.unavailability == nil ? "true" : "false" },
        CSVField("files") { String($0.root.mediaCount) },
        CSVField("addedDate") { JSONWriter.instant(milliseconds: $0.root.added) },
      ],
      json: { writer, line in
        writer.object { writer in
          writer.member("path", path: line.path)
          writer.member("available", line.unavailability == nil)
          writer.member("reason", line.unavailability)
          writer.member("files", line.root.mediaCount)
          writer.member("addedDate", milliseconds: line.root.added)
        }
      },
      paths: { [$0.path] })
  }
}
