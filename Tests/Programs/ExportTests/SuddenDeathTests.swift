import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// `kill -9` of either program while it re-encodes pictures.
  @Suite(.enabled(if: Tool.areInstalled(.heifEncoder, .imageMagick)))
  struct SuddenDeath {
    private static let rounds = ExportTests.isLong ? 50 : 5

    /// Exports once without a kill.
    ///
    /// - Returns: the digests that every later export must give.
    private func reference(_ bench: Workbench) async throws -> Set<String> {
      let (status, summary) = try await bench.export(preset: "compatible")
      #expect(status == 0)
      #expect(summary.transcoded > 0)
      return Set(try await bench.digests(of: bench.target))
    }

    /// Exports, and kills processes some seconds after the first result is begun.
    ///
    /// - Parameter victims: a bash expression that gives the process ids.
    /// - Returns: the exit code of the export.
    private func exportAndKill(
      _ victims: String, _ seconds: Double, _ bench: Workbench
    ) async throws -> Int? {
      let said = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet >/dev/null &
        shoebox=$!
        \(Workbench.resultOf)
        until result_of $shoebox >/dev/null; do
          [[ -e /proc/$shoebox/exe ]] || break
        done
        sleep \(seconds)
        victims=\(victims) 2>/dev/null || true
        if [[ -n $victims ]] && kill -KILL $victims 2>/dev/null; then echo killed >>killed; fi
        status=0; wait $shoebox 2>/dev/null || status=$?
        echo $status
        """)
      return Int(said.dropLast())
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

    @Test func `a killed export leaves whole pictures and the next export completes it`()
      async throws
    {
      let bench = try await Workbench.withHEIC(10)
      let originals = try await bench.originals()
      let expected = try await reference(bench)
      var (killed, unfinished) = (0, 0)
      for round in 1...Self.rounds {
        try await bench.bash("rm -rf out")
        let moment = round == 1 ? 0 : Double.random(in: 0...0.3)
        let when = "round \(round), killed \(moment) s after it began"
        let status = try await exportAndKill("$shoebox", moment, bench)
        if status == 128 + 9 { killed += 1 }
        let made = try await bench.bash("find out -type f -not -name '.*' 2>/dev/null | wc -l")
        if Int(made.dropLast()) != expected.count { unfinished += 1 }
        if try await bench.hasUnnamedFiles {
          #expect(try await bench.leftovers().isEmpty, "\(when)")
        }
        try await bench.expectWhole(expected, when)
        try await expectCompletion(bench, expected, when)
      }
      #expect(killed > 0, "every export ended before it was killed")
      #expect(unfinished > 0, "no export was killed at work on a picture")
      #expect(try await bench.originals() == originals)
    }

    /// A new process encodes the picture again. No picture is missing or cut off.
    @Test func `an export completes although workers are killed`() async throws {
      let bench = try await Workbench.withHEIC(10)
      let originals = try await bench.originals()
      let expected = try await reference(bench)
      for round in 1...Self.rounds {
        try await bench.bash("rm -rf out")
        let moment = round == 1 ? 0 : Double.random(in: 0...0.3)
        let when = "round \(round), codec killed \(moment) s after it began"
        let status = try await exportAndKill(
          "$(cat /proc/$shoebox/task/*/children)", moment, bench)
        #expect(status == 0, "\(when)")
        #expect(Set(try await bench.digests(of: bench.target)) == expected, "\(when)")
        try await expectCompletion(bench, expected, when)
      }
      #expect(try await bench.bash("cat killed 2>/dev/null || true").contains("killed"))
      #expect(try await bench.originals() == originals)
    }

    /// As during an upgrade of the package: no other process can be started.
    @Test func `an export whose codec program disappears reports what it has made`() async throws {
      let bench = try await Workbench.withHEIC(30)
      let codec = try bench.addProgram("codec", "exec '\(bench.codec)' \"$@\"")
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        export SHOEBOX_CODEC='\(codec)' SHOEBOX_PROBE='\(bench.probe)'
        '\(bench.program)' export --to out --jobs 1 --manifest list.jsonl --format paths \
          >made 2>said &
        shoebox=$!
        until compgen -G 'out/*' >/dev/null; do [[ -e /proc/$shoebox/exe ]] || break; done
        rm codec
        kill -KILL $(cat /proc/$shoebox/task/*/children) || true
        status=0; wait $shoebox || status=$?
        echo $status
        """)
      #expect(status == "74\n")
      let said = try await bench.bash("cat said")
      #expect(said.contains("the program \(codec) is missing"), "\(said)")
      let made = try await bench.bash("sort made")
      #expect(!made.isEmpty)
      #expect(try await bench.bash("find $PWD/out -type f -not -name '.*' | sort") == made)
      #expect(
        try await bench.bash("wc -l <list.jsonl") == "\(made.split(separator: "\n").count)\n")
      #expect(try await bench.leftovers().isEmpty)
      // The record is complete: nothing is exported twice.
      let (later, summary) = try await bench.export(preset: "compatible")
      #expect(later == 0 && summary.skipped + summary.transcoded == 30)
      #expect(try await bench.bash("ls out | wc -l") == "30\n")
    }
  }

  /// `kill -9` between the names of the two files of a live photo.
  @Suite struct InterruptedPairs {
    /// Exports, and kills the program with strace before the second file gets its name. Without strace the same files
    /// are created directly, with a temporary name as on file systems that need one.
    private func exportHalf(_ bench: Workbench) async throws {
      let traced = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' strace -f -qq -o /dev/null -e trace=renameat2,linkat \
          -e inject=renameat2,linkat:signal=KILL:when=2 '\(bench.program)' \
          export --preset current --to out --quiet >/dev/null 2>&1 || true
        ls out 2>/dev/null || true
        """)
      if traced == "IMG_1.gif\n" { return }
      _ = try await bench.export(["--overwrite"])
      try await bench.bash("mv out/IMG_1.mov out/.shoebox-1.partial")
    }

    @Test(arguments: [[], ["--update"], ["--overwrite"]])
    func `the next export completes a live photo`(flags: [String]) async throws {
      let bench = try Workbench()
      try bench.addPicture("IMG_1.gif")
      try bench.addPicture("IMG_9.gif")
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("IMG_1.gif", "IMG_9.gif")
      try await exportHalf(bench)
      #expect(try await bench.bash("ls out") == "IMG_1.gif\n")
      #expect(try await bench.export(flags).status == 0)
      #expect(try await bench.bash("ls out") == "IMG_1.gif\nIMG_1.mov\n")
      #expect(try await bench.leftovers().isEmpty)
      try await bench.bash(
        "cmp library/IMG_1.gif out/IMG_1.gif; cmp library/IMG_9.gif out/IMG_1.mov")
    }
  }
}
