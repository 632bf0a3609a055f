// ExportTests: exports by the built programs.
//
// Like ScanTests, each test runs the programs on its own workbench, and checks the files on disk with other programs.

import Foundation
import Testing
import Workbench

@Suite struct ExportTests {
  /// Whether tests repeat random events, such as kills, more often.
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

/// The summary of an export, from `export --format json`.
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

  /// Exports the original bytes, unless another preset is given, and reads the summary.
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

  /// The digests and paths of the files in a folder and its subfolders, without hidden ones: `sum  ./path` each.
  func digests(of folder: String) async throws -> [String] {
    let sums = try await bash(
      "cd '\(folder)' && find . -type f -not -name '.*' -print0 | sort -z | xargs -0r sha256sum")
    return sums.split(separator: "\n").map(String.init)
  }

  /// Every file of the library with its digest, times and mode.
  func originals() async throws -> String {
    try await bash(
      "cd library && find . -type f -printf '%p %T@ %s %m %i\\n' | sort; "
        + "find . -type f -print0 | sort -z | xargs -0r sha256sum")
  }

  /// A library of pictures of a megabyte each, so that an export takes long enough to be killed.
  static func withLargePictures(_ count: Int) async throws -> Workbench {
    let bench = try Workbench()
    try bench.addPictures(count)
    try await bench.bash(
      "for file in library/*/*.gif; do head -c 1000000 /dev/urandom >>$file; done")
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// A library of HEIC pictures, which the preset `compatible` re-encodes.
  static func withHEIC(_ count: Int, size: String = "640x480") async throws -> Workbench {
    let bench = try Workbench()
    try await bench.bash(
      """
      convert -seed 3 -size \(size) plasma:tomato-steelblue picture.png
      heif-enc -q 60 picture.png -o picture.heic >/dev/null
      for number in {1..\(count)}; do
        # An unused box makes the files differ.
        { cat picture.heic; printf '\\0\\0\\0\\x0cfree%04d' $number; } >library/$number.heic
      done
      """)
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// Expects that every file in the target is whole.
  ///
  /// - Parameter expected: the lines of ``digests(of:)`` for whole files.
  func expectWhole(_ expected: Set<String>, _ when: String) async throws {
    guard FileManager.default.fileExists(atPath: target) else { return }
    #expect(Set(try await digests(of: target)).isSubset(of: expected), "\(when)")
  }

  /// The paths of all temporary files.
  func leftovers() async throws -> String {
    try await bash("find . -name '.shoebox-*.partial'")
  }

  /// Pairs two files of the library as a live photo, by changing the catalog after a scan.
  func pairUp(_ still: String, _ clip: String) async throws {
    _ = try await query(
      """
      INSERT INTO origins (uniform_type) VALUES ('com.apple.quicktime-movie');
      UPDATE assets SET absorbed_as = 'pairedVideo', absorbed_why = 'name+time',
        absorbed_by = (SELECT id FROM assets WHERE name = '\(still)'),
        origin_id = (SELECT max(id) FROM origins) WHERE name = '\(clip)'
      """)
  }
}
