import Foundation
import Testing
import Workbench

/// One line of an export's manifest, as far as these tests read it.
struct ExportedPicture: Decodable, Sendable {
  private var sourcePath: String
  private var imageURL: String?
  private var mediaURL: String?
  /// `copied remuxed transcoded skipped failed`.
  var action: String
  var error: String?

  /// The original.
  var source: String { sourcePath }
  /// The file made, if one was.
  var result: String? {
    (imageURL ?? mediaURL).flatMap { URL(string: $0) }?.path(percentEncoded: false)
  }

  /// The manifest of an export, a line each.
  static func read(_ manifest: String) throws -> [ExportedPicture] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: manifest)), as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      try JSONDecoder().decode(ExportedPicture.self, from: Data(line.utf8))
    }
  }
}

/// An export of the corpus's library, made once for all tests.
struct CorpusExport: Sendable {
  var scanned: Scanned
  /// Where the results lie.
  var target: String
  var lines: [ExportedPicture]

  /// The pictures, as any program opens them.
  static let pictures = Task {
    try await make(["--type", "images", "--live-photo", "still"], in: "pictures")
  }
  /// Everything as it is, but without the place.
  static let placeless = Task {
    try await make(["--preset", "current", "--strip-location"], in: "placeless")
  }
  /// Pictures re-encoded without the place; only small ones, since the size makes no difference.
  static let placelessPictures = Task {
    try await make(
      ["--type", "images", "--max-size", "500kB", "--live-photo", "still", "--strip-location"],
      in: "placeless-pictures")
  }

  /// - Parameters:
  ///   - name: the target's name, below the bench's folder.
  ///   - library: what to export; nil for the corpus's library.
  static func make(
    _ arguments: [String], in name: String, of library: Scanned? = nil
  ) async throws -> CorpusExport {
    let scanned =
      if let library { library } else { try await Half.library.scanned() }
    let bench = scanned.bench
    let target = "\(bench.folder)/\(name)"
    let manifest = target + ".jsonl"
    // Debug builds tone map slowly, and a slow machine is not a failure of the picture.
    let outcome = try await bench.shoebox(
      ["export", "--to", target, "--manifest", manifest, "--quiet"] + arguments,
      environment: ["SHOEBOX_FILE_TIMEOUT": "600"], seconds: 900)
    guard outcome.status == 0 || outcome.status == 1 else {
      throw WorkbenchError("export ended with \(outcome.status): \(outcome.errors)")
    }
    return CorpusExport(
      scanned: scanned, target: target, lines: try ExportedPicture.read(manifest))
  }

  /// A path of the library below its folder, as the manifest of the corpus names it.
  func below(_ source: String) -> String { String(source.dropFirst(scanned.folder.count + 1)) }

  /// The re-encoded pictures, with their results.
  var transcoded: [(source: String, result: String)] {
    lines.compactMap { line in
      guard line.action == "transcoded", let result = line.result else { return nil }
      return (line.source, result)
    }
  }
}

extension String {
  /// As one word for a shell.
  var shellWord: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension Workbench {
  /// What exiftool says of these files, by path.
  ///
  /// - Parameter options: what to ask for; the answer is JSON in any case.
  func exiftool(_ options: String, _ files: [String]) async throws -> [String: [String: Any]] {
    let list = "\(folder)/\(UUID().uuidString).txt"
    try files.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    // Its status reports that one of the files is damaged, as expected.
    let text = try await bash(
      "exiftool -j -q -m \(options) -@ \(list.shellWord) || true", seconds: 300)
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return Dictionary(
      (parsed ?? []).map { ($0["SourceFile"] as? String ?? "", $0) }
    ) { $1 }
  }
}
