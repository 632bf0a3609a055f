import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Interrupted and concurrent exports, and missing sources.
  @Suite struct Accidents {
    @Test func `a killed export leaves whole files and the next export completes it`() async throws
    {
      let bench = try await Workbench.withLargePictures(60)
      let originals = try await bench.originals()
      let expected = Set(try await bench.digests(of: bench.library))
      let begun = ContinuousClock.now
      #expect(try await bench.export().status == 0)
      // The latest moment, in seconds, at which a running export can be killed.
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

    /// The signal is sent as soon as the target contains a file, which is usually before the export ends.
    @Test func `an interrupted export leaves whole files only`() async throws {
      let bench = try await Workbench.withLargePictures(60)
      let expected = Set(try await bench.digests(of: bench.library))
      var interrupted = 0
      for round in 1...20 where interrupted < 2 {
        // Without job control (`set -m`), background processes of a shell ignore SIGINT.
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

    @Test func `two exports do not write into one folder at the same time`() async throws {
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

    @Test func `temporary files are removed unless an export still uses them`() async throws {
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

    /// The lock of an export into a subfolder protects its temporary files.
    @Test func `temporary files of an export into a subfolder stay`() async throws {
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

    /// The next export writes into another folder, but still finds the temporary files of the killed one.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)))
    func `temporary files in other folders of the target are removed`() async throws {
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
        \(Workbench.resultOf)
        until result_of $shoebox >/dev/null; do [[ -e /proc/$shoebox/exe ]] || break; done
        kill -KILL $shoebox
        wait $shoebox || true
        # As on a file system where results have names from the beginning.
        printf x >out/one/video/.shoebox-1.partial
        """)
      for _ in 1...2 {
        let outcome = try await bench.shoebox(
          ["export", "--to", "out", "--name", "two/{stem}", "library/b.gif"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await bench.leftovers().isEmpty)
        // The record lists the finished file only.
        let record = try await bench.bash("cat out/.shoebox-export.jsonl")
        #expect(record.split(separator: "\n").count == 1)
        #expect(
          record.contains(#""target":"two\/b.gif""#) || record.contains(#""target":"two/b.gif""#))
      }
    }

    /// On SMB shares a lock prevents writing through any other descriptor, also the worker's.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)))
    func `a file is not locked while it is written`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=640x480:d=20 -c:v mpeg4 library/a.mov")
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet &
        shoebox=$!
        \(Workbench.resultOf)
        until result_of $shoebox >result; do [[ -e /proc/$shoebox/exe ]] || break; done
        flock -n $(<result) true && echo free
        wait $shoebox
        """)
      #expect(said.hasPrefix("free\n"), "\(said)")
    }

    /// Neither `O_TMPFILE` is used on a file system that Shoebox does not know, nor on FAT, which has none.
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `results have temporary names where files need one`() async throws {
      let bench = try await Workbench.withLargePictures(3)
      let said = try await bench.bash(
        """
        mkdir out
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG='\(bench.catalog)' $enter bash -eu -c '
          mount -t ramfs none out
          strace -f -qq -o traced -e trace=openat,linkat,renameat2 "$0" export --preset current --to out >/dev/null
          find out -type f | wc -l
          "$0" export --preset current --to out --overwrite >/dev/null
          find out -name "*.partial"
          find out -type f -not -name ".*" -print0 | sort -z | xargs -0r sha256sum | cut -c1-64
        ' '\(bench.program)'
        """)
      let originals = try await bench.bash(
        "find library -type f -print0 | sort -z | xargs -0r sha256sum | cut -c1-64")
      #expect(said == "5\n" + originals)
      let calls = try await bench.bash("cat traced")
      #expect(calls.contains(".partial\", O_RDWR|O_CREAT|O_EXCL") && calls.contains("renameat2("))
      #expect(!calls.contains("O_TMPFILE") && !calls.contains("linkat("))
    }

    /// The results are not where the report would say.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)), arguments: ["", "mkdir out"])
    func `a target that is moved or replaced during an export is reported`(
      afterwards: String
    ) async throws {
      let bench = try Workbench()
      try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=640x480:d=20 -c:v mpeg4 library/a.mov")
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet \
          >/dev/null 2>said &
        shoebox=$!
        \(Workbench.resultOf)
        until result_of $shoebox >/dev/null; do [[ -e /proc/$shoebox/exe ]] || break; done
        mv out moved; \(afterwards)
        status=0; wait $shoebox || status=$?
        cat said; echo "status $status"
        """)
      #expect(said.contains("\(bench.target) was moved or replaced"), "\(said)")
      #expect(said.hasSuffix("status 74\n"), "\(said)")
      // The next export finds there what this one has made.
      try await bench.bash("rm -rf out; mv moved out")
      let (status, summary) = try await bench.export(["--update"], preset: "compatible")
      #expect(status == 0 && summary.skipped == 1)
    }

    @Test func `a missing source is reported and other files are exported`() async throws {
      let bench = try await Workbench.withLargePictures(3)
      try await bench.bash("rm library/folder0/picture1.gif")
      let outcome = try await bench.shoebox(["export", "--to", bench.target])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("picture1.gif: The file is not there"))
      #expect(try await bench.digests(of: bench.target).count == 2)
    }
  }
}
