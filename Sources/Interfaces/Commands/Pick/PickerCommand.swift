import ArgumentParser
import Linux
import ShoeboxKit

/// `shoebox picker`: the server of the picker.
struct PickerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picker",
    abstract: "Let programs ask people to choose from the library.",
    discussion: """
      Programs ask by the protocol of Google's Photos Picker; docs/picker.md describes it. \
      `shoebox pick` needs no server.

        shoebox picker serve
      """,
    subcommands: [PickerServe.self])
}

/// `shoebox picker serve`.
struct PickerServe: Verb {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the picker until you stop it.",
    usage: "shoebox picker serve [<options>]",
    discussion: """
      Prints the file that contains the host token, and the address. Programs send the token \
      with each request; people need none.

        shoebox picker serve
        shoebox picker serve --listen unix:/run/photos --url https://photos.example
      """)

  @Option(
    help: ArgumentHelp("Listen on HOST:PORT or unix:PATH.", valueName: "address"))
  var listen = "127.0.0.1:8437"

  @Option(
    help: ArgumentHelp(
      "The address that browsers use if a proxy forwards requests, for example https://photos.example.",
      valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("Let a person choose for N minutes.", valueName: "n"))
  var minutes = 60

  @Flag(
    name: .customLong("i-have-tls-in-front"),
    help:
      "Accept a --listen address that other machines reach, because a proxy encrypts connections.")
  var hasTLSInFront = false

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    var arguments = ["serve", "--listen", listen, "--minutes", String(minutes)]
    if let url { arguments += ["--url", url] }
    if hasTLSInFront { arguments.append("--i-have-tls-in-front") }
    arguments += try pickerArguments(global, workerOptions, in: context)
    try PickerProgram(in: context).replaceProcess(arguments)
  }
}

/// The arguments of `shoebox-picker` for the options that both commands have.
///
/// - Throws: `PhotoLibraryError` if the catalog does not exist; the program would report this with less detail.
func pickerArguments(
  _ global: GlobalOptions, _ workers: WorkerOptions, in context: CommandContext
) throws -> [String] {
  _ = try global.openLibrary(in: context)
  var arguments = ["--catalog", try global.catalogPath(in: context)]
  arguments += ["--sandbox", workers.sandbox.rawValue]
  if global.verbose { arguments.append("--verbose") }
  return arguments
}
