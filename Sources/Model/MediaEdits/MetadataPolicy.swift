/// Which metadata of the source the result gets: all that would be right in it, except for what the set names.
package struct MetadataPolicy: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// All, except metadata that would be wrong in the result.
  package static let keep: MetadataPolicy = []
  /// Without any trace of where it was taken.
  package static let withoutLocation = MetadataPolicy(rawValue: 1)
  /// Without titles, descriptions and comments.
  package static let withoutCaptions = MetadataPolicy(rawValue: 2)
  /// Only orientation and colour, without which it would look different. Includes all other removals.
  package static let appearanceOnly = MetadataPolicy(rawValue: 7)

  /// Whether the set is one of those that a preset or an export can ask for.
  package var isValid: Bool {
    self == .appearanceOnly || isSubset(of: [.withoutLocation, .withoutCaptions])
  }

  /// The removed metadata in words, such as `location`; empty for ``keep``.
  package var removedMetadata: [String] {
    if self == .appearanceOnly { return ["metadata"] }
    return (contains(.withoutLocation) ? ["location"] : [])
      + (contains(.withoutCaptions) ? ["captions"] : [])
  }

  /// The removed metadata as a part of a sentence, such as `the location and the captions`.
  package var removedText: String {
    removedMetadata.map { "the \($0)" }.joined(separator: " and ")
  }
}
