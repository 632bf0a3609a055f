// ExportTests: the programs as a person meets them, handing files out.
//
// Like ScanTests they run what was really built, on a bench of their own, and look at what lies on the
// disk afterwards with other programs than ours.

import Foundation
import Testing
import Workbench

@Suite struct ExportTests {
  /// Whether `SHOEBOX_LONG_TESTS` asks for more rounds of kills and the like.
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
  var remuxed: Int
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

  /// A library of pictures of a megabyte each, so that an export takes its time.
  static func withLargePictures(_ count: Int) async throws -> Workbench {
    let bench = try Workbench()
    try bench.addPictures(count)
    try await bench.bash(
      "for file in library/*/*.gif; do head -c 1000000 /dev/urandom >>$file; done")
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// A library of HEIC pictures, which `compatible` re-encodes.
  static func withHEIC(_ count: Int, size: String = "640x480") async throws -> Workbench {
    let bench = try Workbench()
    try await bench.bash(
      """
      convert -seed 3 -size \(size) plasma:tomato-steelblue picture.png
      heif-enc -q 60 picture.png -o picture.heic >/dev/null
      for number in {1..\(count)}; do
        # An unknown box makes each file different.
        { cat picture.heic; printf '\\0\\0\\0\\x0cfree%04d' $number; } >library/$number.heic
      done
      """)
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// Every file with a final name is whole: its digest is one that `digests` returned.
  func expectWhole(_ expected: Set<String>, _ when: String) async throws {
    guard FileManager.default.fileExists(atPath: target) else { return }
    #expect(Set(try await digests(of: target)).isSubset(of: expected), "\(when)")
  }

  /// Temporary files anywhere in the target.
  func leftovers() async throws -> String {
    try await bash("find . -name '.shoebox-*.partial'")
  }

  /// Adds a live photo of two files with different bytes to the library.
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
