// ExportTests: the programs as a person meets them, handing files out.
//
// Like ScanTests they run what was really built, on a bench of their own, and look at what lies on the
// disk afterwards with other programs than ours.

import Foundation
import Testing
import Workbench

@Suite struct ExportTests {
  /// Kills and the like are tried more often if somebody has the time.
  static var isLong: Bool {
    ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"].map { !$0.isEmpty } ?? false
  }
}

/// One line of a manifest.
struct ManifestLine: Decodable, Sendable {
  struct LivePhoto: Decodable, Sendable {
    var imageURL: String
    var mediaURL: String
  }

  var id: String
  var sourcePath: String
  var mediaType: String
  var imageURL: String?
  var mediaURL: String?
  var referenceURL: String
  var livePhoto: LivePhoto?
  var preset: String
  var action: String
  var error: String?
}

/// What an export says of itself: `export --format json`.
struct ExportSummary: Decodable, Sendable {
  var skipped: Int
  var copied: Int
  var transcoded: Int
  var failed: Int
  var bytes: Int
}

extension Workbench {
  /// The folder that exports write into.
  var target: String { folder + "/out" }

  /// Exports with the originals' own bytes, and reads the summary.
  func export(
    _ arguments: [String] = [], preset: String = "current"
  ) async throws -> (status: Int, summary: ExportSummary) {
    let outcome = try await shoebox(
      ["export", "--preset", preset, "--to", target, "--format", "json"] + arguments)
    guard let line = outcome.lines.last else {
      throw WorkbenchError("export ended with \(outcome.status): \(outcome.errors)")
    }
    return (
      outcome.status, try JSONDecoder().decode(ExportSummary.self, from: Data(line.utf8))
    )
  }

  /// The files below a folder with their digests, without what is hidden: `sum  ./path` each.
  func digests(of folder: String) async throws -> [String] {
    let sums = try await bash(
      "cd '\(folder)' && find . -type f -not -name '.*' -print0 | sort -z | xargs -0r sha256sum")
    return sums.split(separator: "\n").map(String.init)
  }

  /// Every file of the library with its bytes' digest, times and mode.
  func originals() async throws -> String {
    try await bash(
      "cd library && find . -type f -printf '%p %T@ %s %m %i\\n' | sort; "
        + "find . -type f -print0 | sort -z | xargs -0r sha256sum")
  }

  /// What lies under passing names anywhere.
  func leftovers() async throws -> String {
    try await bash("find . -name '.shoebox-*.partial'")
  }

  /// Lays a live photo of two files that are told apart by their bytes into the library.
  ///
  /// They pair by the catalog's word alone, written into it after a scan.
  func pairUp(_ still: String, _ clip: String) async throws {
    _ = try await query(
      """
      UPDATE assets SET absorbed_by = (SELECT id FROM assets WHERE name = '\(still)')
        WHERE name = '\(clip)';
      INSERT INTO resources SELECT s.id, 'pairedVideo', c.file_id, 'com.apple.quicktime-movie',
        NULL, NULL FROM assets s JOIN assets c WHERE s.name = '\(still)' AND c.name = '\(clip)';
      """)
  }
}
