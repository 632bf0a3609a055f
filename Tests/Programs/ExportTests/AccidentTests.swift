import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Accidents during an export.
  @Suite struct Accidents {
    @Test func aKilledExportLeavesWholeFilesAndIsMadeGoodByTheNext() async throws {
      let bench = try await Workbench.withLargePictures(60)
      let originals = try await bench.originals()
      let expected = Set(try await bench.digests(of: bench.library))
      let begun = ContinuousClock.now
      #expect(try await bench.export().status == 0)
      // The longest that an export may take to be caught.
      var span = (ContinuousClock.now - begun) / .seconds(1)
      var killed = 0
      for round in 1...(ExportTests.isLong ? 50 : 6) {
        try await bench.bash("rm -rf out")
        let moment = Double.random(in: 0.005...max(span, 0.02))
        let arguments = ["export", "--preset", "current", "--to", bench.target]
        if try await bench.kill(arguments, afterSeconds: moment) {
          killed += 1
        } else {
          span = moment / 2
        }
        try await bench.expectWhole(expected, "round \(round), killed after \(moment) s")
        #expect(try await bench.export(["--update"]).status == 0)
        #expect(Set(try await bench.digests(of: bench.target)) == expected, "round \(round)")
        #expect(try await bench.leftovers().isEmpty)
      }
      #expect(killed > 0, "every export ended before it was killed")
      #expect(try await bench.originals() == originals)
    }

    /// Interrupts as soon as the target has a file; in most tries the export ends before all files are there.
    @Test func anInterruptedExportLeavesWholeFilesOnly() async throws {
      let bench = try await Workbench.withLargePictures(60)
      let expected = Set(try await bench.digests(of: bench.library))
      var interrupted = 0
      for round in 1...20 where interrupted < 2 {
        // A shell lets what it starts in the background ignore Ctrl-C, unless it has jobs.
        let said = try await bench.bash(
          """
          rm -rf out
          set -m
          SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --preset current --to out \
            >said 2>&1 &
          shoebox=$!
          until compgen -G 'out/*' >/dev/null; do [[ -e /proc/$shoebox/exe ]] || break; done
          kill -INT $shoebox || true
          status=0; wait $shoebox || status=$?
          cat said; echo "status $status"
          """)
        try await bench.expectWhole(expected, "round \(round)")
        #expect(try await bench.leftovers().isEmpty)
        #expect(said.hasSuffix("status 0\n") || said.hasSuffix("status 130\n"), "\(said)")
        if said.contains("interrupted after") { interrupted += 1 }
      }
      #expect(interrupted > 0)
    }

    @Test func twoExportsDoNotWriteIntoOneFolder() async throws {
      let bench = try await Workbench.withLargePictures(1)
      try await bench.bash("mkdir out")
      let outcome = try await bench.bash(
        """
        exec 9>out/.shoebox-export.lock
        flock 9
        set +e
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out 2>&1
        echo "status $?"
        """)
      #expect(outcome.contains("another export is writing"))
      #expect(outcome.hasSuffix("status 75\n"))
    }

    @Test func leftoversOfTheDeadAreRemovedAndThoseOfTheLivingAreNot() async throws {
      let bench = try await Workbench.withLargePictures(1)
      try await bench.bash("mkdir out; printf x >out/.shoebox-1.partial")
      _ = try await bench.bash(
        """
        exec 9>out/.shoebox-2.partial
        flock 9
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --flatten --to out
        """)
      #expect(try await bench.leftovers() == "./out/.shoebox-2.partial\n")
    }

    /// An export into a folder below speaks with its lock for what it makes there.
    @Test func whatAnExportBelowMakesIsLeftAlone() async throws {
      let bench = try await Workbench.withLargePictures(1)
      _ = try await bench.bash(
        """
        mkdir -p out/folder0
        printf x >out/folder0/.shoebox-3.partial
        exec 9>out/folder0/.shoebox-export.lock
        flock 9
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out
        """)
      #expect(try await bench.leftovers() == "./out/folder0/.shoebox-3.partial\n")
      try await bench.bash(
        "SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --update --to out")
      #expect(try await bench.leftovers().isEmpty)
    }

    /// The next export writes somewhere else, and yet it finds what the killed one has left.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)))
    func leftoversInFoldersThatNobodyWritesIntoAnyMoreAreRemoved() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=640x480:d=20 -c:v mpeg4 library/a.mov")
      try bench.addPicture("b.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet \
          --name 'one/{type}/{stem}' library/a.mov >/dev/null &
        shoebox=$!
        until compgen -G 'out/one/video/.shoebox-*.partial' >/dev/null; do
          [[ -e /proc/$shoebox/exe ]] || break
        done
        kill -KILL $shoebox
        wait $shoebox || true
        """)
      #expect(try await bench.leftovers().hasPrefix("./out/one/video/.shoebox-"))
      for _ in 1...2 {
        let outcome = try await bench.shoebox(
          ["export", "--to", "out", "--name", "two/{stem}", "library/b.gif"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await bench.leftovers().isEmpty)
        // A record of what was made, and of nothing else.
        let record = try await bench.bash("cat out/.shoebox-export.jsonl")
        #expect(record.split(separator: "\n").count == 1)
        #expect(
          record.contains(#""target":"two\/b.gif""#) || record.contains(#""target":"two/b.gif""#))
      }
    }

    /// On SMB shares a lock keeps all other descriptors from writing, the codec process's too.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)))
    func whatIsBeingMadeIsNotLocked() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=640x480:d=20 -c:v mpeg4 library/a.mov")
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet &
        shoebox=$!
        until compgen -G 'out/.shoebox-*.partial' >/dev/null; do
          [[ -e /proc/$shoebox/exe ]] || break
        done
        flock -n out/.shoebox-*.partial true && echo free
        wait $shoebox
        """)
      #expect(said.hasPrefix("free\n"), "\(said)")
    }

    @Test func aSourceThatIsGoneFailsAloneAndIsNamed() async throws {
      let bench = try await Workbench.withLargePictures(3)
      try await bench.bash("rm library/folder0/picture1.gif")
      let outcome = try await bench.shoebox(["export", "--to", bench.target])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("picture1.gif: The file is not there"))
      #expect(try await bench.digests(of: bench.target).count == 2)
    }
  }
}
