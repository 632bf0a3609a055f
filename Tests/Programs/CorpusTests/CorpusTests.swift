// CorpusTests: the catalog against files from outside this project.
//
// The corpus is not part of the project: `SHOEBOX_CORPUS` names a folder with `library/`, what other
// programs say of its files in `manifest.tsv`, and `hostile/`, files made to break readers. Without it
// these tests do not run. What the references get wrong is listed in KnownDisagreements.swift.

import Foundation
import Testing
import Workbench

/// The corpus's folder; nil if there is none at hand.
private let corpus = ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"]
  .map { URL(filePath: $0).resolvingSymlinksInPath().path }

/// A catalog of one half of the corpus, and what its scan reported.
struct Scanned: Sendable {
  var bench: Workbench
  var folder: String
  var status: Int
  var report: ScanReport
  var files: [ManifestFile]
}

/// The two halves, each scanned once for all tests.
enum Half: String, CaseIterable, Sendable {
  case library, hostile

  static var isAtHand: Bool { corpus != nil }

  /// Its folder in the corpus.
  var folder: URL? { corpus.map { URL(filePath: $0).appending(path: rawValue) } }

  func scanned() async throws -> Scanned {
    switch self {
    case .library: try await Self.libraryScan.value
    case .hostile: try await Self.hostileScan.value
    }
  }

  private static let libraryScan = Task { try await library.scan(manifest: "manifest.tsv") }
  private static let hostileScan = Task { try await hostile.scan(manifest: "hostile.tsv") }

  private func scan(manifest: String) async throws -> Scanned {
    let corpus = try #require(corpus)
    let bench = try Workbench()
    let folder = "\(corpus)/\(rawValue)"
    let (status, report) = try await bench.scan([folder], seconds: 500)
    return Scanned(
      bench: bench, folder: folder, status: status, report: report,
      files: try ManifestFile.read("\(corpus)/\(manifest)"))
  }
}

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: corpus != nil))
struct CorpusTests {
  @Test(arguments: Half.allCases)
  func `every media file is an asset or named as unreadable`(
    half: Half
  ) async throws {
    let scanned = try await half.scanned()
    #expect(scanned.status == (scanned.report.failures.isEmpty ? 0 : 1))
    #expect(scanned.report.addsUp)
    #expect(scanned.report.unreadable == scanned.report.failures.count)

    let assets = try await scanned.bench.list()
    var accounted = Set(scanned.report.failures.map(\.path))
    for asset in assets {
      accounted.insert(asset.path)
      accounted.formUnion((asset.resources ?? []).map(\.path))
    }
    let forgotten = scanned.files.filter {
      $0.isMedia && !accounted.contains("\(scanned.folder)/\($0.path)")
    }
    for file in forgotten where !KnownDisagreements.isNotMedia(file) {
      Issue.record("\(file.path) (\(file.fileType)) is neither an asset nor named as unreadable")
    }
  }

  @Test(arguments: Half.allCases)
  func `every failure is reported in one sentence`(half: Half) async throws {
    for failure in try await half.scanned().report.failures {
      let isSentence =
        failure.error.hasSuffix(".") && failure.error.first?.isUppercase == true
        && !failure.error.contains("\n") && failure.error.count < 200
      #expect(isSentence, "\(failure.path): \(failure.error)")
    }
  }

  @Test(arguments: Half.allCases)
  func `a second scan finds nothing new`(half: Half) async throws {
    let scanned = try await half.scanned()
    let (_, report) = try await scanned.bench.scan(seconds: 500)
    #expect(report.addsUp)
    #expect(report.scanned == scanned.report.scanned)
    #expect(report.added == 0)
    #expect(report.changed == 0)
    #expect(report.moved == 0)
    #expect(report.missing == 0)
  }

  @Test(arguments: Comparison.allCases)
  func `the catalog agrees with other programs`(comparison: Comparison) async throws {
    let scanned = try await Half.library.scanned()
    let facts = try await scanned.bench.facts(under: scanned.folder)
    var compared = 0
    var differing: [String: String] = [:]
    for file in scanned.files where file.isMedia {
      guard let fact = facts[file.path], let expected = comparison.expected(of: file) else {
        continue
      }
      compared += 1
      let got = comparison.value(of: fact)
      if !comparison.agrees(got, with: expected) {
        differing[file.path] = "expected \(expected), the catalog says \(got ?? "nothing")"
      }
    }
    #expect(compared > 50, "the manifest has hardly any \(comparison)")
    let known = KnownDisagreements.wrongReferences[comparison] ?? [:]
    let ratio = Double(compared - differing.count) / Double(max(compared, 1))
    print("\(comparison): \(compared) compared, \(String(format: "%.2f", ratio * 100)) % equal")
    for (path, difference) in differing.sorted(by: { $0.key < $1.key }) where known[path] == nil {
      Issue.record("\(comparison) of \(path): \(difference)")
    }
    for path in known.keys where differing[path] == nil && facts[path] != nil {
      Issue.record(
        "\(comparison) of \(path) agrees: its entry in KnownDisagreements is out of date")
    }
  }
}
