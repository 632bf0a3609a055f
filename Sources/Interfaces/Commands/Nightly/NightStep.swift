/// What one step of a nightly run did, as the catalog keeps it.
struct NightStep: Sendable, Codable, Hashable {
  /// The steps, in their order.
  enum Name: String, Sendable, Codable, CaseIterable {
    case backup, scan, thumbnails, verify, export, report
  }

  enum Outcome: String, Sendable, Codable {
    case done
    /// It did its work, and found something that needs attention.
    case found
    case failed
  }

  var name: Name
  var outcome: Outcome
  /// One line.
  var summary: String
  /// What it names, an item a line.
  var details: [String] = []
  /// How long it took.
  var seconds = 0.0
}
