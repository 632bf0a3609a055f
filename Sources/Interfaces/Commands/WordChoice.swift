import ArgumentParser
import MediaModel

/// A choice among several words on the command line.
///
/// The parser's own protocol for this, `ExpressibleByArgument`, checks which other protocols each such type conforms
/// to. Each check searches all conformances of the program; those of `list` together took a twentieth of the time of
/// a short listing.
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

  /// The help of an option, with the words that it accepts.
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
  /// - Parameter standard: the default, if there is one.
  init<Choice: WordChoice>(
    name: NameSpecification = .long, choosing text: String, valueName: String,
    standard: Choice? = nil
  ) where Value == Choice? {
    self.init(
      name: name, help: Choice.help(text, valueName, standard: standard),
      completion: Choice.completion,
      transform: Choice.typed)
  }
}

/// A word that is not among the choices. The parser's message names the option before this one.
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
