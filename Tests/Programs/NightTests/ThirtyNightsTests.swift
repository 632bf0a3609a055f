import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct ThirtyNights {
    @Test(arguments: [1, 2] as [UInt64])
    func `each of thirty reports says exactly what the day has changed`(
      seed: UInt64
    ) async throws {
      let bench = try Workbench()
      var tree = ChangingTree(bench, seed: seed)
      for night in 1...30 {
        var day = try tree.pass()
        if night == 1 {
          // To a new catalog all is new.
          for _ in 0..<3 { day.new.formUnion(try tree.pass().new) }
          tree.forgetRemoved()
          _ = try await bench.night(night)
          continue
        }
        let (status, report, errors) = try await bench.night(night)
        let what = Comment(rawValue: "seed \(seed), night \(night)\n\(errors)")
        #expect(report.new.paths == day.new, what)
        #expect(report.new.count == day.new.count, what)
        #expect(report.changed.paths == day.changed, what)
        let moved = Dictionary(
          report.moved.first.compactMap { move in move.oldPath.map { ($0, move.path) } },
          uniquingKeysWith: { $1 })
        #expect(moved == day.moved, what)
        #expect(report.returned.paths == day.returned, what)
        #expect(report.missing.paths == day.missing, what)
        #expect(Set(report.newFailures.map(\.path)) == day.newFailures, what)
        // Failures of earlier nights are in the report, and do not make it fail.
        #expect(report.openFailures.count + report.newFailures.count == tree.damaged.count, what)
        #expect(status == (day.newFailures.isEmpty ? 0 : 1), what)
      }
    }

    @Test func `what came in is listed by the time at which it was added`() async throws {
      let bench = try Workbench()
      try bench.addPicture("old.gif")
      #expect(try await bench.night(0).status == 0)
      try bench.addPicture("sub.folder/new.gif")
      #expect(try await bench.night(3).status == 0)
      func names(_ arguments: [String]) async throws -> [String] {
        let outcome = try await bench.shoebox(
          ["list", "--format", "paths"] + arguments, environment: Workbench.clock(ahead: 4))
        return outcome.lines.map { ($0 as NSString).lastPathComponent }.sorted()
      }
      #expect(try await names(["--added-since", "last-scan"]) == ["new.gif"])
      #expect(try await names(["--added-since", "2d"]) == ["new.gif"])
      #expect(try await names(["--added-since", "yesterday"]) == ["new.gif"])
      #expect(try await names(["--added-since", "today"]).isEmpty)
      #expect(try await names(["--added-since", "1w"]) == ["new.gif", "old.gif"])
      #expect(try await names(["--where", "addedDate < 2d"]) == ["old.gif"])
      #expect(try await names(["--where", "modifiedDate > 1w"]) == ["new.gif", "old.gif"])
      #expect(try await names(["--where", "modifiedDate > 12h"]).isEmpty)
      #expect(try await names(["--where", "extension = GIF"]) == ["new.gif", "old.gif"])
      #expect(try await names(["--where", "folder like \"*/sub.folder\""]) == ["new.gif"])
      #expect(try await names(["--where", "folder = \"\(bench.library)\""]) == ["old.gif"])
      // The catalog has not changed since it was saved.
      #expect(
        try await bench.shoebox(["list", "--added-since", "2d", "--save", "recent"]).status == 0)
      #expect(try await names(["--saved", "recent"]) == ["new.gif"])
    }

    @Test func `a file that fails for a reason that may pass is tried at the documented nights`()
      async throws
    {
      let bench = try Workbench(
        environment: ["SHOEBOX_FILE_TIMEOUT": "2"], faultLog: "codec-log")
      try bench.addPicture("sound.gif")
      try bench.addPicture("CRASH.gif")
      var tries: [Int] = []
      var seen = 0
      for night in 0...20 {
        let (status, report, _) = try await bench.night(night, ["--skip", "thumbnails"])
        let log = try String(contentsOfFile: bench.folder + "/codec-log", encoding: .utf8)
        let count = log.split(separator: "\n").count { $0.hasSuffix("CRASH.gif") }
        if count > seen { tries.append(night) }
        seen = count
        #expect(status == (night == 0 ? 1 : 0))
        #expect(report.newFailures.count == (night == 0 ? 1 : 0))
        #expect(report.openFailures.count == (night == 0 ? 0 : 1))
      }
      #expect(tries == [0, 1, 2, 4, 8, 16])
    }
  }
}
