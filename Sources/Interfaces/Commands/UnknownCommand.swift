import ArgumentParser
import MediaModel

/// Rejects a command that does not exist and suggests similar ones: `shoebox lst`, `shoebox presets chekc`, `shoebox
/// help presets chekc`.
///
/// The parser calls the first two unexpected arguments, and answers the last with the help of the parent command.
///
/// - Throws: `Failure`.
func refuseUnknownCommand(in arguments: [String]) throws {
  let isHelp = arguments.first == "help"
  // A word after an option may be its value.
  var words =
    isHelp
    ? arguments.dropFirst().filter { !$0.hasPrefix("-") }[...]
    : arguments.prefix { !$0.hasPrefix("-") }
  var command: any ParsableCommand.Type = Shoebox.self
  var path = "shoebox"
  while let word = words.popFirst() {
    let known = command.configuration.subcommands
    // The arguments of other commands may be any words; those of `help` are nested commands.
    if known.isEmpty, !isHelp { return }
    guard let next = known.first(where: { $0.configuration.commandName == word }) else {
      // `help` is the parser's own.
      if command == Shoebox.self, word == "help" { return }
      if let standard = command.configuration.defaultSubcommand, !isHelp,
        (try? standard.parseAsRoot([word])) != nil
      {
        return
      }
      throw unknown(word, of: path, among: known.compactMap { $0.configuration.commandName })
    }
    command = next
    path += " \(word)"
  }
}

private func unknown(_ word: String, of path: String, among names: [String]) -> Failure {
  guard !names.isEmpty else { return Failure(.usage, "'\(path)' has no commands of its own") }
  let unknown = UnknownWord(
    word, kind: "command", among: names, remedy: "'\(path) --help' lists them")
  return Failure(.usage, unknown.description)
}
