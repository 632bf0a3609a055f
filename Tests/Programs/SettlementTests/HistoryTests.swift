import Foundation
import Testing
import Workbench

extension SettlementTests {
  /// A catalog that has followed a library is the same as one made from nothing.
  @Suite struct Histories {
    @Test func `however a library came to be, its catalog is the same`() async throws {
      let environment = ProcessInfo.processInfo.environment
      if let seed = environment["SHOEBOX_SEED"].flatMap(UInt64.init) {
        try await follow(seed)
        return
      }
      // The same histories every time, so that a red run means a change; new ones where there is time to
      // look into what they find.
      let patience = SettlementTests.patience
      let seeds: [UInt64] =
        patience == nil ? Array(1...6) : (0..<300).map { _ in .random(in: 0..<1_000_000_000) }
      let end = patience.map { ContinuousClock.now + .seconds($0) }
      // Most of the time goes into starting programs, so a few live side by side.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for first in 0..<3 {
          group.addTask {
            for index in stride(from: first, to: seeds.count, by: 3) {
              if let end, ContinuousClock.now >= end { break }
              try await follow(seeds[index])
            }
          }
        }
        try await group.waitForAll()
      }
    }

    /// Lives through one history and compares.
    private func follow(_ seed: UInt64) async throws {
      let bench = try await Workbench.withMediaPool()
      let pool = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/pool/")
      var history = RandomHistory(seed: seed, pool: pool)
      var steps: [String] = []
      func fault(_ what: String, _ details: [String]) -> Comment {
        """
        \(what) (SHOEBOX_SEED=\(seed) repeats it)
        \(details.prefix(12).joined(separator: "\n"))
        after
        \(steps.joined(separator: "\n"))
        """
      }
      try await bench.bash("mkdir -p away library/a/deep library/b library/Screenshots")
      _ = try await bench.scan([bench.library])
      var before: [TrackedFile] = []
      var linked: Set<Int64> = []
      for round in 0..<5 {
        let script = history.steps(round == 0 ? 6...14 : 1...6)
        let part = round < 4 && history.oneIn(6) ? "/" + history.folder() : ""
        steps += [script, "# scan \(part)"]
        let links = "\nfind library away -type f -links +1 -printf '%i\\n'"
        linked.formUnion(
          try await bench.bash(script + links).split(separator: "\n").compactMap { Int64($0) })
        let isWhole =
          part.isEmpty || part == "/"
          || !FileManager.default.fileExists(atPath: bench.library + part)
        let report = try await bench.scan([bench.library + (isWhole ? "" : part)]).report
        let violations = try await CatalogInvariants.violations(on: bench)
        #expect(violations.isEmpty, fault("the catalog is at odds with itself", violations))
        #expect(report.addsUp)
        let after = try await TrackedFile.all(on: bench)
        if isWhole {
          #expect(
            report.scanned == after.count { $0.id != nil }, fault("the report counts wrongly", []))
          let strayed = TrackedFile.strayed(from: before, to: after, butFor: linked)
          #expect(strayed.isEmpty, fault("ids did not follow their files", strayed))
        }
        before = after
      }
      let again = try await bench.scan().report
      #expect(again.added + again.changed + again.moved + again.missing == 0)
      let (followed, fresh) = (bench.folder + "/catalog.sqlite", bench.folder + "/fresh.sqlite")
      _ = try await bench.shoebox(
        ["scan", bench.library], environment: ["SHOEBOX_CATALOG": fresh])
      let (got, expected) = (
        try await bench.dump(of: followed), try await bench.dump(of: fresh)
      )
      let difference =
        Set(got).subtracting(expected).sorted().map { "has   " + $0 }
        + Set(expected).subtracting(got).sorted().map { "lacks " + $0 }
      #expect(
        got == expected, fault("the catalog differs from one made from nothing", difference))
    }
  }
}
