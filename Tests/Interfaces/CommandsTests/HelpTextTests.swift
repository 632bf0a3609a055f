import ArgumentParser
import Foundation
import Testing

@testable import Commands
@testable import Terminal

/// The help of every command, kept as files in `Help/`.
///
/// A command that is added or changed makes these tests fail until its help has been read and taken
/// over on purpose: `SHOEBOX_WRITE_HELP=1 swift test --filter HelpTextTests` writes the files again.
@Suite struct HelpTextTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Help")
  private static let isWriting = ProcessInfo.processInfo.environment["SHOEBOX_WRITE_HELP"] == "1"

  @Test(arguments: ShownCommand.all) func isAsWasAgreed(_ command: ShownCommand) throws {
    let file = Self.folder.appending(path: command.fileName)
    let help = Shoebox.helpMessage(for: command.type, columns: 80) + "\n"
    if Self.isWriting { try Data(help.utf8).write(to: file) }
    let agreed = try? String(contentsOf: file, encoding: .utf8)
    #expect(help == agreed, "\(difference(from: agreed ?? "", to: help))")
    // Wider help wraps on a terminal.
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func noHelpIsLeftOfACommandThatIsGone() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(ShownCommand.all.map(\.fileName)))
  }

  @Test(arguments: ShownCommand.all) func givesAnExampleOfItself(_ command: ShownCommand) {
    #expect(command.examples.contains { $0.hasPrefix(command.words.joined(separator: " ")) })
  }

  /// An example that wraps cannot be copied from a terminal of 80 columns.
  @Test(arguments: ShownCommand.all) func keepsEachExampleOnOneLine(_ command: ShownCommand) {
    let lines = Set(Shoebox.helpMessage(for: command.type, columns: 80).split(separator: "\n"))
    for example in command.examples { #expect(lines.contains("  " + example), "\(example)") }
  }

  /// What the examples show can be typed.
  @Test(arguments: ShownCommand.all.flatMap(\.examples))
  func examplesAreUnderstood(_ example: String) throws {
    let words = try #require(shellWords(example))
    #expect(throws: Never.self) { try Shoebox.parseAsRoot(Array(words.dropFirst())) }
  }
}

/// A command that help lists.
struct ShownCommand: CustomTestStringConvertible, Sendable {
  /// What is typed to run it.
  var words: [String]
  var type: any ParsableCommand.Type

  var fileName: String { words.joined(separator: "-") + ".txt" }
  var testDescription: String { words.joined(separator: " ") }

  /// The indented lines of its help.
  var examples: [String] {
    type.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .map { String($0.dropFirst(2)) }
  }

  static let all = tree([], Shoebox.self)

  private static func tree(
    _ above: [String], _ type: any ParsableCommand.Type
  ) -> [ShownCommand] {
    let words = above + [type.configuration.commandName ?? "\(type)"]
    let below = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return [ShownCommand(words: words, type: type)] + below.flatMap { tree(words, $0) }
  }
}

/// The first command of a line, cut into words as a shell does; nil where a quote is not closed.
private func shellWords(_ line: String) -> [String]? {
  var words: [String] = []
  var word: String?
  var quote: Character?
  for character in line {
    if let open = quote {
      if character == open { quote = nil } else { word?.append(character) }
    } else if character == "|" {
      break
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character == " " {
      if let whole = word { words.append(whole) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if let whole = word { words.append(whole) }
  return quote == nil ? words : nil
}

/// The lines that differ, as a person reads them: what was agreed, then what there is.
private func difference(from old: String, to new: String) -> String {
  let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
  let changes = new.difference(from: old).map { change in
    switch change {
    case .remove(let line, let text, _): "-\(line + 1): \(text)"
    case .insert(let line, let text, _): "+\(line + 1): \(text)"
    }
  }
  return "the help has changed:\n" + changes.joined(separator: "\n")
}
