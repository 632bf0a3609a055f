import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Several programs at one catalog.
  @Suite struct Together {
    /// Waits until the worker has begun a file, so a scan is certainly under way.
    private func waitForWork(in log: String) async throws {
      for _ in 0..<600 {
        if FileManager.default.fileExists(atPath: log) { return }
        try await Task.sleep(for: .milliseconds(50))
      }
      throw WorkbenchError("no scan got under way in 30 s")
    }

    @Test func `one scan at a time, and listing works meanwhile`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec()
      defer { try? FileManager.default.removeItem(atPath: log) }
      try bench.addPictures(5)
      let before = try await bench.scan([bench.library])
      #expect(before.status == 0)
      try FileManager.default.removeItem(atPath: log)

      for index in 0..<6 { try bench.addPicture("SLOW\(index).gif") }
      async let scanning = bench.scan()
      try await waitForWork(in: log)
      let second = try await bench.shoebox(["scan"])
      #expect(second.status == 75)
      #expect(!second.errors.isEmpty)
      // By another name it is the same catalog.
      try await bench.bash("mkdir deep; ln -s ../catalog.sqlite deep/link.sqlite")
      let linked = try await bench.shoebox(
        ["scan"], environment: ["SHOEBOX_CATALOG": "deep/link.sqlite"])
      #expect(linked.status == 75)
      let listed = try await bench.list()
      #expect(listed.count >= 5)

      let (status, report) = try await scanning
      #expect(status == 0)
      #expect(report.added == 6)
    }

    @Test func `when a scan has ended, the catalog's one file holds all of it`() async throws {
      let bench = try Workbench()
      // More than once: it is a matter of what the process still does while it ends.
      for round in 0..<10 {
        try bench.addPicture("\(round).gif", width: 1 + round)
        try #expect(await bench.scan([bench.library]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: bench.catalog + "-wal"))
        try await bench.bash("cp '\(bench.catalog)' copy.sqlite")
        try #expect(
          await bench.query("SELECT count(*) FROM assets", of: bench.folder + "/copy.sqlite")
            == ["\(round + 1)"])
      }
    }

    @Test func `an interrupted scan keeps what it finished`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec()
      defer { try? FileManager.default.removeItem(atPath: log) }
      try bench.addPictures(5)
      for index in 0..<8 { try bench.addPicture("slow/SLOW\(index).gif") }
      let outcome = try await bench.shoebox(
        ["scan", "--jobs", "1", bench.library], interruptedAfter: 3)
      #expect(outcome.status == 130)
      #expect(
        try await bench.query("SELECT count(*) FROM scans WHERE outcome = 'interrupted'") == ["1"])

      let (status, report) = try await bench.scan(environment: ["SHOEBOX_CODEC": bench.codec])
      #expect(status == 0)
      #expect(report.scanned == 13)
      #expect(report.unchanged >= 5, "what was finished is kept")
      #expect(report.added <= 8)
    }
  }
}
