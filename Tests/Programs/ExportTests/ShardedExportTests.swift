import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// `export --shard`.
  @Suite struct Shards {
    /// A library with live photos, and with names that collide in one folder: in several folders, by case, with numbers, and
    /// depending on whether a TIFF file is transparent.
    private static func library() async throws -> Workbench {
      let bench = try Workbench()
      for index in 0..<80 {
        let name = ["IMG", "img", "IMG (2)", "Photo", "PHOTO (3)"][index % 5]
        try bench.addPicture("day\(index / 5)/\(name).gif", width: 1 + index)
      }
      try await bench.bash(
        """
        for n in {1..16}; do
          mkdir -p library/tiff$n
          alpha=''; (( n % 3 )) || alpha='-alpha set -channel A -evaluate set 50%'
          convert -seed $n -size 480x320 plasma:tomato-steelblue $alpha library/tiff$n/IMG.tif
          convert -seed $n -size 64x48 plasma:navy-gold library/tiff$n/Photo.jpg
        done
        ffmpeg -v error -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 -pix_fmt yuv420p \
          -movflags use_metadata_tags -metadata com.apple.quicktime.make=Apple \
          -metadata com.apple.quicktime.model=iPhone \
          -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 clip.mov
        for n in {1..8}; do
          mkdir library/live$n
          convert -seed $n -size 96x64 plasma: library/live$n/IMG_1.JPG
          # An unused box makes the clips differ.
          { cat clip.mov; printf '\\0\\0\\0\\x0cfree%04d' $n; } >library/live$n/IMG_1.MOV
        done
        exiftool -q -overwrite_original -Make=Apple -Model=iPhone -DateTimeOriginal=2024:06:01T10:15:30 \
          -OffsetTimeOriginal=+02:00 library/live*/*.JPG
        """)
      _ = try await bench.scan([bench.library])
      let pairs = try await bench.query(
        "SELECT count(*) FROM assets WHERE absorbed_as = 'pairedVideo'")
      #expect(pairs == ["8"])
      return bench
    }

    /// Name, content and time of each file in a folder.
    private func files(_ folder: String, of bench: Workbench) async throws -> String {
      try await bench.bash(
        """
        cd \(folder)
        find . -type f -not -name '.*' -printf '%p %TY-%Tm-%Td %TT\\n' | sort
        find . -type f -not -name '.*' -print0 | sort -z | xargs -0r sha256sum
        """)
    }

    private func hidden(_ bench: Workbench) async throws -> String {
      try await bench.bash("cd out; find . -name '.?*' | sort")
    }

    private static let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    private static let onlyRecord = "./.shoebox-export.jsonl\n./.shoebox-export.lock\n"

    /// Runs four tasks at once. One is killed as soon as it has recorded a result, and is repeated while or after the others
    /// run.
    ///
    /// - Returns: whether it was killed before its end.
    private func exportShards(
      _ arguments: String, repeatingAtOnce: Bool, _ bench: Workbench
    ) async throws -> Bool {
      let said = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        task() { '\(bench.program)' export --to out \(arguments) --jobs 1 --shard $1/4 >/dev/null; }
        for k in 1 3 4; do task $k & tasks="${tasks:-} $!"; done
        # In this shell's place, so that the signal reaches it.
        (exec '\(bench.program)' export --to out \(arguments) --jobs 1 --shard 2/4 >/dev/null) & victim=$!
        until grep -qs target out/.shoebox-export.2-of-4.jsonl; do
          [[ -e /proc/$victim/exe ]] || break
        done
        kill -KILL $victim 2>/dev/null || true
        status=0; wait $victim 2>/dev/null || status=$?
        if \(repeatingAtOnce); then task 2; fi
        for k in $tasks; do wait $k; done
        if ! \(repeatingAtOnce); then task 2; fi
        echo $status
        """)
      return said == "137\n"
    }

    @Test(
      .enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)),
      arguments: ["--flatten", "--name '{stem}'", ""])
    func `tasks make what one export makes, and a killed one is repeated`(
      arguments: String
    ) async throws {
      let bench = try await Self.library()
      let words = arguments.replacing("'", with: "").split(separator: " ").map(String.init)
      let whole = try await bench.shoebox(["export", "--to", bench.folder + "/one"] + words)
      #expect(whole.status == 0, "\(whole.errors)")
      let expected = try await files("one", of: bench)
      let count = try await bench.bash("find one -type f -not -name '.*' | wc -l")
      #expect(count == "128\n")

      var killed = 0
      for round in 1...10 where killed < 2 {
        try await bench.bash("rm -rf out")
        if try await exportShards(
          arguments, repeatingAtOnce: round.isMultiple(of: 2), bench)
        {
          killed += 1
        }
        #expect(try await files("out", of: bench) == expected, "round \(round)")
        #expect(try await hidden(bench) == Self.onlyRecord, "round \(round)")
        // An object for each file.
        let lines = try await bench.bash(
          """
          python3 -c 'import json; print(len({json.loads(l)["target"] for l in open("out/.shoebox-export.jsonl")}))'
          wc -l <out/.shoebox-export.jsonl
          """)
        #expect(lines == count + count, "round \(round)")
      }
      #expect(killed > 0, "each task ended before it was killed")

      let record = try await bench.bash("cat out/.shoebox-export.jsonl")
      let again = try await bench.export(["--update"] + words, preset: "compatible")
      #expect(again.status == 0 && again.summary.skipped == 120)
      var skipped = 0
      for number in 1...4 {
        let part = try await bench.export(
          ["--shard", "\(number)/4"] + words, preset: "compatible")
        #expect(part.status == 0)
        #expect(part.summary.copied + part.summary.transcoded + part.summary.failed == 0)
        skipped += part.summary.skipped
      }
      #expect(skipped == 120)
      #expect(try await bench.bash("cat out/.shoebox-export.jsonl") == record)
      #expect(try await hidden(bench) == Self.onlyRecord)
    }

    /// The tasks that run at the same time are simulated by locks.
    @Test func `other exports wait for tasks, and tasks for them`() async throws {
      let bench = try Workbench()
      try bench.addPictures(40)
      _ = try await bench.scan([bench.library])
      try await bench.bash("mkdir out")
      func said(_ locks: String, _ arguments: String) async throws -> String {
        try await bench.bash(
          """
          cd out; \(locks); cd ..; set +e
          SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --preset current --to out \
            \(arguments) 2>&1
          echo "status $?"
          """)
      }
      let exclusive = "exec 9>.shoebox-export.lock; flock 9"
      let shared = "exec 9>.shoebox-export.lock; flock --shared 9"
      let first = shared + "; exec 8>.shoebox-export.1-of-4.lock; flock 8"

      let beside = try await said(exclusive, "--shard 1/4")
      #expect(beside.contains("another export is writing"))
      #expect(beside.hasSuffix("status 75\n"))
      let whole = try await said(first, "")
      #expect(whole.contains("another export is writing") && whole.hasSuffix("status 75\n"))
      let same = try await said(first, "--shard 1/4")
      #expect(same.contains("another process exports shard 1/4") && same.hasSuffix("status 75\n"))
      let other = try await said(first, "--shard 1/3")
      #expect(other.contains("tasks of 4 shards are writing there"))
      #expect(other.hasSuffix("status 75\n"))
      #expect(try await bench.digests(of: bench.target).isEmpty)

      // The temporary file of a task that is running stays.
      try await bench.bash("printf x >out/.shoebox-1.partial")
      #expect(try await said(first, "--shard 2/4").hasSuffix("status 0\n"))
      #expect(
        try await bench.bash("cd out; ls -A | grep '^[.]'")
          == """
          .shoebox-1.partial
          .shoebox-export.1-of-3.lock
          .shoebox-export.1-of-4.lock
          .shoebox-export.2-of-4.jsonl
          .shoebox-export.2-of-4.lock
          .shoebox-export.lock

          """)
      let made = try await bench.digests(of: bench.target).count
      #expect((1..<40).contains(made))
      // Plans know what the task has recorded.
      let plan = try await said(first, "--dry-run --format jsonl")
      #expect(plan.components(separatedBy: #""action":"skipped""#).count == made + 1)
      #expect(try await said(":", "--update").hasSuffix("status 0\n"))
      #expect(try await hidden(bench) == Self.onlyRecord)
      #expect(try await bench.digests(of: bench.target).count == 40)
    }

    /// The record is complete, whichever step the crash prevents: after the lines were appended, their old files are removed
    /// one by one.
    @Test(
      .enabled(if: canTrace), arguments: ["unlinkat:when=1", "unlinkat:when=3", "fsync:when=1"])
    func `a crash while records are joined loses nothing`(fault: String) async throws {
      let bench = try Workbench()
      try bench.addPictures(40)
      _ = try await bench.scan([bench.library])
      // Tasks that do not see the end of the others leave their records.
      try await bench.bash(
        """
        mkdir out
        exec 9>out/.shoebox-export.lock; flock --shared 9
        for k in 1 2 3; do
          SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --preset current --to out \
            --shard $k/4 --quiet
        done
        # A line that a crash has cut off.
        printf '{"id":"' >>out/.shoebox-export.2-of-4.jsonl
        """)
      let made = try await bench.digests(of: bench.target).count
      let (call, when) = (fault.prefix { $0 != ":" }, fault.drop { $0 != ":" })
      try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' timeout 60 strace -f -qq -o trace -e trace=\(call) \
          -e inject=\(call):signal=KILL\(when) \
          '\(bench.program)' export --preset current --to out --quiet >/dev/null 2>&1 || true
        grep -q 'killed by SIGKILL' trace
        ls -A out | grep -q '^.shoebox-export.[0-9]-of-4'
        """)
      let rest = try await bench.export(["--update", "--shard", "4/4"])
      #expect(rest.status == 0 && rest.summary.copied == 40 - made)
      let again = try await bench.export(["--update"])
      #expect(again.status == 0 && again.summary.skipped == 40)
      #expect(try await hidden(bench) == Self.onlyRecord)
      #expect(try await bench.bash("wc -l <out/.shoebox-export.jsonl") == "40\n")
    }

    /// Another task may have made it, if its selection is another one.
    @Test(.enabled(if: Tool.areInstalled(.ffmpeg)))
    func `a task overwrites no file that appeared while it ran`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "ffmpeg -v error -f lavfi -i testsrc2=s=640x480:d=20 -c:v mpeg4 library/a.mov")
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        mkdir out; printf old >out/a.mp4
        export SHOEBOX_CATALOG='\(bench.catalog)'
        '\(bench.program)' export --to out --overwrite --shard 1/1 --quiet >said 2>&1 &
        shoebox=$!
        \(Workbench.resultOf)
        until result_of $shoebox >/dev/null; do [[ -e /proc/$shoebox/exe ]] || break; done
        printf other >out/new; mv out/new out/a.mp4
        status=0; wait $shoebox || status=$?
        cat out/a.mp4; echo " $status"
        '\(bench.program)' export --to out --overwrite --shard 1/1 --quiet; stat -c %s out/a.mp4
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.first == "other 1")
      #expect(try await bench.bash("cat said").contains("created by another process"))
      #expect(lines.last.flatMap { Int($0) }.map { $0 > 1000 } == true)
    }

    @Test func `a shard without an asset makes nothing`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      var empty = 0
      for number in 1...3 {
        let outcome = try await bench.shoebox(
          ["export", "--to", bench.target, "--shard", "\(number)/3", "--dry-run"])
        #expect(outcome.status == 0)
        if outcome.errors.contains("no asset in shard \(number)/3 matches") { empty += 1 }
      }
      #expect(empty == 2)
    }

    @Test(arguments: ["0/3", "4/3", "1", "auto/3"])
    func `another number is refused`(shard: String) async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(["export", "--to", "out", "--shard", shard])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("--shard"))
    }
  }
}
