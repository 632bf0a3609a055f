import Foundation
import ShoeboxKit
import Terminal

/// How a nightly run ended, for `shoebox report --notify` in another service.
///
/// A run cannot record anything in a catalog whose disk is full. It leaves its outcome in a folder in memory, which the
/// service manager provides and names in `$RUNTIME_DIRECTORY` (systemd.exec(5), `RuntimeDirectory=`).
struct NightOutcome: Sendable, Codable {
  /// The exit status.
  var status: Int32
  var steps: [NightStep]
  /// Whether the catalog has the run, too.
  var isRecorded: Bool

  /// That of a run that has left none: a disk for its results could not be mounted, or the run was killed.
  static let absent = NightOutcome(
    status: ExitStatus.inputOutput.rawValue, steps: [], isRecorded: false)

  /// The first line of a report.
  var summary: String {
    if steps.isEmpty { return "the nightly run did not start, or was killed" }
    return steps.first { $0.outcome == .failed }?.summary ?? "the nightly run failed"
  }

  /// A report for people, for a run that the catalog does not have.
  var lines: [String] {
    if steps.isEmpty { return ["\(summary): its journal has the reason"] }
    return ["Nightly run: exit status \(status)", ""]
      + steps.flatMap { step in
        ["\(step.name.rawValue): \(step.summary)".terminalSafe]
          + step.details.map { "  \($0.terminalSafe)" }
      }
  }

  /// Where a run leaves it; nil if no service manager provides a folder.
  private static func file(_ environment: [String: String]) -> URL? {
    // Several folders are separated by colons.
    guard let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first,
      folder.hasPrefix("/")
    else { return nil }
    return URL(filePath: String(folder)).appending(path: "last-run.json")
  }

  /// Removes the outcome of the run before this one, which may not live to write its own.
  static func forget(environment: [String: String]) {
    guard let file = file(environment) else { return }
    try? FileManager.default.removeItem(at: file)
  }

  /// - Throws: an error of Foundation if the file cannot be written.
  func leave(environment: [String: String]) throws {
    guard let file = Self.file(environment) else { return }
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
  }

  /// Takes the outcome away, so that it is reported once.
  ///
  /// - Returns: nil if no service manager provides a folder; ``absent`` if the run has left nothing in it.
  static func taken(environment: [String: String]) -> NightOutcome? {
    guard let file = file(environment) else { return nil }
    let data = try? Data(contentsOf: file)
    forget(environment: environment)
    return data.flatMap { try? JSONDecoder().decode(NightOutcome.self, from: $0) } ?? .absent
  }
}

extension Settings.Notification {
  /// Gives the command the outcome of a run that the catalog does not have.
  ///
  /// - Throws: as ``send(_:status:)``.
  func send(_ outcome: NightOutcome) throws {
    try run(
      with: outcome.lines.flatMap { Array("\($0)\n".utf8) }, summary: outcome.summary.terminalSafe,
      status: Int(outcome.status))
  }
}
