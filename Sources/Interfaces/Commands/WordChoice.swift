import ArgumentParser
import MediaModel

/// What is chosen on the command line by one of several words.
///
/// The parser's own protocol for this, `ExpressibleByArgument`, makes it ask of each such type what else
/// it conforms to. Every question is a search through all conformances of the program, and those of
/// `list` together took a twentieth of the time of a short listing.
protocol WordChoice: Sendable {
  /// All that may be written.
  static var words: [String] { get }

  /// How this one is written.
  var word: String { get }

  /// Nil for any other word.
  init?(word: String)
}

extension WordChoice where Self: CaseIterable & RawRepresentable<String> {
  static var words: [String] { allCases.map(\.rawValue) }

  var word: String { rawValue }

  init?(word: String) { self.init(rawValue: word) }
}

extension WordChoice {
  /// - Throws: ``UnknownChoice``.
  fileprivate static func typed(_ word: String) throws -> Self {
    guard let choice = Self(word: word) else { throw UnknownChoice(word: word, words: words) }
    return choice
  }

  fileprivate static var completion: CompletionKind { .list(words) }

  /// What an option does, and the words that it takes.
  fileprivate static func help(
    _ text: String, _ valueName: String, standard: Self?
  ) -> ArgumentHelp {
    let standard = standard.map { "; default: \($0.word)" } ?? ""
    return ArgumentHelp(
      "\(text) (values: \(words.joined(separator: ", "))\(standard))", valueName: valueName)
  }
}

extension Option where Value: WordChoice {
  init(wrappedValue: Value, choosing text: String, valueName: String) {
    self.init(
      wrappedValue: wrappedValue, help: Value.help(text, valueName, standard: wrappedValue),
      completion: Value.completion, transform: Value.typed)
  }
}

extension Option {
  /// - Parameter standard: what holds without the option, if there is such a choice.
  init<Choice: WordChoice>(
    choosing text: String, valueName: String, standard: Choice? = nil
  ) where Value == Choice? {
    self.init(
      help: Choice.help(text, valueName, standard: standard), completion: Choice.completion,
      transform: Choice.typed)
  }
}

/// A word that is none of those to choose from; the parser says before this which option it was for.
private struct UnknownChoice: Error, CustomStringConvertible {
  let word: String
  let words: [String]

  var description: String {
    let near = UnknownWord(word, kind: "word", among: words).suggestions
    return near.isEmpty
      ? "choose from \(words.joined(separator: ", "))."
      : "did you mean \(near.joined(separator: ", "))?"
  }
}
