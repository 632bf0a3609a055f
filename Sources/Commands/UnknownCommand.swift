import ArgumentParser
import MediaModel

/// Refuses a command that does not exist, naming those that may have been meant: `shoebox lst`,
/// `shoebox help presets chekc`.
///
/// The parser calls the first an unexpected argument, and answers the second with the help of the
/// command before it.
///
/// - Throws: `Failure`.
func refuseUnknownCommand(in arguments: [String]) throws {
  guard let first = arguments.first, !first.hasPrefix("-") else { return }
  let isHelp = first == "help"
  // A command's own words may be anything; those of `help` are commands, one within the other.
  let words = isHelp ? arguments.dropFirst().filter { !$0.hasPrefix("-") } : [first]
  var command: any ParsableCommand.Type = Shoebox.self
  var path = "shoebox"
  for word in words {
    let known = command.configuration.subcommands
    guard let next = known.first(where: { $0.configuration.commandName == word }) else {
      let names = known.compactMap { $0.configuration.commandName }
      // `help` is the parser's own.
      if command == Shoebox.self, word == "help" { return }
      throw unknown(word, of: path, among: names)
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
