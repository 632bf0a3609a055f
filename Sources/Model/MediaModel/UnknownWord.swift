/// A word that is not known, with suggestions.
package struct UnknownWord: Error, Sendable, Hashable, CustomStringConvertible {
  package let word: String
  /// The expected sort of word, such as `type`.
  package let kind: String
  /// Similar known words, the most similar first; empty if there are none.
  package let suggestions: [String]
  /// The end of the message if there are no suggestions.
  private let remedy: String?

  /// - Parameter remedy: where to find the known words, as half a sentence.
  package init(_ word: String, kind: String, among known: [String], remedy: String? = nil) {
    // A longer word is not compared in full, and is shown shortened.
    self.word = word.count > 40 ? word.prefix(40) + "…" : word
    self.kind = kind
    self.remedy = known.isEmpty ? "there is none yet" : remedy
    let typed = String(word.lowercased().prefix(64))
    let near = known.compactMap { known in
      Nearness(of: known.lowercased(), to: typed).map { (word: known, nearness: $0) }
    }
    suggestions = near.sorted { $0.nearness < $1.nearness }.prefix(3).map(\.word)
  }

  package var description: String {
    let unknown = "unknown \(kind) '\(word)'"
    if suggestions.isEmpty { return remedy.map { "\(unknown): \($0)" } ?? unknown }
    return "\(unknown): did you mean \(suggestions.joined(separator: ", "))?"
  }
}

/// How similar a known word is to a typed one.
private struct Nearness: Comparable {
  enum Likeness: Int {
    /// The typed word is a misspelling of the known one.
    case misspelling
    /// The typed word is at the beginning of the known one, or inside it.
    case beginning, part
    /// The known word is inside the typed one.
    case whole
  }

  /// The shortest part to look for: shorter ones are in too many words.
  private static let leastPart = 3

  let likeness: Likeness
  /// The edit distance.
  let distance: Int

  /// Nil if the words are not similar.
  init?(of known: String, to typed: String) {
    distance = editDistance(typed, known)
    let isPart = min(typed.count, known.count) >= Self.leastPart
    // A short word may have one error too, but a single letter could be any word.
    if typed.count > 1, distance <= max(1, typed.count / 3) {
      likeness = .misspelling
    } else if isPart, known.hasPrefix(typed) {
      likeness = .beginning
    } else if isPart, known.contains(typed) {
      likeness = .part
    } else if isPart, typed.contains(known) {
      likeness = .whole
    } else {
      return nil
    }
  }

  static func < (left: Nearness, right: Nearness) -> Bool {
    (left.likeness.rawValue, left.distance) < (right.likeness.rawValue, right.distance)
  }
}

/// The number of letters to add, drop, replace or swap with their neighbour to change one word into the
/// other (Damerau–Levenshtein distance, each letter edited at most once).
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left), right = Array(right)
  var before: [Int] = []
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var next = [index + 1]
    for (column, other) in right.enumerated() {
      var best = min(row[column] + (letter == other ? 0 : 1), row[column + 1] + 1, next[column] + 1)
      if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
        best = min(best, before[column - 1] + 1)
      }
      next.append(best)
    }
    (before, row) = (row, next)
  }
  return row[right.count]
}
