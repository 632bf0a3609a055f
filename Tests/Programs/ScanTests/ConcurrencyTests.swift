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
      let (bench, log) = try Workbench.withFaultyCodec(fileTimeout: 60)
      try bench.addPictures(5)
      let before = try await bench.scan([bench.library])
      #expect(before.status == 0)
      try FileManager.default.removeItem(atPath: log)

      for index in 0..<6 { try bench.addPicture("WAIT\(index).gif") }
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

      try await bench.bash("touch '\(log)-go'")
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

    /// As `nohup` starts it, and a shell without job control what it puts into the background.
    @Test(arguments: ["HUP", "INT", "TERM"])
    func `a signal that is ignored at the start stays ignored`(signal: String) async throws {
      let (bench, log) = try Workbench.withFaultyCodec(fileTimeout: 60)
      for index in 0..<3 { try bench.addPicture("WAIT\(index).gif") }
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        set -m
        (trap '' \(signal); exec '\(bench.program)' scan --jobs 1 library >printed 2>said) & scan=$!
        until grep -qs WAIT '\(log)'; do sleep 0.05; done
        kill -\(signal) $scan
        touch '\(log)-go'
        status=0; wait $scan || status=$?
        echo $status
        """, seconds: 60)
      #expect(status == "0\n")
      #expect(try await bench.query("SELECT count(*) FROM assets") == ["3"])
    }

    @Test func `an interrupted scan keeps what it finished`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec(fileTimeout: 60)
      try bench.addPictures(5)
      for index in 0..<8 { try bench.addPicture("slow/WAIT\(index).gif") }
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        # A shell lets what it starts in the background ignore Ctrl-C, unless it has jobs.
        set -m
        '\(bench.program)' scan --jobs 1 library >printed 2>said & scan=$!
        until grep -qs WAIT '\(log)'; do sleep 0.05; done
        kill -INT $scan
        touch '\(log)-go'
        status=0; wait $scan || status=$?
        echo $status
        """, seconds: 60)
      #expect(status == "130\n")
      #expect(
        try await bench.query("SELECT count(*) FROM scans WHERE outcome = 'interrupted'") == ["1"])

      let next = try await bench.scan(environment: ["SHOEBOX_CODEC": bench.codec])
      #expect(next.status == 0)
      #expect(next.report.scanned == 13)
      #expect(next.report.unchanged >= 5, "what was finished is kept")
      #expect(next.report.added <= 8)
    }
  }
}
