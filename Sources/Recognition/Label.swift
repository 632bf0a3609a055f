package import MediaModel

/// A kind that an asset was given, or came close to being given, and why.
package struct Label: Sendable, Hashable {
  package var subtype: MediaSubtypes
  /// False for a near miss, which is kept so that `shoebox show` can say why not.
  package var isGiven: Bool
  /// The sum of the weights, for a verdict that weighs.
  package var score: Int?
  /// What spoke for it or, in a near miss, against it; a short phrase each.
  package var evidence: [String]

  package init(_ subtype: MediaSubtypes, isGiven: Bool, score: Int? = nil, evidence: [String]) {
    self.subtype = subtype
    self.isGiven = isGiven
    self.score = score
    self.evidence = evidence
  }
}

/// All that one file alone tells about what kind of asset it is.
package struct RecognitionSubject: Sendable {
  package var facts: MediaFacts
  /// The file's name, bytes.
  package var name: [UInt8]
  /// The names of the folders above it, from the root down.
  package var folders: [[UInt8]]

  package init(facts: MediaFacts, name: [UInt8], folders: [[UInt8]]) {
    self.facts = facts
    self.name = name
    self.folders = folders
  }

  /// The first value of a clue; empty text for a clue without one; nil if there is no such clue.
  func clue(_ key: String) -> String? {
    facts.clues.first { $0.key == key }.map { $0.value ?? "" }
  }

  /// A clue's value as a number.
  func number(_ key: String) -> Double? {
    clue(key).flatMap(Double.init)
  }

  /// Every label that the file alone settles, given or nearly so.
  package var labels: [Label] {
    switch facts.mediaType {
    case .image: stillLabels
    case .video: movieLabels
    }
  }
}

extension [Label] {
  /// The subtypes of the labels that were given.
  package var subtypes: MediaSubtypes {
    reduce(into: []) { if $1.isGiven { $0.formUnion($1.subtype) } }
  }
}
