import Foundation
import Testing
import Workbench

extension ExportTests {
  /// A second export into the same folder.
  @Suite struct Again {
    private func bench(_ count: Int = 4) async throws -> Workbench {
      let bench = try Workbench()
      for number in 1...count { try bench.addPicture("\(number).gif", width: number) }
      _ = try await bench.scan([bench.library])
      return bench
    }

    @Test func nothingIsMadeTwice() async throws {
      let bench = try await bench()
      #expect(try await bench.export().summary.copied == 4)
      let first = try await bench.bash("stat -c '%n %Y %i' out/*")
      for flags in [[], ["--update"]] {
        let (status, summary) = try await bench.export(flags)
        #expect(status == 0)
        #expect(summary.skipped == 4)
        #expect(try await bench.bash("stat -c '%n %Y %i' out/*") == first)
      }
      #expect(try await bench.export(["--overwrite"]).summary.copied == 4)
      #expect(try await bench.bash("ls out") == "1.gif\n2.gif\n3.gif\n4.gif\n")
    }

    @Test func anUpdateMakesWhatIsNewOrChanged() async throws {
      let bench = try await bench()
      _ = try await bench.export()
      try bench.addPicture("2.gif", width: 20, words: "another")
      try bench.addPicture("5.gif", width: 5)
      _ = try await bench.scan()
      let (_, plain) = try await bench.export()
      #expect(plain.copied == 1)
      #expect(plain.skipped == 4)
      let (_, updated) = try await bench.export(["--update"])
      #expect(updated.copied == 1)
      #expect(updated.skipped == 4)
      #expect(
        try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
    }

    @Test func whatWasMovedInTheLibraryKeepsItsNameInTheTarget() async throws {
      let bench = try await bench()
      _ = try await bench.export()
      try await bench.bash("mkdir library/sub; mv library/3.gif library/sub/drei.gif")
      _ = try await bench.scan()
      let (_, summary) = try await bench.export(["--update"])
      #expect(summary.skipped == 4)
      #expect(try await bench.bash("ls out") == "1.gif\n2.gif\n3.gif\n4.gif\n")
    }

    @Test func whatLiesThereAlreadyIsNotOverwrittenUnlessAsked() async throws {
      let bench = try await bench(1)
      try await bench.bash("mkdir out; printf mine >out/1.gif")
      #expect(try await bench.export().summary.copied == 1)
      #expect(try await bench.bash("cat out/1.gif; ls out") == "mine1 (2).gif\n1.gif\n")
      #expect(try await bench.export().summary.skipped == 1)
      try await bench.bash("rm -r out; mkdir out; printf mine >out/1.gif")
      #expect(try await bench.export(["--overwrite"]).summary.copied == 1)
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
    }

    @Test func whatSomebodyEditedInTheTargetStays() async throws {
      let bench = try await bench(1)
      _ = try await bench.export()
      try await bench.bash("printf edited >>out/1.gif")
      try bench.addPicture("1.gif", width: 77)
      _ = try await bench.scan()
      #expect(try await bench.export(["--update"]).summary.skipped == 1)
      #expect(try await bench.bash("tail -c 6 out/1.gif") == "edited")
    }

    @Test func originalsAreNeverOverwritten() async throws {
      let bench = try await bench()
      try bench.addPicture("sub/1.gif", width: 99)
      _ = try await bench.scan()
      let before = try await bench.originals()
      for target in [bench.library, bench.folder + "/./library/../library"] {
        let outcome = try await bench.shoebox(
          ["export", "--preset", "current", "--flatten", "--overwrite", "--to", target])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("originals are never overwritten"))
      }
      // Another file that could be exported is next to them.
      let after = try await bench.originals()
      for line in before.split(separator: "\n") { #expect(after.contains(line)) }
      #expect(try await bench.leftovers().isEmpty)
    }

    /// Exported files there are files like any other; temporary files of a killed export are ignored.
    @Test func aTargetInsideARootIsScannedWithoutItsRecord() async throws {
      let bench = try await bench()
      let target = bench.library + "/exported earlier"
      let outcome = try await bench.shoebox(["export", "--preset", "current", "--to", target])
      #expect(outcome.status == 0)
      try await bench.bash("cp library/1.gif 'library/exported earlier/.shoebox-1.partial'")
      let (_, report) = try await bench.scan()
      #expect(report.scanned == 8)
      #expect(report.added == 4)
      #expect(report.unreadable == 0)
      let names = Set(try await bench.list().map { $0.path.split(separator: "/").last ?? "" })
      #expect(names == ["1.gif", "2.gif", "3.gif", "4.gif"])
      // The next export removes what the killed one left.
      let again = try await bench.shoebox(["export", "--preset", "current", "--to", target])
      #expect(again.status == 0)
      #expect(try await bench.leftovers().isEmpty)
    }
  }
}
