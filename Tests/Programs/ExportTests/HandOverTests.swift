import Foundation
import Testing
import Workbench

extension ExportTests {
  /// The files in the target after an export.
  @Suite struct Results {
    @Test func `copies equal their sources byte for byte`() async throws {
      let bench = try Workbench()
      try bench.addPictures(60)
      try await bench.bash("cp library/folder0/picture1.gif library/folder0/lying.jpg")
      _ = try await bench.scan([bench.library])
      let before = try await bench.originals()
      let (status, summary) = try await bench.export()
      #expect(status == 0)
      #expect(summary.copied == 61)
      let expected = try await bench.digests(of: bench.library)
        .map { $0.replacing("lying.jpg", with: "lying.gif") }
      #expect(try await bench.digests(of: bench.target).sorted() == expected.sorted())
      #expect(try await bench.originals() == before)
      #expect(try await bench.leftovers().isEmpty)
    }

    @Test func `items with many files are exported with few descriptors`() async throws {
      let bench = try Workbench()
      try bench.addPictures(60, perFolder: 60)
      try await bench.bash(
        """
        cd library/folder0
        for name in *.gif; do
          echo '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>' | tee $name.xmp >${name%.gif}.xmp
          echo '{"title": "'$name'", "photoTakenTime": {"timestamp": "1600000000"}}' >$name.json
        done
        """)
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        prlimit --nofile=200 '\(bench.program)' export --preset current --resources all --to out --quiet
        """)
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
    }

    @Test func `results have the mode of the umask and the time of their source`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try await bench.bash("touch -d '2001-02-03 04:05:06.789 UTC' library/a.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        umask 027
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --quiet
        """)
      let attributes = try await bench.bash("stat -c '%a %.3Y' out/a.gif; stat -c %a out")
      #expect(attributes == "640 981173106.789\n750\n")
    }

    @Test func `either both files of a live photo are exported or neither is`() async throws {
      let bench = try Workbench()
      try bench.addPicture("IMG_1.gif")
      try bench.addPicture("IMG_9.gif")
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("IMG_1.gif", "IMG_9.gif")
      #expect(try await bench.export().status == 0)
      #expect(
        try await bench.bash("ls out") == "IMG_1.gif\nIMG_1.mov\n")
      try await bench.bash("rm -r out library/IMG_9.gif")
      let (status, summary) = try await bench.export()
      #expect(status == 1)
      #expect(summary.failed == 1)
      #expect(try await bench.bash("ls out").isEmpty)
    }

    @Test func `the manifest uses the names of the picker`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a b.gif")
      try bench.addPicture("live.gif")
      try bench.addPicture("clip.gif")
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("live.gif", "clip.gif")
      _ = try await bench.export(["--manifest", "list.jsonl"])
      let text = try await bench.bash("cat list.jsonl")
      let lines = try text.split(separator: "\n").map {
        try JSONDecoder().decode(ManifestLine.self, from: Data($0.utf8))
      }
      #expect(lines.map(\.sourcePath) == ["a b.gif", "live.gif"].map { "\(bench.library)/\($0)" })
      #expect(lines[0].imageURL == "file://\(bench.target)/a%20b.gif")
      #expect(lines[0].livePhoto == nil)
      #expect(lines[1].livePhoto?.mediaURL == "file://\(bench.target)/live.mov")
      #expect(lines.allSatisfy { $0.action == "copied" && $0.preset == "current" })
      #expect(lines.allSatisfy { $0.referenceURL == "shoebox://asset/\($0.id)" })
    }

    @Test func `a dry run prints the plan and changes nothing`() async throws {
      let bench = try Workbench()
      try bench.addPictures(5)
      _ = try await bench.scan([bench.library])
      let everything = try await bench.bash(
        "find . -not -name . -not -name 'catalog*' -printf '%p %T@\\n' | sort")
      let outcome = try await bench.shoebox(
        ["export", "--to", bench.target, "--dry-run", "--format", "jsonl"])
      #expect(outcome.status == 0)
      #expect(
        try await bench.bash("find . -not -name . -not -name 'catalog*' -printf '%p %T@\\n' | sort")
          == everything)
      let planned = outcome.lines.compactMap {
        try? JSONDecoder().decode(ManifestLine.self, from: Data($0.utf8)).imageURL
      }
      _ = try await bench.export(preset: "compatible")
      let made = try await bench.bash("find \"$PWD/out\" -type f -not -name '.*' | sort")
      #expect(planned.sorted() == made.split(separator: "\n").map { "file://\($0)" })
    }

    @Test func `a missing codec program is an error only if it is needed`() async throws {
      let bench = try Workbench(environment: ["SHOEBOX_CODEC": "/nowhere/shoebox-codec"])
      try bench.addPicture("a.gif")
      let scanning = try Workbench()
      _ = try await scanning.shoebox(
        ["scan", bench.library], environment: ["SHOEBOX_CATALOG": bench.catalog])
      #expect(try await bench.export().status == 0)
      let outcome = try await bench.shoebox(
        ["export", "--to", bench.folder + "/png", "--image-preset", "email"])
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("/nowhere/shoebox-codec"))
    }

    /// Files that are exported, that a dry run would export, and that exist already are listed. Failed ones are not.
    @Test func `the format paths lists all files`() async throws {
      let bench = try Workbench()
      for name in ["IMG_1.gif", "IMG_2.gif", "clip.gif"] { try bench.addPicture(name) }
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("IMG_1.gif", "clip.gif")
      try await bench.bash("rm library/IMG_2.gif")
      for option in [["--dry-run"], [], []] {
        let outcome = try await bench.shoebox(
          ["export", "--preset", "current", "--to", bench.target, "--format", "paths"] + option)
        #expect(outcome.lines == ["IMG_1.gif", "IMG_1.mov"].map { bench.target + "/" + $0 })
      }
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--to", bench.target, "--format", "paths0"])
      #expect(outcome.output.split(separator: "\0").count == 2)
      #expect(outcome.output.hasSuffix("\0"))
    }
  }
}
