import Foundation
import Testing
import Workbench

extension ExportTests {
  /// Further exports into the same folder.
  @Suite struct Updates {
    private func bench(_ count: Int = 4) async throws -> Workbench {
      let bench = try Workbench()
      for number in 1...count { try bench.addPicture("\(number).gif", width: number) }
      _ = try await bench.scan([bench.library])
      return bench
    }

    @Test func `files that exist are skipped`() async throws {
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

    @Test func `an update exports new and changed assets`() async throws {
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

    /// The items of `export --format jsonl` by the names of their sources, with `changes`.
    private func changes(_ bench: Workbench, _ flags: [String]) async throws -> [String: [String]] {
      struct Line: Decodable {
        var sourcePath: String
        var changes: [String]?
      }
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--to", bench.target, "--format", "jsonl"] + flags)
      let lines = try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      return Dictionary(
        lines.map { (String($0.sourcePath.split(separator: "/").last ?? ""), $0.changes ?? []) }
      ) { first, _ in first }
    }

    @Test func `an update names what has changed`() async throws {
      let bench = try await bench()
      #expect(try await changes(bench, []).values.allSatisfy { $0.isEmpty })
      try bench.addPicture("2.gif", width: 20, words: "another")
      try bench.addPicture("5.gif", width: 5)
      _ = try await bench.scan()
      try await bench.bash("rm out/3.gif; printf x >>out/4.gif")
      let expected = [
        "1.gif": [], "2.gif": ["source changed"], "3.gif": ["result missing"], "4.gif": [],
        "5.gif": [],
      ]
      #expect(try await changes(bench, ["--update", "--dry-run"]) == expected)
      #expect(try await changes(bench, ["--update"]) == expected)
      #expect(try await changes(bench, ["--update"]).values.allSatisfy { $0.isEmpty })
      #expect(
        try await changes(bench, ["--overwrite", "--dry-run", "--strip-location"])["4.gif"]
          == ["settings changed", "result changed"])
    }

    @Test func `an asset that moved in the library keeps its name in the target`() async throws {
      let bench = try await bench()
      _ = try await bench.export()
      try await bench.bash("mkdir library/sub; mv library/3.gif library/sub/drei.gif")
      _ = try await bench.scan()
      let (_, summary) = try await bench.export(["--update"])
      #expect(summary.skipped == 4)
      #expect(try await bench.bash("ls out") == "1.gif\n2.gif\n3.gif\n4.gif\n")
    }

    @Test func `an export into the library leaves out what it has made`() async throws {
      let bench = try await bench()
      let export = [
        "export", "--preset", "current", "--update", "--to", bench.library + "/out", "--format",
        "json",
      ]
      for night in 1...3 {
        let outcome = try await bench.shoebox(export)
        #expect(outcome.status == 0, "\(outcome.errors)")
        _ = try await bench.scan()
        #expect(
          try await bench.bash("find library -name '*.gif' | wc -l") == "8\n", "night \(night)")
      }
      // What a person has put there is a picture like others, and so is a result that was edited.
      try bench.addPicture("out/5.gif", width: 50)
      try await bench.bash("printf edited >>library/out/4.gif")
      _ = try await bench.scan()
      #expect(try await bench.shoebox(export).status == 0)
      #expect(try await bench.bash("ls library/out/out") == "4.gif\n5.gif\n")
    }

    /// A copy that a person made is in an album, the one that the export made is not.
    @Test func `the folder of an export into the library is not an album`() async throws {
      let bench = try Workbench()
      try await bench.bash("mkdir library/Basel library/Best")
      try bench.addPicture("Basel/1.gif", width: 1)
      try await bench.bash("cp library/Basel/1.gif library/Best/a.gif")
      for _ in 1...2 {
        _ = try await bench.scan([bench.library])
        let outcome = try await bench.shoebox([
          "export", "--preset", "current", "--update", "--flatten", "--sidecars", "xmp", "--to",
          bench.library + "/out",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
          try await bench.bash(
            "exiftool -s3 -sep '; ' -XMP-mwg-coll:CollectionName library/out/1.gif.xmp")
            == "Basel; Best\n")
      }
    }

    @Test func `other files in the target are not overwritten without a flag`() async throws {
      let bench = try await bench(1)
      try await bench.bash("mkdir out; printf mine >out/1.gif")
      #expect(try await bench.export().summary.copied == 1)
      #expect(try await bench.bash("cat out/1.gif; ls out") == "mine1 (2).gif\n1.gif\n")
      #expect(try await bench.export().summary.skipped == 1)
      try await bench.bash("rm -r out; mkdir out; printf mine >out/1.gif")
      #expect(try await bench.export(["--overwrite"]).summary.copied == 1)
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
    }

    @Test func `a file edited in the target stays`() async throws {
      let bench = try await bench(1)
      _ = try await bench.export()
      try await bench.bash("printf edited >>out/1.gif")
      try bench.addPicture("1.gif", width: 77)
      _ = try await bench.scan()
      #expect(try await bench.export(["--update"]).summary.skipped == 1)
      #expect(try await bench.bash("tail -c 6 out/1.gif") == "edited")
    }

    @Test func `originals are never overwritten`() async throws {
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
      // Copies under other names may be next to them.
      let after = try await bench.originals()
      for line in before.split(separator: "\n") { #expect(after.contains(line)) }
      #expect(try await bench.leftovers().isEmpty)
    }

    /// Exported files are scanned like any others. A temporary file of a killed export is not.
    @Test func `a target inside a root is scanned without its record`() async throws {
      let bench = try await bench()
      let target = bench.library + "/exported files"
      let outcome = try await bench.shoebox(["export", "--preset", "current", "--to", target])
      #expect(outcome.status == 0)
      try await bench.bash("cp library/1.gif 'library/exported files/.shoebox-1.partial'")
      let (_, report) = try await bench.scan()
      #expect(report.scanned == 8)
      #expect(report.added == 4)
      #expect(report.unreadable == 0)
      let names = Set(try await bench.list().map { $0.path.split(separator: "/").last ?? "" })
      #expect(names == ["1.gif", "2.gif", "3.gif", "4.gif"])
      // The next export removes the temporary file.
      let next = try await bench.shoebox(["export", "--preset", "current", "--to", target])
      #expect(next.status == 0)
      #expect(try await bench.leftovers().isEmpty)
    }
  }
}
