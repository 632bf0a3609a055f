import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// `kill -9` while pictures are made anew, of either program.
  @Suite(.enabled(if: Tool.areInstalled(.heifEncoder, .imageMagick)))
  struct SuddenDeath {
    private static let rounds = ExportTests.isLong ? 50 : 5

    /// Exports once undisturbed.
    ///
    /// - Returns: what has to come out whatever happens, and how many seconds it took.
    private func reference(_ bench: Workbench) async throws -> (files: Set<String>, took: Double) {
      let begun = ContinuousClock.now
      let (status, summary) = try await bench.export(preset: "compatible")
      #expect(status == 0)
      #expect(summary.transcoded > 0)
      let took = (ContinuousClock.now - begun) / .seconds(1)
      return (Set(try await bench.digests(of: bench.target)), took)
    }

    private func expectCompletion(
      _ bench: Workbench, _ expected: Set<String>, _ when: String
    ) async throws {
      let (status, summary) = try await bench.export(["--update"], preset: "compatible")
      #expect(status == 0, "\(when)")
      #expect(summary.skipped + summary.transcoded == expected.count, "\(when)")
      #expect(Set(try await bench.digests(of: bench.target)) == expected, "\(when)")
      #expect(try await bench.leftovers().isEmpty, "\(when)")
    }

    @Test func aKilledExportLeavesWholePicturesAndIsMadeGoodByTheNext() async throws {
      let bench = try await Workbench.withHEIC(10)
      let originals = try await bench.originals()
      let (expected, took) = try await reference(bench)
      var (killed, unfinished) = (0, 0)
      for round in 1...Self.rounds {
        try await bench.bash("rm -rf out")
        let moment = took * Double.random(in: 0.1...0.9)
        let when = "round \(round), killed after \(moment) s"
        if try await bench.kill(["export", "--to", bench.target], afterSeconds: moment) {
          killed += 1
          if try await !bench.leftovers().isEmpty { unfinished += 1 }
        }
        try await bench.expectWhole(expected, when)
        try await expectCompletion(bench, expected, when)
      }
      #expect(killed > 0, "every export ended before it was killed")
      #expect(unfinished > 0, "no export was killed at work on a picture")
      #expect(try await bench.originals() == originals)
    }

    /// The picture that it was at is tried again in a fresh process; nothing is lost, nothing is cut off.
    @Test func aKilledCodecProcessCostsNothing() async throws {
      let bench = try await Workbench.withHEIC(10)
      let originals = try await bench.originals()
      let (expected, took) = try await reference(bench)
      var killed = 0
      for round in 1...Self.rounds {
        try await bench.bash("rm -rf out")
        let moment = took * Double.random(in: 0.2...0.8)
        let said = try await bench.bash(
          """
          SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet >/dev/null &
          shoebox=$!
          sleep \(moment)
          codecs=$(cat /proc/$shoebox/task/*/children 2>/dev/null) || true
          if [[ -n $codecs ]] && kill -KILL $codecs; then echo killed; fi
          status=0; wait $shoebox || status=$?
          echo "status $status"
          """)
        let when = "round \(round), codec killed after \(moment) s"
        if said.hasPrefix("killed") { killed += 1 }
        #expect(said.hasSuffix("status 0\n"), "\(when): \(said)")
        #expect(Set(try await bench.digests(of: bench.target)) == expected, "\(when)")
        try await expectCompletion(bench, expected, when)
      }
      #expect(killed > 0, "every export ended before its codec was killed")
      #expect(try await bench.originals() == originals)
    }
  }

  /// `kill -9` between the moments at which the two files of a live photo get their names.
  @Suite struct HalfAPair {
    /// Leaves behind what such a kill does: strace kills at the very system call where it may; else the
    /// same files are laid down by hand.
    private func exportHalf(_ bench: Workbench) async throws {
      let traced = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' strace -f -qq -o /dev/null -e trace=renameat2 \
          -e inject=renameat2:signal=KILL:when=2 '\(bench.program)' \
          export --preset current --to out --quiet >/dev/null 2>&1 || true
        ls out 2>/dev/null || true
        """)
      if traced == "IMG_1.gif\n" { return }
      _ = try await bench.export(["--overwrite"])
      try await bench.bash("mv out/IMG_1.mov out/.shoebox-1.partial")
    }

    @Test(arguments: [[], ["--update"], ["--overwrite"]])
    func isCompletedByTheNextExport(flags: [String]) async throws {
      let bench = try Workbench()
      try bench.addPicture("IMG_1.gif")
      try bench.addPicture("IMG_9.gif")
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("IMG_1.gif", "IMG_9.gif")
      try await exportHalf(bench)
      #expect(try await bench.bash("ls out") == "IMG_1.gif\n")
      #expect(try await !bench.leftovers().isEmpty)
      #expect(try await bench.export(flags).status == 0)
      #expect(try await bench.bash("ls out") == "IMG_1.gif\nIMG_1.mov\n")
      #expect(try await bench.leftovers().isEmpty)
      try await bench.bash(
        "cmp library/IMG_1.gif out/IMG_1.gif; cmp library/IMG_9.gif out/IMG_1.mov")
    }
  }
}
