import Foundation
import SeededRandom
import Testing
import Workbench

/// Thousands of damaged real files: bytes flipped, parts removed, repeated or overwritten. Half of them are of the
/// corpus' hostile files. `SHOEBOX_LONG_TESTS` asks for 10,000 instead of 300.
@Suite(.enabled(if: Half.isAtHand))
struct DamagedFilesTests {
  private static let isLong = ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] != nil
  private static let count = isLong ? 10_000 : 300
  /// The largest file that is copied, in bytes.
  private static let maximumSize = 256 << 10

  /// A damaged copy.
  private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let start = Int.random(in: bytes.indices, using: &random)
      let part = start..<min(bytes.count, start + Int.random(in: 1...512, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeSubrange(start...)
      case 1: bytes.removeSubrange(part)
      case 2: bytes.insert(contentsOf: bytes[part], at: start)
      case 3: bytes.replaceSubrange(part, with: repeatElement(0xFF, count: part.count))
      default:
        // Headers are at the beginning, so most flips are there.
        let range = Bool.random(using: &random) ? bytes.indices : 0..<min(bytes.count, 4096)
        for _ in 0..<Int.random(in: 1...16, using: &random) {
          bytes[Int.random(in: range, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
    }
    return bytes
  }

  /// Files of a half of the corpus that are small enough, in a fixed order.
  private static func files(_ half: Half) throws -> [URL] {
    let folder = try #require(half.folder)
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.isRegularFileKey, .fileSizeKey])
    return (files?.allObjects as? [URL] ?? []).filter { file in
      let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
      return values?.isRegularFile == true && (1...maximumSize).contains(values?.fileSize ?? 0)
    }.sorted { $0.path < $1.path }
  }

  private static func fill(_ library: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let halves = try Half.allCases.map(files)
    for number in 0..<count {
      let file = try #require(halves[number % halves.count].randomElement(using: &random))
      let bytes = damaged([UInt8](try Data(contentsOf: file)), &random)
      let folder = URL(filePath: library).appending(path: "\(number % 100)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(bytes).write(
        to: folder.appending(path: "\(number).\(file.pathExtension)"))
    }
  }

  /// Nothing crashes `shoebox`, and every file is an asset, no medium, or named with a reason. An export of all assets
  /// makes whole files or names them.
  @Test(.timeLimit(.minutes(45)))
  func `damaged files cost nothing but themselves`() async throws {
    let seed = SeededGenerator.seed(of: "damaged files")
    let bench = try Workbench()
    try Self.fill(bench.library, seed: seed)
    let originals = try await bench.bash(digests)

    let begin = ContinuousClock.now
    let (status, report) = try await bench.scan([bench.library], seconds: 900)
    let scanned = ContinuousClock.now
    #expect(status == (report.failures.isEmpty ? 0 : 1), "seed \(seed)")
    #expect(report.addsUp && report.unreadable == report.failures.count, "seed \(seed)")
    for failure in report.failures {
      #expect(failure.path.hasPrefix(bench.library) && failure.error.hasSuffix("."), "seed \(seed)")
    }

    let assets = try await bench.list()
    let export = try await bench.shoebox(
      ["export", "--to", "out", "--preset", "compatible", "--format", "jsonl"], seconds: 1_500)
    let exported = ContinuousClock.now
    #expect([0, 1].contains(export.status), "seed \(seed): \(export.errors)")
    let outcomes = export.lines.filter { $0.contains(#""action":"#) }
    #expect(outcomes.count == assets.count, "seed \(seed)")
    #expect(
      try await bench.bash("find out -name '*.partial' -o -type f -not -name '.*' -empty").isEmpty)
    #expect(try await bench.bash(digests) == originals)

    let failures =
      report.failures.map { "\($0.path): \($0.error)" }
      + outcomes.compactMap { line in
        guard let path = value(of: "sourcePath", in: line), let error = value(of: "error", in: line)
        else { return nil }
        return "export of \(path): \(error)"
      }
    let deaths = failures.filter {
      $0.contains("crashed on it") || $0.contains("timed out") || $0.contains("memory")
    }
    print(
      """
      damaged files: seed \(seed), \(Self.count) files, scan \(scanned - begin), \(assets.count) assets, \
      \(report.failures.count) unreadable, export \(exported - scanned), \
      \(outcomes.count { $0.contains(#""action":"failed""#) }) failed, \(deaths.count) exceeded a limit or ended a worker
      """)
    for death in deaths { print("damaged files: \(death)") }
  }

  /// The text of a member in a line of JSON.
  private func value(of member: String, in line: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return object?[member] as? String
  }

  private let digests = "find library -type f -print0 | sort -z | xargs -0 sha256sum"
}
