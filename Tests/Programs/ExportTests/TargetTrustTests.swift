import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Targets that other users may write to, and exports that end between two system calls.
  @Suite struct TargetTrust {
    private static let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    /// A library of one JPEG with a place.
    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -size 64x48 plasma:tomato-steelblue library/a.jpg
        exiftool -q -overwrite_original -GPSLatitude=47.3711 -GPSLatitudeRef=N \
          -GPSLongitude=8.5422 -GPSLongitudeRef=E library/a.jpg
        """)
      _ = try await bench.scan([bench.library])
      return bench
    }

    private func place(_ bench: Workbench, _ file: String = "out/a.jpg") async throws -> String {
      try await bench.bash("exiftool -s3 -GPSLatitude '\(file)'")
    }

    /// Exports under strace, which makes a rename fail or kills the program at it.
    private func export(
      _ bench: Workbench, injecting fault: String, _ arguments: String
    ) async throws {
      try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' timeout 60 strace -f -qq -o trace \
          -e trace=rename,renameat,renameat2 -e inject=rename,renameat,renameat2:\(fault) \
          '\(bench.program)' export --preset current --to out --quiet \(arguments) \
          >/dev/null 2>&1 || true
        grep -qE 'killed by SIGKILL|INJECTED' trace
        """)
    }

    /// The new file has the size and time of the old one, since a location is removed in place.
    @Test(
      .enabled(if: canTrace && Tool.areInstalled(.imageMagick, .exiftool)),
      arguments: ["signal=KILL:when=1", "error=ENOSPC:when=1", "error=EIO:when=1"])
    func `the next export replaces a file whose rename failed`(fault: String) async throws {
      let bench = try await bench()
      #expect(try await bench.export().status == 0)
      try await export(bench, injecting: fault, "--strip-location --update")
      #expect(try await !place(bench).isEmpty)
      let again = try await bench.export(["--strip-location", "--update"])
      #expect(again.status == 0)
      #expect(again.summary.copied == 1)
      #expect(try await place(bench).isEmpty)
      #expect(try await bench.export(["--strip-location", "--update"]).summary.skipped == 1)
      #expect(try await bench.leftovers().isEmpty)
    }

    /// If the second file of a pair cannot be replaced, both stay old, or the next export replaces both.
    @Test(
      .enabled(if: canTrace),
      arguments: ["signal=KILL:when=2", "error=EIO:when=2"])
    func `a live photo never consists of an old and a new file`(fault: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("IMG_1.gif", words: "old")
      try bench.addPicture("IMG_9.gif", words: "old")
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("IMG_1.gif", "IMG_9.gif")
      #expect(try await bench.export().status == 0)
      let old = try await bench.digests(of: bench.target)
      try await bench.bash(
        "touch -d '2001-01-01 UTC' library/IMG_1.gif library/IMG_9.gif; ls -l library")
      try bench.addPicture("IMG_1.gif", words: "new")
      try bench.addPicture("IMG_9.gif", words: "new")
      try await export(bench, injecting: fault, "--update")
      if fault.hasPrefix("error") {
        #expect(try await bench.digests(of: bench.target) == old)
      }
      #expect(try await bench.export(["--update"]).status == 0)
      try await bench.bash(
        "cmp library/IMG_1.gif out/IMG_1.gif; cmp library/IMG_9.gif out/IMG_1.mov")
      #expect(try await bench.leftovers().isEmpty)
    }

    /// The new result has another extension, so it does not replace the one with the place.
    @Test(
      .enabled(if: Tool.areInstalled(.imageMagick, .exiftool)),
      arguments: ["--update", "--overwrite"])
    func `no result with a place stays under another extension`(flag: String) async throws {
      let bench = try await bench()
      #expect(try await bench.export().status == 0)
      func export(_ flags: [String]) async throws -> (status: Int, output: String) {
        let outcome = try await bench.shoebox(
          ["export", "--image-preset", "archive-png", "--to", bench.target, flag] + flags)
        return (outcome.status, outcome.output)
      }
      for strip in ["--strip-location", "--strip-metadata"] {
        let refused = try await export([strip])
        #expect(refused.status == 1)
        #expect(refused.output.contains("a.jpg of an earlier export exists and may still contain"))
        #expect(try await bench.bash("ls out") == "a.jpg\n")
      }
      try await bench.bash("rm out/a.jpg")
      #expect(try await export(["--strip-location"]).status == 0)
      #expect(try await bench.bash("ls out") == "a.png\n")
      #expect(try await place(bench, "out/a.png").isEmpty)
      // What has no place may stay beside.
      #expect(try await bench.export([flag, "--strip-location"]).status == 0)
      #expect(try await bench.bash("ls out") == "a.jpg\na.png\n")
      #expect(try await place(bench).isEmpty)
    }

    /// The record has a line with the proof of another file, for a file in a symbolic link to a folder.
    @Test func `a forged line of the record does not cause files to be replaced`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      _ = try await bench.export()
      try await bench.bash(
        """
        mkdir docs; echo mine >docs/thesis.gif; ln -s ../docs out/sub; echo mine >out/own.gif
        for name in sub/thesis.gif own.gif; do
          tail -n 1 out/.shoebox-export.jsonl | sed -E \
            -e "s|\\"target\\":\\"[^\\"]*\\"|\\"target\\":\\"$name\\"|" \
            -e "s|,\\"size\\":[0-9]+|,\\"size\\":5|" -e 's|"settings":"[^"]*"|"settings":"x"|' \
            -e "s|\\"modified\\":\\"[0-9]*\\"|\\"modified\\":\\"$(stat -c %Y out/$name)000000000\\"|" \
            -e "s|\\"inode\\":\\"[0-9]*\\"|\\"inode\\":\\"$(stat -c %i out/$name)\\"|" >>planted
        done
        cat planted >>out/.shoebox-export.jsonl
        """)
      for flags in [["--update"], ["--strip-location", "--update"]] {
        _ = try await bench.export(flags)
        #expect(try await bench.bash("cat docs/thesis.gif out/own.gif") == "mine\nmine\n")
      }
      // The same is true if these are the only lines of the record.
      try await bench.bash("cp planted out/.shoebox-export.jsonl; rm out/a.gif")
      #expect(try await bench.export(["--update"]).status == 0)
      #expect(try await bench.bash("cat docs/thesis.gif out/own.gif") == "mine\nmine\n")
    }

    /// A folder of the target was replaced by a symbolic link.
    @Test func `no result is written through a symbolic link`() async throws {
      let bench = try Workbench()
      try bench.addPicture("sub/a.gif")
      try bench.addPicture("b.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash("mkdir out elsewhere; ln -s ../elsewhere out/sub")
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--to", bench.target, "--overwrite"])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("is a symbolic link"))
      #expect(try await bench.bash("ls -A elsewhere; ls out") == "b.gif\nsub\n")
    }

    /// Two catalogs export into one folder. Each replaces only its own files.
    @Test func `files of another catalog stay`() async throws {
      let (bench, other) = (try Workbench(), try Workbench())
      for bench in [bench, other] {
        try bench.addPicture("a.gif", words: bench.folder)
        _ = try await bench.scan([bench.library])
      }
      func export(_ bench: Workbench, _ target: String) async throws -> Int {
        try await bench.shoebox(
          ["export", "--preset", "current", "--update", "--to", target]
        ).status
      }
      #expect(try await export(bench, bench.target) == 0)
      #expect(try await export(other, bench.target) == 0)
      try await bench.bash(
        "cmp library/a.gif out/a.gif; cmp '\(other.library)/a.gif' 'out/a (2).gif'")
      try bench.addPicture("a.gif", width: 30, words: "newer")
      #expect(try await export(bench, bench.target) == 0)
      #expect(try await export(other, bench.target) == 0)
      try await bench.bash(
        "cmp library/a.gif out/a.gif; cmp '\(other.library)/a.gif' 'out/a (2).gif'")
      #expect(try await bench.bash("ls out | wc -l") == "2\n")
    }

    /// A record of an earlier version has no proofs, so its files are not replaced.
    @Test func `files of an earlier version are not replaced without a flag`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      _ = try await bench.export()
      try await bench.bash(
        #"sed -i -E 's/,"proof":"[^"]*"//; s/,"done":true//' out/.shoebox-export.jsonl"#)
      #expect(try await bench.export(["--update"]).summary.skipped == 1)
      try bench.addPicture("a.gif", width: 40)
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--update", "--to", bench.target])
      #expect(outcome.output.contains("--overwrite replaces it"))
      #expect(try await bench.export(["--overwrite"]).summary.copied == 1)
      try await bench.bash("cmp library/a.gif out/a.gif")
      #expect(try await bench.export(["--update"]).summary.skipped == 1)
    }

    /// The lines of a long record are read once and not kept in memory.
    @Test func `a long record is read quickly`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        #"""
        mkdir out
        for number in {1..20000}; do
          printf '{"id":"%032x","resource":"photo","sourceSize":1,"sourceModified":"1",' $number
          printf '"settings":"s","naming":"","target":"d%d/%d.jpg","size":1,' $((number / 100)) $number
          printf '"modified":"1","inode":"1"}\n'
        done >out/.shoebox-export.jsonl
        """#)
      let said = try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --preset current --to out --quiet \
          >/dev/null
        wc -l <out/.shoebox-export.jsonl; ls out
        """)
      // A line with the number of lines, the old lines, and the new one.
      #expect(said == "20002\na.gif\n")
    }
  }

  /// Sources that change or are damaged, and names that may record a place.
  @Suite struct Sources {
    /// A process writes to the file while it is copied.
    @Test func `a source that changes during the copy is not exported`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.addPicture("b.gif")
      try await bench.bash("head -c 300000000 /dev/zero >>library/a.gif")
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        touch go
        while [[ -e go ]]; do
          printf x >>library/a.gif
          printf y | dd of=library/a.gif bs=1 seek=1000000 conv=notrunc status=none
        done &
        status=0
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --preset current --to out \
          || status=$?
        rm go; wait
        echo "status $status"; ls out
        """)
      #expect(said.contains("The file changed while it was exported"))
      #expect(said.hasSuffix("status 1\nb.gif\n"))
    }

    @Test(.enabled(if: Tool.areInstalled(.imageMagick)))
    func `a file without pixel data fails`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        #"""
        for type in jpg png gif; do
          convert -size 640x480 plasma:tomato-steelblue library/whole.$type
        done
        python3 - <<'END'
        jpeg = open('library/whole.jpg', 'rb').read()
        scan = jpeg.index(b'\xff\xda')
        open('library/headers.jpg', 'wb').write(jpeg[:scan])
        open('library/ended.jpg', 'wb').write(jpeg[:scan] + b'\xff\xd9')
        png = open('library/whole.png', 'rb').read()
        data = png.index(b'IDAT') - 4
        open('library/headers.png', 'wb').write(png[:data])
        open('library/ended.png', 'wb').write(png[:data] + png[-12:])
        gif = open('library/whole.gif', 'rb').read()
        table = 13 + 3 * 2 ** ((gif[10] & 7) + 1)
        open('library/ended.gif', 'wb').write(gif[:table] + b'\x3b')
        END
        """#)
      _ = try await bench.scan([bench.library])
      let plan = try await bench.shoebox(
        ["export", "--to", bench.target, "--dry-run", "--format", "jsonl"])
      #expect(plan.lines.filter { $0.contains("not yet examined") }.count >= 6)
      let outcome = try await bench.shoebox(["export", "--to", bench.target])
      #expect(outcome.status == 1)
      #expect(try await bench.bash("ls out") == "whole.gif\nwhole.jpg\nwhole.png\n")
      // The preset `current` copies the original bytes of any file.
      #expect(
        try await bench.shoebox(
          ["export", "--preset", "current", "--to", bench.folder + "/all", "ended.jpg"].dropLast()
            + [bench.library + "/ended.jpg"]
        ).status == 0)
    }

    /// One warning is printed, and only if names come from the library.
    @Test(arguments: [([], 1), (["--name", "{captureDate:yyyy}/{index:4}{ext}"], 0)])
    func `a warning is printed if exported names may record a place`(flags: [String], count: Int)
      async throws
    {
      let bench = try Workbench()
      try bench.addPicture("Zürich/a.gif")
      try bench.addPicture("Zürich/b.gif")
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--strip-location", "--to", bench.target] + flags)
      #expect(outcome.status == 0)
      let warnings = outcome.errors.split(separator: "\n").filter {
        $0.contains("may name a place")
      }
      #expect(warnings.count == count)
    }
  }
}
