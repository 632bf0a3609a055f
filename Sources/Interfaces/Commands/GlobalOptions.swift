import ArgumentParser
import ShoeboxKit
import Terminal

/// Moves options that precede the verb, as in `shoebox --catalog FILE list`, to the end, where the parser accepts them.
///
/// - Parameter arguments: the command line without the program's name.
func globalOptionsLast(_ arguments: [String]) -> [String] {
  var rest = arguments[...]
  var leading: [String] = []
  loop: while let word = rest.first {
    switch word {
    case "--quiet", "-q", "--verbose", "-v", "--no-color": leading.append(rest.removeFirst())
    case "--catalog", "--config", "--color", "--format":
      leading += rest.prefix(2)
      rest = rest.dropFirst(2)
    case _
    where ["--catalog=", "--config=", "--color=", "--format="].contains(where: word.hasPrefix):
      leading.append(rest.removeFirst())
    default: break loop
    }
  }
  // Without a command, the parser reports the error.
  guard let word = rest.first, !word.hasPrefix("-") else { return arguments }
  // `shoebox roots -q move …`: the parser would take the first option for one of the default subcommand.
  if leading.isEmpty, let verb = Shoebox.subcommand(named: word),
    !verb.configuration.subcommands.isEmpty
  {
    return [word] + globalOptionsLast(Array(rest.dropFirst()))
  }
  guard !leading.isEmpty else { return arguments }
  let end = rest.firstIndex(of: "--") ?? rest.endIndex
  return rest[..<end] + leading + rest[end...]
}

/// The options that every verb takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this catalog (default: $SHOEBOX_CATALOG, or $XDG_DATA_HOME/shoebox/catalog.sqlite).",
      valueName: "file"), completion: .file())
  var catalog: String?

  @Option(
    help: ArgumentHelp(
      "Read settings from this file (default: $SHOEBOX_CONFIG, or $XDG_CONFIG_HOME/shoebox/config.yaml).",
      valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(name: [.customShort("q"), .long], help: "Print only results and errors.")
  var quiet = false

  @Flag(name: [.customShort("v"), .long], help: "Print more details to standard error.")
  var verbose = false

  @Option(choosing: "Colour results on a terminal, in any case, or never.", valueName: "when")
  var color = ColorUse.auto

  @Flag(help: "Disable colours, as $NO_COLOR and --color never do.")
  var noColor = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
    if catalog == "" { throw ValidationError("--catalog is empty: name a file.") }
    if config == "" { throw ValidationError("--config is empty: name a file.") }
  }

  /// The catalog's path.
  ///
  /// - Throws: `Failure` if the environment names none, or its name is not UTF-8.
  func catalogPath(in context: CommandContext) throws -> String {
    if let catalog { return try context.catalogName(catalog) }
    if let catalog = context.settings.catalog {
      return try context.catalogName(catalog, isArgument: false)
    }
    guard let path = PhotoLibrary.Configuration.defaultCatalogText(environment: context.environment)
    else {
      let home = context.environment["HOME"] ?? ""
      let reason = home.isEmpty ? "$HOME is not set" : "$HOME is not an absolute path"
      throw Failure(.usage, "\(reason): name the catalog with --catalog")
    }
    return try context.catalogName(path, isArgument: false)
  }

  /// Opens the library that the command is about.
  ///
  /// - Parameter settings: the settings of its workers; nil for a command that starts none.
  func openLibrary(
    _ access: PhotoLibrary.Access = .readOnly, in context: CommandContext,
    _ settings: WorkerSettings = WorkerSettings()
  ) throws -> PhotoLibrary {
    let path = try catalogPath(in: context)
    if verbose { context.message("catalog: \(path)") }
    return try settings.library(at: path, access, in: context)
  }

  /// Opens for writing what must be there already.
  func openExistingLibrary(in context: CommandContext) throws -> PhotoLibrary {
    _ = try openLibrary(in: context)
    return try WorkerSettings().library(at: catalogPath(in: context), .readWrite, in: context)
  }

  /// The style of results on standard output.
  func style(in context: CommandContext) -> Style {
    let noColorSet = context.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Style(
      isTerminal: context.isOutputTerminal,
      hasColor: hasColor(
        unlessAsked: context.isOutputTerminal && !noColorSet
          && context.environment["TERM"] != "dumb"),
      width: context.isOutputTerminal ? context.width : nil)
  }

  private func hasColor(unlessAsked usual: Bool) -> Bool {
    if noColor { return false }
    return switch color {
    case .auto: usual
    case .always: true
    case .never: false
    }
  }
}

/// When results are coloured.
enum ColorUse: String, WordChoice, CaseIterable {
  case auto, always, never
}
