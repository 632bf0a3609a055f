// NightTests: what a person may rely on who lets `shoebox nightly` run by itself, shown on the programs that were really
// built. Nights follow each other within a second: libfaketime gives `shoebox` a clock that is days ahead.

import Foundation
import Testing
import Workbench

@Suite(.serialized, .timeLimit(.minutes(5)))
enum NightTests {}

/// The report of a nightly run in JSON.
struct NightReport: Decodable {
  struct Changes: Decodable {
    var count: Int
    var first: [Change]

    var paths: Set<String> { Set(first.map(\.path)) }
  }

  struct Change: Decodable, Hashable {
    var path: String
    var oldPath: String?
    var isFolder: Bool?
  }

  struct Failure: Decodable, Hashable {
    var path: String
    var error: String
    var attempts: Int
  }

  struct AbsentRoot: Decodable, Hashable {
    var path: String
    var reason: String
    var nights: Int
    var isLoss: Bool?
  }

  struct Night: Decodable {
    struct Step: Decodable {
      var name: String
      var outcome: String
      var summary: String
      var details: [String]?
    }

    var status: Int
    var steps: [Step]
  }

  var new: Changes
  var changed: Changes
  var moved: Changes
  var returned: Changes
  var missing: Changes
  var newFailures: [Failure]
  var openFailures: [Failure]
  var acknowledgedFailures: Int
  var absentRoots: [AbsentRoot]
  var night: Night?
}

extension Workbench {
  /// The environment of a program whose clock is `days` ahead.
  static func clock(ahead days: Int) -> [String: String] {
    [
      // The dynamic loader replaces $LIB.
      "LD_PRELOAD": "/usr/$LIB/faketime/libfaketime.so.1", "FAKETIME": "+\(days)d",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
    ]
  }

  /// Runs `shoebox nightly` on a later day, with the configuration `config.yaml` of the bench if there is one.
  func night(
    _ day: Int, _ arguments: [String] = [], environment: [String: String] = [:]
  ) async throws -> (status: Int, report: NightReport, errors: String) {
    let config = folder + "/config.yaml"
    let named = FileManager.default.fileExists(atPath: config) ? ["--config", config] : [library]
    let outcome = try await shoebox(
      ["nightly", "--format", "json"] + named + arguments,
      environment: Self.clock(ahead: day).merging(environment) { $1 })
    let line = outcome.lines.last ?? ""
    do {
      return (
        outcome.status, try JSONDecoder().decode(NightReport.self, from: Data(line.utf8)),
        outcome.errors
      )
    } catch {
      throw WorkbenchError("no report: \(outcome.output)\(outcome.errors)\(error)")
    }
  }

  /// Writes the configuration of the bench's nightly runs.
  func configure(_ yaml: String) throws {
    try Data(yaml.utf8).write(to: URL(filePath: folder + "/config.yaml"))
  }
}
