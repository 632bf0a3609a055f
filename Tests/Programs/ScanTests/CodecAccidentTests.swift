import Foundation
import Testing
import Workbench

extension ScanTests {
  /// A worker that dies or hangs costs one file.
  @Suite struct CodecAccidents {
    /// What the worker was asked, as `(files in the request, name)`.
    private func requests(in log: String) throws -> [(count: Int, name: String)] {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let count = Int(words[0]) else { return nil }
        return (count, String(words[1]))
      }
    }

    @Test func `a file that kills the worker is tried again alone, then named`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec()
      try bench.addPictures(40)
      try bench.addPicture("folder0/picture1 CRASH.gif")
      let path = bench.library + "/folder0/picture1 CRASH.gif"

      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 1)
      #expect(report.scanned == 41)
      #expect(report.added == 40)
      #expect(report.unreadable == 1)
      #expect(report.failures.map(\.path) == [path])
      #expect(report.failures.first?.error.hasSuffix(".") == true)
      let tries = try requests(in: log).filter { path.hasSuffix("/" + $0.name) }
      #expect(tries.count == 2)
      #expect(tries.last?.count == 1)
      let readable = try await bench.list().filter { $0.status == "present" }
      #expect(readable.count == 40)

      // The accident may not have been the file's fault: a scan with a sound codec reads it.
      let healed = try await bench.scan(environment: ["SHOEBOX_CODEC": bench.codec])
      #expect(healed.status == 0)
      #expect(healed.report.addsUp)
      #expect(healed.report.unreadable == 0)
      #expect(try await bench.list().allSatisfy { $0.status == "present" })
    }

    @Test func `a file that never ends is stopped`() async throws {
      let (bench, _) = try Workbench.withFaultyCodec()
      try bench.addPictures(10)
      try bench.addPicture("folder0/HANG.gif")
      let (status, report) = try await bench.scan([bench.library], seconds: 60)
      #expect(status == 1)
      #expect(report.added == 10)
      #expect(report.failures.map(\.path) == [bench.library + "/folder0/HANG.gif"])
    }

    @Test func `many accidents in one folder cost only their own files`() async throws {
      let (bench, _) = try Workbench.withFaultyCodec()
      try bench.addPictures(20, perFolder: 20)
      for index in 0..<6 { try bench.addPicture("folder0/picture\(index) CRASH.gif") }
      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 1)
      #expect(report.addsUp)
      #expect(report.added == 20)
      #expect(report.unreadable == 6)
      #expect(Set(report.failures.map(\.path)).count == 6)
    }

    @Test func `a program that never greets is said once, not waited for thrice`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("printf '#!/bin/sh\\nexec sleep 100\\n' >silent; chmod +x silent")
      let outcome = try await bench.shoebox(
        ["scan", bench.library], environment: ["SHOEBOX_CODEC": bench.folder + "/silent"],
        seconds: 25)
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("has not answered"))
    }

    @Test func `the exit status of a worker that gives up is reported`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      // It greets as the true one does, and no more.
      try await bench.bash(
        """
        printf '#!/bin/sh\\n"%s" "$@" </dev/null; exit 7\\n' '\(bench.codec)' >brief; chmod +x brief
        """)
      let (status, report) = try await bench.scan(
        [bench.library], environment: ["SHOEBOX_CODEC": bench.folder + "/brief"])
      #expect(status == 1)
      #expect(
        report.failures.map(\.error) == [
          "The worker failed on it (exit status 7)."
        ])
    }

    @Test func `a missing codec program is said before anything is lost`() async throws {
      let bench = try Workbench(environment: ["SHOEBOX_CODEC": "/nowhere/shoebox-codec"])
      try bench.addPictures(3)
      let outcome = try await bench.shoebox(["scan", bench.library])
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("/nowhere/shoebox-codec"))
      // No partial record remains: once the program is back, the files are new.
      let (status, report) = try await bench.scan(
        [bench.library], environment: ["SHOEBOX_CODEC": bench.codec])
      #expect(status == 0)
      #expect(report.added == 3)
    }
  }
}
