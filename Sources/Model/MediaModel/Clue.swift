/// One thing a file says of itself that may tell what kind of picture it is.
///
/// The codec process collects clues and draws no conclusions; the `Recognition` room weighs them. They
/// are kept in the catalog, so that a verdict can be reached again, and explained, without opening the
/// file. Written `key` or `key=value`, one a line.
package struct Clue: Sendable, Hashable {
  package var key: Key
  /// Its value as text, where there is one.
  package var value: String?

  package init(_ key: Key, _ value: String? = nil) {
    self.key = key
    self.value = value.map { $0.replacing("\n", with: " ") }
  }

  /// `key=value`.
  package var line: String {
    value.map { "\(key.rawValue)=\($0)" } ?? key.rawValue
  }

  /// Reads what ``line`` wrote.
  package init(line: some StringProtocol) {
    if let equals = line.firstIndex(of: "=") {
      self.init(
        Key(rawValue: String(line[..<equals])), String(line[line.index(after: equals)...]))
    } else {
      self.init(Key(rawValue: String(line)))
    }
  }
}
