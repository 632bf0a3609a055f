import ArgumentParser
import Terminal

/// The help that `-h` prints: the usage, and a line for each option. `--help` prints all of it.
struct ShortHelp {
  private let command: CommandDescription
  private let usage: String

  /// Lines, if they suffice. Groups of options become lists of their names in longer helps.
  private static let mostLines = 40
  /// Columns of the terminal.
  private static let width = 80
  /// The column in which the explanations begin.
  private static let margin = 26

  /// Nil if the arguments, which have asked for help, have not asked for the short one.
  ///
  /// - Parameter arguments: without the program's name.
  init?(requestedBy arguments: [String]) throws {
    let options = arguments.prefix { $0 != "--" }
    guard options.contains("-h"), !options.contains("--help") else { return nil }
    var type: any ParsableCommand.Type = Shoebox.self
    var command = try CommandDescription.shoebox()
    for word in options where !word.hasPrefix("-") {
      guard
        let next = type.configuration.subcommands.first(where: {
          $0.configuration.commandName == word
        }),
        let description = command.subcommands?.first(where: { $0.commandName == word })
      else { continue }
      (type, command) = (next, description)
    }
    self.command = command
    usage = "Usage: " + Shoebox.usageString(for: type)
  }

  var text: String {
    var lines = [command.abstract ?? "", usage]
    let subcommands = command.shownSubcommands
    if !subcommands.isEmpty {
      lines += ["", "Commands:"]
      lines += subcommands.map { Self.line($0.commandName, $0.abstract ?? "") }
    }
    let sections = sections
    let words = command.words.joined(separator: " ")
    let ending = ["", "'\(words) --help' explains everything."]
    // The general groups are shortened first.
    for shortened in 0...sections.count {
      let body = sections.enumerated().flatMap { index, section in
        index >= sections.count - shortened ? section.names : section.lines
      }
      if lines.count + body.count + ending.count <= Self.mostLines || shortened == sections.count {
        lines += body
        break
      }
    }
    return (lines + ending).joined(separator: "\n")
  }

  /// The groups of options, as the long help has them: the command's own first.
  private var sections: [(lines: [String], names: [String])] {
    let shown = (command.arguments ?? []).filter { $0.shouldDisplay && $0.kind != .positional }
    var titles: [String?] = [nil]
    for argument in shown where !titles.contains(argument.sectionTitle) {
      titles.append(argument.sectionTitle)
    }
    return titles.compactMap { title in
      let arguments = shown.filter { $0.sectionTitle == title }
      guard !arguments.isEmpty else { return nil }
      let heading = ["", (title ?? "Options") + ":"]
      return (
        heading + arguments.map { Self.line($0.shortTerm, $0.shortExplanation) },
        heading + Self.wrapped(arguments.compactMap(\.longestName))
      )
    }
  }

  /// A term and the first sentence that explains it, cut to the width of a terminal.
  private static func line(_ term: String, _ explanation: String) -> String {
    let padding = String(repeating: " ", count: max(2, margin - 2 - term.columns))
    let sentence =
      explanation.firstMatch(of: /^.*?\.(?= )/).map { String($0.output) } ?? explanation
    return "  \(term)\(padding)\(sentence)".keepingBeginning(columns: width)
  }

  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("  " + word)
      }
    }
    return lines
  }
}

extension ArgumentDescription {
  /// `-o, --to <dir>`
  fileprivate var shortTerm: String {
    let names = (names ?? []).sorted { $0.text.count < $1.text.count }.map(\.text)
    let value = kind == .option ? " <\(valueName ?? "")>" : ""
    return names.joined(separator: ", ") + value
  }

  /// The parser explains its own flag for all commands.
  fileprivate var shortExplanation: String {
    longestName == "--help" ? "Show this help with -h, all of it with --help." : abstract ?? ""
  }

  fileprivate var longestName: String? {
    (names ?? []).map(\.text).max { $0.count < $1.count }
  }
}
