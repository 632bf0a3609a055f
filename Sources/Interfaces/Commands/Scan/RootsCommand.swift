import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
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
    let library = try global.openLibrary(in: context)
    let printer = try formatOption.format.printer(
      .folders, style: global.style(in: context), to: context.output)
    for folder in try library.listedFolders() { try printer.print(folder) }
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

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try global.openExistingLibrary(in: context)
    let root = try library.root(named: folder, in: context)
    let count = try await library.forgetFolder(FilePath(root))
    if !global.quiet {
      let assets = count == 1 ? "1 asset" : "\(humanCount(count)) assets"
      context.message("forgot \(root.display.terminalSafe) and \(assets) in it")
    }
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

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try global.openExistingLibrary(in: context)
    let (old, new) = (try library.root(named: old, in: context), try context.path(new))
    let move = try await library.moveFolder(FilePath(old), to: FilePath(new))
    if !global.quiet {
      context.message("\(old.display.terminalSafe) is \(new.display.terminalSafe) now")
      if move.affectsKinds {
        context.message(
          "this folder's name affects classification; the next scan re-evaluates its files")
      }
      for folder in move.inside { context.message(Self.sentence(folder)) }
    }
    for root in context.settings.roots
    where (try? context.path(root).isWithin(old)) == true {
      context.warn(
        "`roots` in the configuration still names \(root.terminalSafe): write the new path there, or the next scan looks "
          + "for the files in the old folder")
    }
    return .success
  }

  /// The result for a library folder inside the one that was moved.
  private static func sentence(_ folder: FolderMove.InnerFolder) -> String {
    let old = BytePath(folder.old).display.terminalSafe
    guard let new = folder.new.map({ BytePath($0) }) else {
      return
        "\(old) is a library folder too, but was not found there: record its new path with `shoebox roots move`"
    }
    return "\(old) is \(new.display.terminalSafe) now"
  }
}

extension Presentation where Item == LibraryFolder {
  static var folders: Presentation {
    Presentation(
      columns: [
        TableColumn("STATE", width: 11, isAlarming: { $0.unavailability != nil }) {
          $0.unavailability == nil ? "available" : "unavailable"
        },
        TableColumn("FILES", width: 9, alignment: .right) { humanCount($0.fileCount) },
        TableColumn("ADDED", width: 10) { String(wallText($0.addedDate.milliseconds).prefix(10)) },
        TableColumn("PATH", cut: .beginning) { line in
          BytePath(line.path).display + (line.unavailability.map { " (\($0))" } ?? "")
        },
      ],
      fields: [
        CSVField("path") { BytePath($0.path).display },
        CSVField("available") { $0.unavailability == nil ? "true" : "false" },
        CSVField("files") { String($0.fileCount) },
        CSVField("addedDate") { JSONWriter.instant(milliseconds: $0.addedDate.milliseconds) },
      ],
      json: { writer, line in
        writer.object { writer in
          writer.member("path", path: BytePath(line.path))
          writer.member("available", line.unavailability == nil)
          writer.member("reason", line.unavailability)
          writer.member("files", line.fileCount)
          writer.member("addedDate", milliseconds: line.addedDate.milliseconds)
        }
      },
      paths: { [BytePath($0.path)] })
  }
}

extension PhotoLibrary {
  /// The library folder that an argument names; its path without symbolic links if there is none.
  nonisolated fileprivate func root(named argument: String, in context: CommandContext) throws
    -> BytePath
  {
    let known = Set(try listedFolders().map { BytePath($0.path) })
    let paths = try context.catalogPaths(argument)
    return try paths.first(where: known.contains) ?? context.path(argument)
  }
}
