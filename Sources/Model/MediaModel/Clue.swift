/// One piece of evidence in a file for the kind of picture it is.
///
/// The codec process collects clues without drawing conclusions; the module Recognition evaluates them. The
/// catalog stores them, so that a verdict can be recomputed and explained without opening the file. They are
/// written as `key` or `key=value`, one a line.
package struct Clue: Sendable, Hashable {
  package var key: Key
  /// The value as text, if it has one.
  package var value: String?

  package init(_ key: Key, _ value: String? = nil) {
    self.key = key
    self.value = value.map { $0.replacing("\n", with: " ") }
  }

  /// `key=value`.
  package var line: String {
    value.map { "\(key.rawValue)=\($0)" } ?? key.rawValue
  }

  /// Parses the result of ``line``.
  package init(line: some StringProtocol) {
    if let equals = line.firstIndex(of: "=") {
      self.init(
        Key(rawValue: String(line[..<equals])), String(line[line.index(after: equals)...]))
    } else {
      self.init(Key(rawValue: String(line)))
    }
  }
}
