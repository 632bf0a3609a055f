import Foundation
import ShoeboxKit

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
  /// Whether a part of it was left to a later run; nil if not.
  var isPartial: Bool?

  /// The steps of a run; none before it has ended.
  static func list(_ night: Night?) -> [NightStep] {
    guard let json = night?.stepsJSON else { return [] }
    return (try? JSONDecoder().decode([NightStep].self, from: Data(json.utf8))) ?? []
  }
}
