import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `shoebox missing` and `shoebox scans diff`.
  @Suite struct MissingPurge {
    private struct Missing: Decodable {
      var id: String
      var path: String
    }

    @Test func `what has been gone for long is removed from the catalog, and only that`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(6)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      // A later file whose name comes first: the catalog read it last.
      try await bench.bash("cd library/folder0; (cat picture0.gif; echo) >a.gif")
      #expect(try await bench.scan().report.added == 1)
      try await bench.bash("cd library; echo >picture.xmp; rm folder0/{a,picture[12]}.gif")
      #expect(try await bench.scan().report.missing == 3)
      // The first one was found gone 100 days ago.
      _ = try await bench.query(
        "UPDATE scans SET started = started - 100 * 86400000")
      try await bench.bash("rm library/folder0/picture4.gif")
      #expect(try await bench.scan().report.missing == 1)
      func missing(_ arguments: [String]) async throws -> [String] {
        let outcome = try await bench.shoebox(["missing"] + arguments + ["--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Missing].self, from: Data(outcome.output.utf8)).map {
          String($0.path.dropFirst(bench.library.count + 1))
        }
      }
      let old = ["folder0/a.gif", "folder0/picture1.gif", "folder0/picture2.gif"]
      #expect(try await missing([]) == old + ["folder0/picture4.gif"])
      #expect(try await missing(["--older-than", "90d"]) == old)
      #expect(try await missing(["purge", "--older-than", "90d", "--dry-run"]) == old)
      #expect(try await missing(["purge", "--older-than", "90d", "--under", "/elsewhere"]) == [])
      #expect(try await missing(["purge", "--older-than", "90d"]) == old)
      #expect(try await missing([]) == ["folder0/picture4.gif"])
      let rest = try await bench.query("SELECT count(*) FROM files; SELECT count(*) FROM assets")
      #expect(rest == ["5", "4"])
      #expect(try await bench.query("PRAGMA foreign_key_check; PRAGMA quick_check") == ["ok"])
      #expect(try await bench.list(["--search", "picture1", "--missing"]).isEmpty)
      // The others keep their ids; what returns is another asset.
      try await bench.bash("cp library/folder0/picture3.gif library/folder0/picture1.gif")
      #expect(try await bench.scan().report.added == 1)
      let after = try await bench.identifiers()
      #expect(after["folder0/picture3.gif"] == before["folder0/picture3.gif"])
      #expect(after["folder0/picture1.gif"] != before["folder0/picture1.gif"])
    }

    @Test func `a wrong clock does not make what is gone older`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      _ = try await bench.scan([bench.library])
      // The clock is slow, then right, then ahead, then right.
      for (index, shift) in ["- 20000 * 86400000", "", "+ 20000 * 86400000"].enumerated() {
        try await bench.bash("rm library/folder0/picture\(index).gif")
        #expect(try await bench.scan().report.missing == 1)
        _ = try await bench.query(
          "UPDATE scans SET started = started \(shift) WHERE id = (SELECT max(id) FROM scans)")
      }
      for _ in 1...2 { _ = try await bench.scan() }
      func count(_ arguments: String...) async throws -> Int {
        let outcome = try await bench.shoebox(["missing"] + arguments + ["--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Missing].self, from: Data(outcome.output.utf8)).count
      }
      #expect(try await count() == 3)
      #expect(try await count("purge", "--older-than", "1d") == 0)
    }

    @Test func `what is in an album stays, unless that is asked for`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      _ = try await bench.scan([bench.library])
      let album = ["albums", "add", "Best of"]
      #expect(try await bench.shoebox(album + ["--name", "picture1.gif"]).status == 0)
      try await bench.bash("rm library/folder0/picture[12].gif")
      _ = try await bench.scan()
      let purge = ["missing", "purge", "--older-than", "0min"]
      let first = try await bench.shoebox(purge)
      #expect(first.errors.contains("removed 1 missing file from"))
      #expect(first.errors.contains("kept 1 in your albums"))
      #expect(try await bench.query("SELECT count(*) FROM album_assets") == ["1"])
      #expect(try await bench.shoebox(purge + ["--albums"]).errors.contains("removed 1"))
      #expect(try await bench.query("SELECT count(*) FROM album_assets") == ["0"])
    }

    private struct Difference: Decodable {
      struct Changes: Decodable {
        struct Change: Decodable {
          var path: String
          var oldPath: String?
          var oldPathBytes: Data?
        }
        var count: Int
        var first: [Change]
      }
      var from: Int
      var to: Int
      var new: Changes
      var changed: Changes
      var moved: Changes
      var missing: Changes
    }

    @Test func `old paths that are not text have their bytes`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.addPicture("b.gif")
      try await bench.bash("mv library/a.gif library/$'caf\\xe9.gif'")
      _ = try await bench.scan([bench.library])
      try await bench.bash("mv library/caf*.gif library/c.gif; mv library/b.gif library/d.gif")
      _ = try await bench.scan()
      for command in [["scans", "diff"], ["report", "--since", "last-scan"]] {
        let outcome = try await bench.shoebox(command + ["--format", "json"])
        let moved = try JSONDecoder().decode(Moves.self, from: Data(outcome.outputBytes)).moved
          .first
        let old = moved.first { $0.path.hasSuffix("/c.gif") }
        #expect(old?.oldPath == "\(bench.library)/caf\u{FFFD}.gif")
        #expect(
          old?.oldPathBytes == Data("\(bench.library)/caf".utf8) + [0xE9] + Data(".gif".utf8))
        #expect(moved.contains { $0.path.hasSuffix("/d.gif") && $0.oldPathBytes == nil })
      }
    }

    private struct Moves: Decodable {
      var moved: Difference.Changes
    }

    @Test func `the difference of two scans has what happened between them`() async throws {
      let bench = try Workbench()
      try bench.addPictures(6)
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        cd library/folder0
        rm picture0.gif
        cp picture1.gif picture9.gif && printf x >>picture9.gif
        """)
      _ = try await bench.scan()
      try await bench.bash(
        """
        cd library/folder0
        printf changed >>picture2.gif
        mv picture3.gif moved.gif
        cp picture1.gif picture8.gif && printf y >>picture8.gif
        """)
      _ = try await bench.scan()
      func difference(_ arguments: [String]) async throws -> Difference {
        let outcome = try await bench.shoebox(
          ["scans", "diff"] + arguments + ["--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Difference.self, from: Data(outcome.output.utf8))
      }
      func names(_ changes: Difference.Changes) -> [String] {
        #expect(changes.count == changes.first.count)
        return changes.first.map { String($0.path.split(separator: "/").last ?? "") }.sorted()
      }
      let last = try await difference([])
      #expect(last.from == 2 && last.to == 3)
      #expect(names(last.new) == ["picture8.gif"])
      #expect(names(last.changed) == ["picture2.gif"])
      #expect(names(last.moved) == ["moved.gif"])
      #expect(names(last.missing) == [])
      let middle = try await difference(["1", "2"])
      #expect(names(middle.new) == ["picture9.gif"])
      #expect(names(middle.missing) == ["picture0.gif"])
      #expect(names(middle.changed) == [] && names(middle.moved) == [])
      let both = try await difference(["1"])
      #expect(names(both.new) == ["picture8.gif", "picture9.gif"])
      #expect(names(both.missing) == ["picture0.gif"])
      // From the empty catalog, all that is there is new.
      let all = try await difference(["0", "3"])
      #expect(all.new.count == 7)
      #expect(names(all.changed) == [])
      let text = try await bench.shoebox(["scans", "diff", "1", "2"])
      #expect(text.output.hasPrefix("From scan 1 ("))
      #expect(text.output.contains("1 new, 1 missing"))
      #expect(try await bench.shoebox(["scans", "diff", "7"]).status == 65)
      #expect(try await bench.shoebox(["scans", "diff", "3", "1"]).status == 64)
    }
  }
}
