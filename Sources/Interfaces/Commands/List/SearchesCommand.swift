import ArgumentParser
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox searches`: the searches that `list --save` stored.
struct SearchesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searches",
    abstract: "List, show or delete saved searches.",
    discussion: """
      To save a filter, add `--save NAME` to `shoebox list`; to apply it, `--saved NAME`.

        shoebox list --type screenshots --since 2023 --save "new screenshots"
        shoebox list --saved "new screenshots" --format paths
        shoebox searches
      """,
    subcommands: [SearchesList.self, SearchesShow.self, SearchesDelete.self],
    defaultSubcommand: SearchesList.self)
}

/// `shoebox searches list`.
struct SearchesList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the saved searches.",
    usage: "shoebox searches list [<options>]",
    discussion: "  shoebox searches list --format json")

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let printer = try formatOption.format.printer(
      .savedSearches, style: global.style(in: context), to: context.output)
    for search in try library.savedSearches() { try printer.print(search) }
    try printer.finish()
    return .success
  }
}

/// `shoebox searches show NAME`.
struct SearchesShow: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a saved search as a command line.",
    usage: "shoebox searches show <name> [<options>]",
    discussion: "  shoebox searches show \"new screenshots\"")

  @Argument(
    help: ArgumentHelp("The search's name.", valueName: "name"), completion: .savedSearches)
  var name: String

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let search = try global.openLibrary(in: context).savedSearch(name)
    guard formatOption.format != .table else {
      try context.output.line("shoebox list \(search.commandLine)")
      return .success
    }
    let printer = try formatOption.format.printer(
      .savedSearches, style: global.style(in: context), to: context.output)
    try printer.print(search)
    try printer.finish()
    return .success
  }
}

/// `shoebox searches delete NAME`.
struct SearchesDelete: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a saved search.",
    usage: "shoebox searches delete <name> [<options>]",
    discussion: "  shoebox searches delete \"new screenshots\"")

  @Argument(
    help: ArgumentHelp("The search's name.", valueName: "name"), completion: .savedSearches)
  var name: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let (name, search) = try global.openExistingLibrary(in: context).deleteSearch(name)
    if !global.quiet {
      context.message("deleted '\(name)'" + (search.map { ": \($0.commandLine)" } ?? ""))
    }
    return .success
  }
}

extension SavedSearch {
  /// Its flags as a shell reads them.
  fileprivate var commandLine: String {
    arguments.map { argument in
      let isPlain = argument.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./,:=+@%".utf8.contains(byte)
      }
      if isPlain, !argument.isEmpty { return argument }
      if argument.unicodeScalars.contains(where: \.isControl) { return Self.escaped(argument) }
      return "'" + argument.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }

  /// Quoted with `$'` and `'`, in which many shells read control characters.
  private static func escaped(_ argument: String) -> String {
    var text = "$'"
    for scalar in argument.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case _ where scalar.isControl:
        for byte in String(scalar).utf8 {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension Presentation where Item == SavedSearch {
  static var savedSearches: Presentation {
    Presentation(
      columns: [
        TableColumn("NAME", width: 20) { $0.name },
        TableColumn("SAVED", width: 10) { String(wallText($0.saved).prefix(10)) },
        TableColumn("FILTER") { $0.commandLine },
      ],
      fields: [
        CSVField("name") { $0.name },
        CSVField("savedDate") { JSONWriter.instant(milliseconds: $0.saved) },
        CSVField("filter") { $0.commandLine },
      ],
      json: { writer, search in
        writer.object { writer in
          writer.member("name", search.name)
          writer.member("savedDate", milliseconds: search.saved)
          writer.member("arguments", search.arguments)
        }
      },
      paths: nil)
  }
}
