import Testing
import Workbench

extension ScanTests {
  /// Named folders that do not exist.
  @Suite struct NamedFolders {
    @Test func `a mistyped folder changes nothing`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      let result = try await bench.shoebox(["scan", bench.library, bench.folder + "/nope"])
      #expect(result.status == 69)
      #expect(result.errors.contains("nope"))
      #expect(try await bench.scan([bench.library]).report.added == 3)
      let again = try await bench.shoebox(["scan", bench.folder + "/nope", bench.library])
      #expect(again.status == 69)
      #expect(try await bench.query("SELECT path FROM roots") == [bench.library])
      #expect(try await bench.query("SELECT count(*) FROM scans") == ["1"])
    }

    @Test func `a folder that never was is refused and not remembered`() async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(["scan", bench.folder + "/nowhere"])
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("nowhere"))
      #expect(try await bench.bash("ls -A") == "library\n", "no catalog is made for that")
      #expect(try await bench.shoebox(["scan"]).status == 64)
      #expect(try await bench.bash("ls -A") == "library\n")
      #expect(try await bench.shoebox(["list"]).status == 74)
    }

    @Test(arguments: ["typo", "a/typo", "dangling", "typo/../a", "a/one.gif/typo"])
    func `a folder in a root that never was is refused`(folder: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("a/one.gif")
      try await bench.bash("ln -s nowhere library/dangling")
      _ = try await bench.scan([bench.library])
      try bench.addPicture("a/two.gif")
      let outcome = try await bench.shoebox(["scan", bench.library + "/" + folder])
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("there is no folder"))
      #expect(outcome.output.isEmpty)
      #expect(try await bench.query("SELECT count(*) FROM scans") == ["1"])
      #expect(try await bench.list().count == 1)
    }

    @Test func `of a folder that was there once the nearest one above is scanned`() async throws {
      let bench = try Workbench()
      for path in ["a/b/c/one.gif", "a/two.gif", "three.gif"] { try bench.addPicture(path) }
      _ = try await bench.scan([bench.library])
      try await bench.bash("rm -r library/a/b library/three.gif; ln -s library link")
      let (status, report) = try await bench.scan(["link/a/b/c/"])
      #expect(status == 0)
      #expect(report.missing == 1 && report.unchanged == 1)
      #expect(try await bench.identifiers().keys.sorted() == ["a/two.gif", "three.gif"])
    }
  }
}
