/// A subtype that an asset was given or almost given, and the reasons.
package struct Label: Sendable, Hashable {
  package var subtype: MediaSubtypes
  /// False for a near miss, which is kept so that `shoebox show` can explain it.
  package var isGiven: Bool
  /// The sum of the weights of a weighted verdict; for a pair, its certainty in per cent.
  package var score: Int?
  /// The evidence for the verdict or, in a near miss, against it; a short phrase each.
  package var evidence: [String]

  package init(_ subtype: MediaSubtypes, isGiven: Bool, score: Int? = nil, evidence: [String]) {
    self.subtype = subtype
    self.isGiven = isGiven
    self.score = score
    self.evidence = evidence
  }
}

extension [Label] {
  /// The subtypes of the labels that were given.
  package var subtypes: MediaSubtypes {
    reduce(into: []) { if $1.isGiven { $0.formUnion($1.subtype) } }
  }
}
