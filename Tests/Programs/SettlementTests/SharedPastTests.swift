import Foundation
import Testing
import Workbench

extension SettlementTests {
  /// `catalog merge` and `catalog split` of catalogs that know the same files, or share a past.
  @Suite struct SharedPasts {
    private static func scan(
      _ bench: Workbench, _ catalog: String, _ folder: String = ""
    ) async throws {
      let outcome = try await bench.shoebox([
        "scan", "--catalog", "\(bench.folder)/\(catalog).sqlite", bench.library + folder,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private static func merge(
      _ bench: Workbench, _ catalogs: [String]
    ) async throws -> (status: Int, errors: String) {
      let outcome = try await bench.shoebox(
        ["catalog", "merge", "--into", bench.catalog]
          + catalogs.map { "\(bench.folder)/\($0).sqlite" })
      return (outcome.status, outcome.errors)
    }

    @Test func `copies of one catalog that went on separately are both merged`() async throws {
      let bench = try Workbench()
      try await bench.bash("mkdir library/p library/q")
      for name in ["p/1", "q/2"] { try bench.addPicture("\(name).gif", words: name) }
      try await bench.letFilesAge()
      try await Self.scan(bench, "first", "/p")
      try await Self.scan(bench, "first", "/q")
      try await bench.bash("cp first.sqlite second.sqlite")
      try bench.addPicture("p/3.gif", words: "3")
      try bench.addPicture("q/4.gif", words: "4")
      try await Self.scan(bench, "first", "/p")
      try await Self.scan(bench, "second", "/q")
      let revision = "SELECT revision FROM changes"
      #expect(
        try await bench.query(revision, of: "\(bench.folder)/first.sqlite")
          == bench.query(revision, of: "\(bench.folder)/second.sqlite"))
      #expect(try await Self.merge(bench, ["first", "second"]).status == 0)
      #expect(try await bench.list(["--name", "4.gif"]).count == 1)
      // What the second one did not know any better comes back with the next scan, under its id.
      let first = try await bench.query(
        "SELECT hex(identifier) FROM assets WHERE name = '3.gif'",
        of: "\(bench.folder)/first.sqlite")
      _ = try await bench.scan()
      #expect(try await bench.list().count == 4)
      #expect(
        try await bench.query("SELECT hex(identifier) FROM assets WHERE name = '3.gif'") == first)
    }

    @Test func `files that had one name one after the other stay apart`() async throws {
      let bench = try Workbench()
      try bench.addPicture("keep.gif", words: "keep")
      for words in ["one", "two"] {
        try bench.addPicture("x.gif", words: words)
        for catalog in ["first", "second"] { try await Self.scan(bench, catalog) }
        try await bench.bash("rm library/x.gif")
        for catalog in ["first", "second"] { try await Self.scan(bench, catalog) }
      }
      let outcome = try await Self.merge(bench, ["first", "second"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try await bench.list(["--missing"]).count == 2)
      #expect(try await bench.list().count == 1)
    }

    @Test(arguments: [("", "/inner"), ("/inner", "")])
    func `a library folder inside another one's is refused`(
      first: String, second: String
    ) async throws {
      let bench = try Workbench()
      for name in ["a", "inner/b"] { try bench.addPicture("\(name).gif", words: name) }
      try await Self.scan(bench, "first", first)
      try await Self.scan(bench, "second", second)
      let outcome = try await Self.merge(bench, ["first", "second"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("second.sqlite has the library folder"), "\(outcome.errors)")
      #expect(outcome.errors.contains(second.isEmpty ? "around" : "inside"), "\(outcome.errors)")
    }

    @Test func `catalogs that both have a folder and one inside it are merged`() async throws {
      let bench = try Workbench()
      for name in ["a", "inner/b"] { try bench.addPicture("\(name).gif", words: name) }
      for catalog in ["first", "second"] {
        try await Self.scan(bench, catalog, "/inner")
        try await Self.scan(bench, catalog)
      }
      let outcome = try await Self.merge(bench, ["first", "second"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try await bench.list().count == 2)
    }

    @Test func `a split keeps what an interrupted scan has left to settle`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a/1.gif", words: "1")
      _ = try await bench.scan([bench.library])
      _ = try await bench.query(
        """
        INSERT INTO unsettled_families SELECT folder_id, family FROM files;
        INSERT INTO unsettled_zones SELECT folder_id, 20000 FROM files;
        INSERT INTO unsettled_identifiers VALUES ('left'); INSERT INTO unsettled_contents VALUES (x'01')
        """)
      let counts = """
        SELECT (SELECT count(*) FROM unsettled_families) + (SELECT count(*) FROM unsettled_zones)
          + (SELECT count(*) FROM unsettled_identifiers) + (SELECT count(*) FROM unsettled_contents)
        """
      #expect(try await bench.query(counts) == ["4"])
      try await bench.bash("mkdir shards")
      // The command settles them in the shard's catalog, and leaves those of this one.
      let split = try await bench.shoebox([
        "catalog", "split", "--shards", "1", "--store", bench.folder + "/shards",
      ])
      #expect(split.status == 0, "\(split.errors)")
      #expect(try await bench.query(counts) == ["4"])
      #expect(
        try await bench.query(counts, of: bench.folder + "/shards/shard-1-of-1.sqlite") == ["0"])
    }
  }
}
