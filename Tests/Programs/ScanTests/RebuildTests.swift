import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `scan --rebuild` and `scan --dry-run`.
  @Suite struct Rebuilding {
    /// A library with pairs, sidecars, copies and a file that is missing.
    private func library() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.addSampleLibrary()
      try bench.addPictures(40)
      try bench.addPicture("copy.gif", width: 1, words: "folder0/picture0.gif")
      try bench.addPicture("gone.gif", width: 999)
      _ = try await bench.scan([bench.library])
      try await bench.bash("rm library/gone.gif")
      _ = try await bench.scan()
      return bench
    }

    /// All that `list` and `show` know, with ids.
    private func contents(_ bench: Workbench) async throws -> [String] {
      let listed = try await bench.shoebox(["list", "--format", "jsonl"])
      let missing = try await bench.shoebox(["list", "--missing", "--format", "jsonl"])
      return try await listed.lines.sorted() + missing.lines + bench.dump()
        + bench.query("SELECT hex(identifier), added_date FROM assets ORDER BY 1")
    }

    /// As an earlier version might have left it, or a fault.
    private static let damage = """
      UPDATE assets SET pixel_width = 7, capture_wall = 0, caption = 'wrong', subtypes = 0;
      UPDATE asset_details SET clues = 'x=y', exposure_time = 5;
      DELETE FROM labels; DELETE FROM facets; DELETE FROM keywords; DELETE FROM asset_sidecars;
      DELETE FROM asset_search WHERE rowid % 2; DELETE FROM folder_search; DELETE FROM search_changes;
      UPDATE assets SET absorbed_by = NULL, absorbed_as = NULL, absorbed_why = NULL;
      """

    @Test func `a rebuild finds everything again and keeps ids`() async throws {
      let bench = try await library()
      let before = try await contents(bench)
      #expect(before.count > 400)
      _ = try await bench.query(
        Self.damage)
      let outcome = try await bench.shoebox(["scan", "--rebuild"])
      #expect(outcome.status == (try await bench.scan().status))
      let difference = try await contents(bench).difference(from: before)
        .filter { change in
          // What is missing cannot be read again.
          switch change {
          case .insert(_, let line, _), .remove(_, let line, _): !line.contains("gone.gif")
          }
        }
      #expect(difference.isEmpty, "\(difference.prefix(5))")
      #expect(
        try await bench.query("PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"])
    }

    @Test func `the next scan goes on with a killed rebuild`() async throws {
      let bench = try await library()
      let before = try await contents(bench)
      _ = try await bench.query(Self.damage)
      // Killed while it reads: the worker never answers.
      let codec = try bench.addProgram("hanging-codec", "sleep 100")
      let outdated = "SELECT count(*) FROM files WHERE reader_version = 0"
      try await bench.bash(
        """
        SHOEBOX_CATALOG='\(bench.catalog)' SHOEBOX_CODEC='\(codec)' '\(bench.program)' scan --rebuild \
          >printed 2>said & scan=$!
        until [[ $(sqlite3 -cmd '.timeout 10000' '\(bench.catalog)' '\(outdated)') != 0 ]]; do sleep 0.05; done
        kill -KILL $scan
        """, seconds: 60)
      #expect(try await bench.query(outdated) != ["0"])
      _ = try await bench.scan()
      let after = try await contents(bench)
      #expect(
        after.filter { !$0.contains("gone.gif") } == before.filter { !$0.contains("gone.gif") })
    }

    @Test func `a rebuild of one folder leaves the others, and those that are away`() async throws {
      let bench = try Workbench()
      for name in ["a/1.gif", "a/2.gif", "b/3.gif"] { try bench.addPicture(name) }
      try await bench.bash("mkdir other; cp library/b/3.gif other/4.gif")
      _ = try await bench.scan([bench.library, bench.folder + "/other"])
      let before = try await bench.query("SELECT hex(identifier) FROM assets ORDER BY 1")
      _ = try await bench.query("UPDATE assets SET pixel_width = 7")
      let one = try await bench.scan([bench.library + "/a", "--rebuild"])
      #expect(one.report.changed == 2)
      #expect(
        try await bench.query("SELECT count(*) FROM assets WHERE pixel_width = 7") == ["2"])
      try await bench.bash("mv other away")
      let away = try await bench.scan(["--rebuild"])
      #expect(away.status == 69)
      #expect(away.report.changed == 3)
      #expect(
        try await bench.query("SELECT name FROM assets WHERE pixel_width = 7") == ["4.gif"])
      #expect(try await bench.query("SELECT hex(identifier) FROM assets ORDER BY 1") == before)
      #expect(try await bench.shoebox(["scan", "--rebuild", "--dry-run"]).status == 64)
    }

    @Test func `a dry run reports what a scan would do, and does nothing`() async throws {
      let bench = try Workbench()
      try bench.addPictures(20)
      let new = try await bench.scan([bench.library, "--dry-run"])
      #expect(new.status == 0)
      #expect(new.report.added == 20)
      #expect(!FileManager.default.fileExists(atPath: bench.catalog))

      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        cd library
        echo >> folder0/picture1.gif; rm folder0/picture2.gif
        mv folder0/picture3.gif folder0/renamed.gif
        cp folder0/picture4.gif new.gif; echo x >note.txt; echo '<x/>' >new.xmp
        """)
      let before = try await bench.bash("sha256sum catalog.sqlite")
      let log = bench.folder + "/log"
      let codec = try bench.addProgram("logging-codec", "echo started >>'\(log)'; exit 1")
      let (status, report) = try await bench.scan(
        ["--dry-run"], environment: ["SHOEBOX_CODEC": codec, "TMPDIR": bench.folder])
      #expect(status == 0)
      #expect(report.added == 1)
      #expect(report.changed == 1)
      #expect(report.missing == 1)
      #expect(report.moved == 1)
      #expect(report.unchanged == 17)
      #expect(report.ignored == 1)
      #expect(!FileManager.default.fileExists(atPath: log), "a worker was started")
      #expect(try await bench.bash("sha256sum catalog.sqlite") == before)
      #expect(try await bench.bash("find . -maxdepth 1 -name 'shoebox-*'") == "")

      let real = try await bench.scan()
      #expect(real.report.added == report.added)
      #expect(real.report.changed == report.changed)
      #expect(real.report.missing == report.missing)
      #expect(real.report.moved == report.moved)
      #expect(real.report.unchanged == report.unchanged)
    }
  }
}
