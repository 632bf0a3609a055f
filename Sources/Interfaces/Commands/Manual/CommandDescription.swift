import ArgumentParser
import Foundation

/// A command in the argument parser's description (`--experimental-dump-help`), as far as a manual page needs it.
struct CommandDescription: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool
  var superCommands: [String]?
  var defaultSubcommand: String?
  var subcommands: [CommandDescription]?
  var arguments: [ArgumentDescription]?

  /// The whole tree of commands.
  static func shoebox() throws -> CommandDescription {
    struct Tool: Decodable {
      var command: CommandDescription
    }
    return try JSONDecoder().decode(Tool.self, from: Data(Shoebox._dumpHelp().utf8)).command
  }

  /// What is typed to run it, word by word.
  var words: [String] { (superCommands ?? []) + [commandName] }

  /// Its subcommands, without internal ones and the parser's own `help`.
  var shownSubcommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// The command and all its subcommands, in the order of the help.
  var tree: [CommandDescription] { [self] + shownSubcommands.flatMap(\.tree) }
}

/// An argument, option or flag of a ``CommandDescription``.
struct ArgumentDescription: Decodable {
  enum Kind: String, Decodable {
    case positional, option, flag
  }

  struct Name: Decodable {
    var kind: String
    var name: String

    /// As it is typed.
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  var kind: Kind
  var shouldDisplay: Bool
  var isOptional: Bool
  var isRepeating: Bool
  var names: [Name]?
  var valueName: String?
  var defaultValue: String?
  var allValues: [String]?
  var abstract: String?
  var discussion: String?
  var sectionTitle: String?
}
