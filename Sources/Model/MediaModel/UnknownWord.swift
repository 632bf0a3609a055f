/// A word that means nothing here, with the ones that may have been meant.
package struct UnknownWord: Error, Sendable, Hashable, CustomStringConvertible {
  package let word: String
  /// What sort of word it should have been, `type`.
  package let kind: String
  /// The nearest known words, the nearest first; none if none is near.
  package let suggestions: [String]
  /// What is said where none is near.
  private let remedy: String?

  /// - Parameter remedy: what tells all the known words, half a sentence.
  package init(_ word: String, kind: String, among known: [String], remedy: String? = nil) {
    // A word longer than any sensible one is not worth measuring, and is shown cut.
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

/// How near a known word is to a typed one.
private struct Nearness: Comparable {
  enum Likeness: Int {
    /// Mistyped.
    case misspelling
    /// What was typed is the beginning of the word, or within it.
    case beginning, part
    /// The word is within what was typed.
    case whole
  }

  /// Letters of which a part consists at least: fewer are in too many words.
  private static let leastPart = 3

  let likeness: Likeness
  /// Letters that differ.
  let distance: Int

  /// Nil if the words have nothing to do with each other.
  init?(of known: String, to typed: String) {
    distance = editDistance(typed, known)
    let isPart = min(typed.count, known.count) >= Self.leastPart
    // One slip is easily made in a short word too, but a single letter may be any other.
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

/// How many letters must be added, dropped, exchanged or swapped with their neighbour to make one word
/// the other (Damerau and Levenshtein's distance, each letter touched once).
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
