import ArgumentParser
import Catalog
import Presets
import Terminal

/// `shoebox presets`: how pictures and videos can be handed out.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List, show or check the presets that export works by.",
    discussion: """
      Presets of your own are JSON files in ~/.config/shoebox/presets; docs/presets.md tells the keys.

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
    abstract: "List the presets at hand.",
    usage: "shoebox presets list [<options>]",
    discussion: "  shoebox presets list --format json")

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Everywhere") var global: GlobalOptions

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
    abstract: "Show every key of a preset, with what it leaves at its default.",
    usage: "shoebox presets show <name> [<options>]",
    discussion: """
      With --format json it is printed as a file to begin your own from.

        shoebox presets show web
        shoebox presets show AVAssetExportPresetPassthrough --format json
      """)

  @Argument(help: ArgumentHelp("A preset's name.", valueName: "name"), completion: .presets())
  var name: String

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Everywhere") var global: GlobalOptions

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
    abstract: "Check a file of presets, and name each mistake with its remedy.",
    usage: "shoebox presets check <file> [<options>]",
    discussion: """
      Exits 0 if all is well and 65 if not.

        shoebox presets check ~/.config/shoebox/presets/mine.json
      """)

  @Argument(
    help: ArgumentHelp("A file of presets.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(choosing: "How the findings are printed.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup(title: "Everywhere") var global: GlobalOptions

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
    for problem in problems { complain("\(problem)".harmless) }
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
            writer.member("key", problem.key)
            writer.member("complaint", problem.complaint)
          }
        }
      }
    }
  }
}
