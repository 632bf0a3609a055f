import ArgumentParser
import MediaModel
import Presets
import Terminal

/// `shoebox presets`: lists, shows and checks presets for exports.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List, show or check export presets.",
    discussion: """
      Your own presets are JSON files in ~/.config/shoebox/presets. For an example file, \
      run `shoebox presets show NAME --format json`.

        shoebox presets
        shoebox presets show compatible
        shoebox presets check mine.json
      """,
    subcommands: [PresetsList.self, PresetsShow.self, PresetsCheck.self],
    defaultSubcommand: PresetsList.self)
}

/// `shoebox presets list`.
struct PresetsList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the available presets.",
    usage: "shoebox presets list [<options>]",
    discussion: "  shoebox presets list --format json")

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try presetLibrary(context.environment)
    let printer = try formatOption.format.printer(
      .presets, style: global.style(in: context), to: context.output)
    for preset in library.presets { try printer.print(preset) }
    try printer.finish()
    return context.complain(about: library.problems)
  }
}

/// `shoebox presets show NAME`.
struct PresetsShow: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all keys of a preset, including defaults.",
    usage: "shoebox presets show <name> [<options>]",
    discussion: """
      With --format json, prints a preset file that you can edit.

        shoebox presets show web
        shoebox presets show AVAssetExportPresetPassthrough --format json
      """)

  @Argument(help: ArgumentHelp("The name of a preset.", valueName: "name"), completion: .presets())
  var name: String

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try presetLibrary(context.environment)
    let presets = try library.presets(named: name)
    if formatOption.format == .table {
      for (index, preset) in presets.enumerated() {
        if index > 0 { try context.output.line("") }
        for line in preset.description(global.style(in: context)) {
          try context.output.line(line)
        }
      }
    } else {
      let printer = try formatOption.format.printer(
        .presets, style: global.style(in: context), to: context.output)
      for preset in presets { try printer.print(preset) }
      try printer.finish()
    }
    return context.complain(about: library.problems)
  }
}

/// `shoebox presets check FILE`.
struct PresetsCheck: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a preset file, and show how to fix each mistake.",
    usage: "shoebox presets check <file> [<options>]",
    discussion: """
      Exits 0 if the file is valid, and 65 if it is not.

        shoebox presets check ~/.config/shoebox/presets/mine.json
      """)

  @Argument(
    help: ArgumentHelp("A preset file (JSON).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(choosing: "Print the findings in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let file = try PresetFile(reading: context.givenPath(file))
    let library = PresetLibrary(own: [file])
    let presets = library.presets.filter { $0.header.origin == file.name }
    switch format {
    case .json:
      try context.output.json { $0.write(file, presets, library.problems) }
      return library.problems.isEmpty ? .success : .badData
    case .table:
      let names = presets.filter(library.isWell).map {
        "\($0.kind.rawValue) preset \($0.header.name)"
      }
      for name in names { try context.output.line("\(name): well") }
      return context.complain(about: library.problems)
    }
  }
}

extension CommandContext {
  /// Says what is wrong in files of presets.
  fileprivate func complain(about problems: [PresetProblem]) -> ExitStatus {
    for problem in problems { complain("\(problem)".terminalSafe) }
    return problems.isEmpty ? .success : .badData
  }
}

extension JSONWriter {
  fileprivate mutating func write(
    _ file: PresetFile, _ presets: [Preset], _ problems: [PresetProblem]
  ) {
    object { writer in
      writer.member("file", file.name)
      writer.member("ok", problems.isEmpty)
      writer.member("presets", presets.map(\.header.name))
      writer.key("problems")
      writer.array { writer in
        for problem in problems {
          writer.object { writer in
            writer.member("preset", problem.preset)
            writer.member("key", problem.key)
            writer.member("complaint", problem.complaint)
          }
        }
      }
    }
  }
}
