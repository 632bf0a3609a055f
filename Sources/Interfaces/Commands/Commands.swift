// Commands: the command line; arguments and printing only.
//
// Each command has a file. A command reads its arguments, asks ShoeboxKit, as any other program can, and prints the
// result. The outside world
// (streams, environment, terminal, workers) is one value, `CommandContext`, so that tests can run commands in their own
// process. Everything is printed through one switch over the output formats, in OutputFormat.swift: a new format is a
// compile error there and nowhere else.

import ArgumentParser
import Linux
import Logging
import MediaModel
import ShoeboxKit
import Terminal

/// The version of the program, as `--version` prints it.
package let shoeboxVersion = "0.1.0"

/// What `--version` prints.
let versionText = "shoebox \(shoeboxVersion)"

/// A verb of the command line that runs in a context.
protocol Verb: ParsableCommand {
  var global: GlobalOptions { get }

  /// Whether it runs with settings that have mistakes.
  static var acceptsInvalidSettings: Bool { get }

  /// Whether it ends with 0 as soon as the reader of its results closes the pipe, as in `shoebox list | head`. Any other
  /// finishes its work, and its exit status is that of the work.
  static var endsWithReader: Bool { get }

  /// Runs the command.
  ///
  /// - Throws: the error that ends it; ``ExitStatus/init(_:)`` maps errors to exit statuses.
  func run(in context: CommandContext) async throws -> ExitStatus
}

extension Verb {
  static var acceptsInvalidSettings: Bool { false }
  static var endsWithReader: Bool { false }
}

/// Runs a command. Every error becomes a sentence on standard error and an exit status.
///
/// - Parameter arguments: without the program's name.
package func runShoebox(_ arguments: [String], in context: CommandContext) async -> ExitStatus {
  var context = context
  do {
    // As soon as possible, because scripts ask for it: the parser takes longer than all else.
    if arguments == ["--version"] {
      try context.output.line(versionText)
      try context.output.flush()
      return .success
    }
    var command = try parse(globalOptionsLast(arguments))
    var status = ExitStatus.success
    if let verb = command as? any Verb {
      let file = try verb.global.config.map(context.givenPath)
      context.settings = try Settings.read(named: file, environment: context.environment)
      if !context.settings.mistakes.isEmpty, !type(of: verb).acceptsInvalidSettings {
        throw InvalidSettings(mistakes: context.settings.mistakes)
      }
      context.log = context.startLog(context.settings)
      if let log = context.log { context.message = { log.info("\($0)") } }
      if verb.global.quiet { context = context.quiet() }
      context.output.outlivesReader = !type(of: verb).endsWithReader
      status = try await verb.run(in: context)
    } else {
      try command.run()
    }
    try context.output.flush()
    return status
  } catch {
    return settle(error, arguments, in: context)
  }
}

/// Parses a command and its options.
///
/// If the first argument is a verb, its own parser reads the others: through the whole command tree they would be
/// parsed three times, which takes as long as a short listing. Invalid arguments and help are left to the tree,
/// because its messages begin with the program's name. (Quick verbs define `_superCommandName`, which skips the
/// search for the parser's own completion requests.)
private func parse(_ arguments: [String]) throws -> any ParsableCommand {
  if let name = arguments.first,
    let verb = Shoebox.configuration.subcommands.first(where: {
      $0.configuration.commandName == name
    }),
    let command = try? verb.parseAsRoot(Array(arguments.dropFirst())), command is any Verb
  {
    return command
  }
  try refuseUnknownCommand(in: arguments)
  return try Shoebox.parseAsRoot(arguments)
}

/// Says what ended a command, and how it ends.
///
/// - Parameter arguments: without the program's name.
private func settle(
  _ error: any Error, _ arguments: [String], in context: CommandContext
) -> ExitStatus {
  if let error = error as? SystemError, error.isBrokenPipe {
    // The reader has closed the pipe, which is not a failure of a command that only prints.
    return .success
  }
  // The user has asked for it.
  if error is CancellationError || error as? PhotoLibraryError == .cancelled { return .interrupted }
  if let status = ExitStatus(error) {
    // The results before the error are printed before the message.
    try? context.output.flush()
    if let error = error as? InvalidSettings {
      for mistake in error.mistakes { context.complain(mistake.terminalSafe) }
    } else {
      context.complain(CommandContext.sentence(of: error))
    }
    return status
  }
  return settleParsing(error, arguments, in: context)
}

/// Prints the argument parser's message: help, the version, or an error in the usage.
private func settleParsing(
  _ error: any Error, _ arguments: [String], in context: CommandContext
) -> ExitStatus {
  var message = Shoebox.fullMessage(for: error)
  if Shoebox.exitCode(for: error) == .success {
    if let cluster = unintendedHelp(in: arguments) {
      context.complain(
        "unknown option '\(cluster.terminalSafe)': put -- before names that begin with -")
      return .usage
    }
    do {
      if let short = try ShortHelp(requestedBy: arguments) { message = short.text }
      if !message.isEmpty { try context.output.line(message) }
      try context.output.flush()
    } catch {
      return settle(error, arguments, in: context)
    }
    return .success
  }
  guard Shoebox.exitCode(for: error) == .validationFailure else {
    // An error that is neither the parser's nor any command's.
    context.complain("\(error)".terminalSafe)
    return .inputOutput
  }
  // The parser's own message, with the prefix of all messages.
  let parsersPrefix = "Error: "
  if message.hasPrefix(parsersPrefix) {
    context.complain(parsersComplaint(String(message.dropFirst(parsersPrefix.count))))
  } else {
    context.message(message)
  }
  return .usage
}

/// The argument that asks for help only because the parser reads it as several short options, of which `-h` is one: a
/// misspelled option, or a name such as `-photos`.
///
/// - Parameter arguments: those of a command line of which the parser made a request for help.
/// - Returns: nil if help, the version or a completion script was asked for.
private func unintendedHelp(in arguments: [String]) -> String? {
  let options = arguments.prefix { $0 != "--" }
  let requests = ["-h", "help", "-help", "--help", "--help-hidden", "--version"]
  guard !options.contains(where: requests.contains) else { return nil }
  return options.first {
    $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.dropFirst().contains("h")
  }
}

/// The parser's message in the style of all others: it begins in lower case, and suggests a flag only if it is near.
private func parsersComplaint(_ message: String) -> String {
  var message = message.prefix(1).lowercased() + message.dropFirst()
  let suggestion = /^unknown option '(-[^']*)'(\. Did you mean '(-[^']*)'\?)/
  if let match = message.firstMatch(of: suggestion) {
    let (typed, known) = (match.output.1.drop { $0 == "-" }, match.output.3.drop { $0 == "-" })
    let near = UnknownWord(String(typed), kind: "option", among: [String(known)]).suggestions
    message.replaceSubrange(
      match.output.2.startIndex..<match.output.2.endIndex,
      with: near.isEmpty ? "" : ": did you mean \(match.output.3)?")
  }
  return message
}
