/// Where the references are wrong, or tell something else than what is asked; each with its reason.
/// docs/formats.md tells the same to people.
enum KnownDisagreements {
  /// Files that a reference calls pictures or videos and Shoebox leaves alone.
  static let notMedia: [String: String] = [:]

  /// By column and path below the corpus's library.
  static let wrongReferences: [Comparison: [String: String]] = [:]
}
