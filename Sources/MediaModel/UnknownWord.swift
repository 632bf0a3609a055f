/// A word that means nothing here, with the ones that may have been meant.
package struct UnknownWord: Error, Sendable, Hashable, CustomStringConvertible {
  package let word: String
  /// What sort of word it should have been, `type`.
  package let kind: String
  /// The nearest known words, the nearest first.
  package let suggestions: [String]

  package init(_ word: String, kind: String, among known: [String]) {
    // A word longer than any sensible one is not worth measuring, and is shown cut.
    self.word = word.count > 40 ? word.prefix(40) + "…" : word
    self.kind = kind
    let typed = String(word.lowercased().prefix(64))
    let ranked = known.map { (word: $0, distance: editDistance(typed, $0.lowercased())) }
      .sorted { $0.distance < $1.distance }
    let limit = max(2, (ranked.first?.distance ?? 0) + 1)
    suggestions = ranked.prefix(3).filter { $0.distance <= limit }.map(\.word)
  }

  package var description: String {
    suggestions.isEmpty
      ? "unknown \(kind) '\(word)': there is none yet"
      : "unknown \(kind) '\(word)': did you mean \(suggestions.joined(separator: ", "))?"
  }
}

/// How many letters must be added, dropped or exchanged to make one word the other (Levenshtein).
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left), right = Array(right)
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let substituted = diagonal + (letter == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
    }
  }
  return row[right.count]
}
