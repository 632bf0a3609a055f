import Catalog
import MediaModel
import Testing

@testable import Exporter

/// What is known of an asset before its export is planned.
struct SubjectTests {
  /// By `date -u -d … +%s%N`.
  @Test(arguments: [
    ("2022-02-16T12:55:41.123+01:00", 1_645_012_541_000_000_000),
    ("2022-02-16T12:55:41-03:30", 1_645_028_741_000_000_000),
    ("2022-02-16T12:55:41+00:00", 1_645_016_141_000_000_000),
    ("2022-02-16T12:55:41", 1_645_016_141_000_000_000),
    ("1965-03-01T00:00:00", -152_668_800_000_000_000),
  ])
  func resultsHaveTheirPicturesTime(captured: String, nanoseconds: Int64) {
    #expect(subject(sample("/l/a.jpg", captured: captured)).moment == nanoseconds)
  }

  @Test func withoutACaptureTimeTheFilesOwnStays() {
    #expect(subject(sample("/l/a.jpg")).moment == 5_000_000_007)
  }

  @Test func whatIsNotThereFails() throws {
    let gone = ExportSubject(asset: sample("/l/a.jpg"), folder: BytePath(""), stamps: [:])
    #expect(ExportPlanner(try request()).plan([gone]).items.first?.action == .failed)
    var unreadable = subject(sample("/l/b.jpg", status: .unreadable))
    #expect(ExportPlanner(try request()).plan([unreadable]).items.first?.action == .skipped)
    unreadable.isNamed = true
    #expect(ExportPlanner(try request()).plan([unreadable]).items.first?.action == .failed)
  }

  /// Each of the long steps of a plan ends with what the check throws, as after a cancellation.
  @Test func aPlanEndsEarly() throws {
    struct End: Error {}
    let subjects = (0..<50).map { subject(sample("/l/\($0).jpg")) }
    func end(after count: Int) -> () throws -> Void {
      var left = count
      return {
        left -= 1
        if left < 0 { throw End() }
      }
    }
    let request = try request()
    #expect(throws: End.self) { try PlanSubjects(subjects, request, checking: end(after: 20)) }
    let all = PlanSubjects(subjects, request, checking: {})
    let planner = ExportPlanner(request)
    #expect(throws: End.self) { try planner.examinations(all, checking: end(after: 20)) }
    for steps in [20, 70, 120, 170] {
      #expect(throws: End.self) {
        try planner.plan(all, examined: [:], checking: end(after: steps))
      }
    }
    #expect(planner.plan(all, examined: [:], checking: {}).items.count == 50)
  }

  @Test func aFileThatMayNotBeReachedIsNotSaidToBeGone() throws {
    var hidden = ExportSubject(asset: sample("/l/a.jpg"), folder: BytePath(""), stamps: [:])
    hidden.obstacles = [BytePath("/l/a.jpg"): "Permission denied"]
    let item = try #require(ExportPlanner(try request()).plan([hidden]).items.first)
    #expect(item.action == .failed)
    #expect(item.reason == "The file cannot be read: Permission denied")
  }

  @Test func theFolderIsTheOneBelowTheInnermostRoot() throws {
    let request = try request()
    func folder(_ asset: AssetRecord, roots: [BytePath]) -> BytePath {
      ExportSubject(asset, roots: roots, for: request).folder
    }
    let roots = [BytePath("/l"), BytePath("/l/inner"), BytePath("/other")]
    let asset = sample("/l/inner/2022/a.jpg")
    #expect(folder(asset, roots: roots) == BytePath("2022"))
    #expect(folder(asset, roots: [BytePath("/l")]) == BytePath("inner/2022"))
    #expect(folder(asset, roots: [BytePath("/l/inner/2022")]) == BytePath(""))
    #expect(folder(asset, roots: []) == BytePath(""))
  }
}
