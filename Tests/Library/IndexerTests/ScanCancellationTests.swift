import Catalog
import Foundation
import MediaModel
import Testing
import WorkerPool
import Workbench

@testable import Indexer

/// Scans in one process, some of which are cancelled.
struct ScanCancellationTests {
  private let bench: Workbench

  /// A library in which every picture has a relative by its name, and a copy.
  init() throws {
    bench = try Workbench()
    for number in 0..<300 {
      for place in ["a/\(number).gif", "a/\(number).jpeg", "b/\(number).gif"] {
        let isRelative = place.hasSuffix("jpeg")
        try bench.addPicture(
          place, width: 1 + number, words: "\(number)\(isRelative ? " relative" : "")")
      }
    }
  }

  private func scan(_ catalog: Catalog) throws -> Scan {
    let scopes = try ScanScope.resolve(
      [BytePath(bench.library)], in: catalog, options: WalkOptions())
    let workers = MediaWorkers(
      WorkerConfiguration(probe: nil, codec: BytePath(bench.codec), jobs: 2))
    return Scan(catalog: catalog, workers: workers, scopes: scopes)
  }

  private func catalog(_ name: String) throws -> Catalog {
    try Catalog.open(at: "\(bench.folder)/\(name).sqlite", mode: .readWrite)
  }

  @Test(arguments: [ScanEvent.Phase.reading, .settling, .comparingCopies])
  func aCancelledScanKeepsWhatIsDone(in phase: ScanEvent.Phase) async throws {
    let (cut, quiet) = (try catalog("cut"), try catalog("quiet"))
    let other = Task { [scan = try scan(quiet)] in try await scan.run() }
    let (events, reporter) = AsyncStream.makeStream(of: ScanEvent.self)
    let cancelled = Task { [scan = try scan(cut)] in try await scan.run(reporting: reporter) }
    for await event in events where event.phase >= phase {
      cancelled.cancel()
    }
    let report = try await cancelled.value
    if phase == .reading {
      #expect(report.outcome == .interrupted)
      #expect(report.counts.scanned < 900)
      #expect(try cut.scans(last: 1, failureLimit: 1).first?.outcome == .interrupted)
    }
    let complete = try await other.value
    #expect(complete.outcome == .finished, "cancelling one scan does not cancel another")
    #expect(complete.counts.added == 900)

    let next = try await scan(cut).run()
    #expect(next.outcome == .finished)
    #expect(next.counts.added == 900 - report.counts.added)
    #expect(try await bench.dump(of: cut.path) == bench.dump(of: quiet.path))
  }

  @Test func eventsFollowTheScanToItsEnd() async throws {
    let (events, reporter) = AsyncStream.makeStream(of: ScanEvent.self)
    async let report = scan(try catalog("catalog")).run(reporting: reporter)
    var seen: [ScanEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen.map(\.phase) == seen.map(\.phase).sorted())
    #expect(Set(seen.map(\.phase)) == [.reading, .settling, .indexingTexts, .comparingCopies])
    #expect(seen.last?.filesSeen == 900)
    let settling = seen.filter { $0.phase == .settling }
    #expect(settling.contains { $0.completed > 0 && $0.completed < $0.total })
    #expect(seen.last?.completed == seen.last?.total)
    let size = try await bench.bash(
      "find library -type f -printf '%s\\n' | awk '{ sum += $1 } END { print sum }'")
    #expect(seen.last?.bytesRead == Int64(size.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try await report.counts.added == 900)
  }
}
