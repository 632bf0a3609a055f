import Foundation
import SeededRandom
import Testing
import Workbench

extension SettlementTests {
  /// `catalog merge` of a library's shards.
  @Suite struct Merging {
    /// The shards of each library.
    private static let count = 3

    private static let seeds: ClosedRange<UInt64> =
      ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] == nil ? 1...4 : 1...60

    @Test(arguments: seeds)
    func `merged shards are a single scan's catalog, whatever has changed in between`(
      seed: UInt64
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      let pool = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/pool/")
      var history = RandomHistory(seed: seed + 500, pool: pool)
      var steps: [String] = []
      try await bench.bash("mkdir -p away shards library/a/deep library/b library/Screenshots")
      for round in 0..<3 {
        let script = history.steps(round == 0 ? 10...16 : 2...6)
        steps += [script, "# merge"]
        try await bench.bash(script)
        try await Self.scanAndMerge(bench)
        let fresh = bench.folder + "/fresh-\(round).sqlite"
        _ = try await bench.shoebox(
          ["scan", bench.library], environment: ["SHOEBOX_CATALOG": fresh])
        let (all, expected) = (
          try await bench.dump(), try await bench.dump(of: fresh)
        )
        // A folder without a digest is compared file by file by the next scan. One with a digest must have the right one.
        let merged = all.filter { !$0.hasPrefix("folder ") || !expected.contains($0) }
        let (extra, lacking) = (
          Set(merged).subtracting(expected).sorted(), Set(expected).subtracting(merged).sorted()
        )
        #expect(
          merged == expected.filter { !$0.hasPrefix("folder ") },
          """
          SEED \(seed)
          only merged: \(extra.prefix(8).joined(separator: "\n"))
          only scanned: \(lacking.prefix(8).joined(separator: "\n"))
          after \(steps.joined(separator: "\n"))
          """)
        let violations = try await CatalogInvariants.violations(on: bench)
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
      }
    }

    /// Brings the shards and the merged catalog up to date.
    private static func scanAndMerge(_ bench: Workbench) async throws {
      for number in 1...count {
        let outcome = try await bench.shoebox([
          "scan", "--shard", "\(number)/\(count)", "--catalog",
          "\(bench.folder)/shards/\(number).sqlite", bench.library,
        ])
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
      }
      let merge = try await bench.shoebox(mergeArguments(bench))
      #expect(merge.status == 0, "\(merge.errors)")
    }

    private static func mergeArguments(_ bench: Workbench) -> [String] {
      ["catalog", "merge", "--into", bench.catalog]
        + (1...count).map { "\(bench.folder)/shards/\($0).sqlite" }
    }

    @Test func `ids are those of the shards, and a second merge changes nothing`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        "mkdir shards library/a library/b; cp pool/* library/a; cp pool/* library/b; cp pool/* library"
      )
      try await Self.scanAndMerge(bench)
      func ids(_ file: String?) async throws -> [String] {
        try await bench.query("SELECT hex(identifier) FROM assets ORDER BY 1", of: file)
      }
      var shards: [String] = []
      for number in 1...Self.count {
        shards += try await ids("\(bench.folder)/shards/\(number).sqlite")
      }
      let merged = try await ids(nil)
      #expect(merged == shards.sorted())
      let before = try await bench.query("SELECT revision FROM changes")
      let again = try await bench.shoebox(Self.mergeArguments(bench) + ["--format", "json"])
      #expect(again.output.matches(of: /"isUnchanged":true/).count == Self.count)
      #expect(try await bench.query("SELECT revision FROM changes") == before)
      // A scan of the merged catalog finds everything as it is.
      let report = try await bench.scan().report
      #expect(report.added + report.changed + report.moved + report.missing == 0)
    }

    @Test func `new catalogs of the same shards lose no id, album or acknowledgement`() async throws
    {
      let bench = try Workbench()
      for folder in 0..<6 {
        for index in 0..<3 {
          try bench.addPicture("\(folder)/\(index).gif", words: "\(folder) \(index)")
        }
      }
      try Data().write(to: URL(filePath: bench.library + "/5/empty.jpg"))
      try await bench.bash("mkdir shards")
      try await Self.scanAndMerge(bench)
      #expect(try await bench.shoebox(["albums", "add", "All", "--type", "images"]).status == 0)
      #expect(try await bench.shoebox(["failures", "--acknowledge"]).status == 0)
      let before = try await bench.identifiers()
      // One is gone, and a folder; one has another name.
      try await bench.bash(
        "rm -r library/0/1.gif library/2; mv library/1/2.gif library/1/moved.gif; rm shards/*")
      for _ in 1...2 {
        try await Self.scanAndMerge(bench)
        let missing = try await bench.list(["--missing"]).map(\.id)
        #expect(
          Set(missing) == Set(["0/1.gif", "2/0.gif", "2/1.gif", "2/2.gif"].map { before[$0] }))
        let after = try await bench.identifiers()
        #expect(after["1/moved.gif"] == before["1/2.gif"])
        #expect(after["3/0.gif"] == before["3/0.gif"])
        #expect(try await bench.query("SELECT count(*) FROM album_assets") == ["19"])
        let acknowledged = "SELECT count(*) FROM known_failures WHERE acknowledged_date IS NOT NULL"
        #expect(try await bench.query(acknowledged) == ["1"])
      }
      // It returns.
      try bench.addPicture("0/1.gif", words: "0 1")
      try await bench.bash("rm shards/*")
      try await Self.scanAndMerge(bench)
      #expect(try await bench.list(["--missing"]).count == 3)
      #expect(try await bench.identifiers()["0/1.gif"] == before["0/1.gif"])
    }

    @Test func `what is no catalog is refused before anything is made`() async throws {
      let bench = try Workbench()
      try await bench.bash("echo text >text; mkdir folder; touch empty")
      for name in ["text", "folder", "nowhere", "empty"] {
        let outcome = try await bench.shoebox(
          ["catalog", "merge", "--into", bench.catalog, "\(bench.folder)/\(name)"])
        #expect(outcome.status == 74, "\(name): \(outcome.status)")
        #expect(outcome.errors.contains(name))
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
      #expect(!left.contains { $0.hasPrefix("catalog.sqlite") })
    }

    @Test func `a catalog is not merged into itself`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash("ln -s catalog.sqlite link.sqlite")
      for name in ["catalog.sqlite", "link.sqlite", "./library/../catalog.sqlite"] {
        let outcome = try await bench.shoebox(
          ["catalog", "merge", "--into", bench.catalog, "\(bench.folder)/\(name)"])
        #expect(outcome.status == 64, "\(name): \(outcome.errors)")
        #expect(outcome.errors.contains("is the catalog to merge into: name others"))
      }
      let new = bench.folder + "/new.sqlite"
      #expect(try await bench.shoebox(["catalog", "merge", "--into", new, new]).status == 64)
      #expect(!FileManager.default.fileExists(atPath: new + ".lock"))
    }

    @Test(.timeLimit(.minutes(3)))
    func `a merge that is killed goes on where it was`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        "cp -r pool library/a; cp -r pool library/b; cp pool/* library; mkdir shards")
      try await Self.scanAndMerge(bench)
      let expected = try await bench.dump()
      let merge = ([bench.program] + Self.mergeArguments(bench)).map { "'\($0)'" }
        .joined(separator: " ")
      var random = SeededGenerator(seed: SeededGenerator.seed(of: "killed merges"))
      for _ in 1...6 {
        try await bench.bash("rm -f catalog.sqlite*")
        var isFinished = false
        for attempt in 1...40 where !isFinished {
          let seconds = Double.random(in: 0.02...0.1, using: &random) * Double(attempt) / 4
          isFinished = try await bench.bash(
            "timeout -s KILL \(seconds) \(merge) >/dev/null && echo finished || true"
          ).contains("finished")
        }
        #expect(isFinished)
        #expect(try await bench.dump() == expected)
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!left.contains { $0.contains(".merging") })
      }
    }

    @Test func `catalogs without files are merged, and scans of the new catalog go on`()
      async throws
    {
      let bench = try Workbench()
      try await bench.bash("mkdir -p library/empty shards")
      let shards = (1...2).map { "\(bench.folder)/shards/\($0).sqlite" }
      for (index, shard) in shards.enumerated() {
        _ = try await bench.shoebox([
          "scan", "--shard", "\(index + 1)/2", "--catalog", shard, bench.library,
        ])
      }
      for _ in 1...2 {
        let outcome = try await bench.shoebox(
          ["catalog", "merge", "--into", bench.catalog] + shards)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      try bench.addPicture("a.gif")
      #expect(try await bench.scan().report.added == 1)
    }

    @Test func `a new catalog has the catalogs of its command line, and nothing of deleted ones`()
      async throws
    {
      let bench = try Workbench()
      for index in 1...6 { try bench.addPicture("\(index)/a.gif", words: "\(index)") }
      try await bench.bash("mkdir shards")
      for number in 1...2 {
        _ = try await bench.shoebox([
          "scan", "--shard", "\(number)/2", "--catalog", "\(bench.folder)/shards/\(number).sqlite",
          bench.library,
        ])
      }
      try await bench.bash("cp shards/2.sqlite damaged.sqlite")
      _ = try await bench.query("DELETE FROM changes", of: "\(bench.folder)/damaged.sqlite")
      func merge(_ names: [String]) async throws -> Int {
        try await bench.shoebox(
          ["catalog", "merge", "--into", bench.catalog] + names.map { "\(bench.folder)/\($0)" }
        ).status
      }
      #expect(try await merge(["shards/1.sqlite", "damaged.sqlite"]) == 74)
      try await bench.bash("echo old >catalog.sqlite-wal")
      #expect(try await merge(["shards/2.sqlite"]) == 0)
      let ids = "SELECT hex(identifier) FROM assets ORDER BY 1"
      #expect(try await bench.query(ids) == bench.query(ids, of: "\(bench.folder)/shards/2.sqlite"))
      #expect(try await bench.query("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `a merge that a damaged catalog has ended goes on with those that were read`()
      async throws
    {
      let bench = try Workbench()
      for index in 1...6 { try bench.addPicture("\(index)/a.gif", words: "\(index)") }
      try await bench.bash("mkdir shards")
      let scan = ["scan", bench.library, "--shard"]
      let second = "\(bench.folder)/shards/2.sqlite"
      _ = try await bench.shoebox(scan + ["1/2", "--catalog", "\(bench.folder)/shards/1.sqlite"])
      _ = try await bench.shoebox(scan + ["2/2", "--catalog", second])
      _ = try await bench.query("DELETE FROM changes", of: second)
      let merge = [
        "catalog", "merge", "--format", "json", "--into", bench.catalog,
        "\(bench.folder)/shards/1.sqlite", "\(bench.folder)/shards/2.sqlite",
      ]
      #expect(try await bench.shoebox(merge).status == 74)
      try await bench.bash("rm shards/2.sqlite*")
      _ = try await bench.shoebox(scan + ["2/2", "--catalog", "\(bench.folder)/shards/2.sqlite"])
      let outcome = try await bench.shoebox(merge)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.matches(of: /"isUnchanged":true/).count == 1)
      #expect(try await bench.query("SELECT count(*) FROM assets") == ["6"])
    }

    @Test(arguments: [
      "UPDATE files SET id = 1 << 50 WHERE id = (SELECT max(id) FROM files)",
      "UPDATE files SET id = -id", "DELETE FROM changes",
    ])
    func `a catalog that no scan has made is refused by its name`(edit: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif", words: "a")
      _ = try await bench.shoebox(["scan", bench.library])
      try await bench.bash("mv catalog.sqlite other.sqlite; rm -f catalog.sqlite-*")
      let other = bench.folder + "/other.sqlite"
      for trigger in try await bench.query(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'", of: other)
      {
        _ = try await bench.query("DROP TRIGGER \(trigger)", of: other)
      }
      _ = try await bench.query("PRAGMA foreign_keys = OFF; \(edit)", of: other)
      let outcome = try await bench.shoebox(["catalog", "merge", "--into", bench.catalog, other])
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("other.sqlite is damaged"), "\(outcome.errors)")
    }

    @Test func `catalogs with assets of the same ids are merged by their ids`() async throws {
      let bench = try Workbench()
      for index in 1...5 { try bench.addPicture("\(index).gif", words: "\(index)") }
      let (first, second) = ("\(bench.folder)/first.sqlite", "\(bench.folder)/second.sqlite")
      for arguments in [
        ["scan", "--catalog", first, bench.library], ["backup", "--catalog", first, second],
        ["roots", "move", "--catalog", second, bench.library, "\(bench.folder)/moved"],
        ["catalog", "merge", "--into", bench.catalog, first, second],
      ] {
        if arguments[0] == "roots" { try await bench.bash("mv library moved") }
        let outcome = try await bench.shoebox(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let ids = "SELECT hex(identifier) FROM assets ORDER BY 1"
      #expect(try await bench.query(ids) == bench.query(ids, of: first))
      let paths = try await bench.list().map(\.path)
      #expect(paths.count == 5 && paths.allSatisfy { $0.contains("/moved/") })
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a catalog that was split is merged as it was, and its shards go on from there`(
      seed: UInt64
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      let pool = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/pool/")
      var history = RandomHistory(seed: seed + 900, pool: pool)
      try await bench.bash(
        "mkdir -p away shards library/a/deep library/b library/Screenshots; cp pool/* library/b")
      for _ in 0..<2 {
        try await bench.bash(history.steps(8...12))
        _ = try await bench.shoebox(["scan", bench.library])
      }
      for arguments in [["albums", "add", "All", "--type", "images"], ["verify", "--quiet"]] {
        _ = try await bench.shoebox(arguments)
      }
      let before = try await bench.dump()
      let kept = """
        SELECT hex(identifier), added_date, is_missing, (SELECT count(*) FROM album_assets WHERE asset_id = assets.id),
          (SELECT hex(digest) FROM file_checks WHERE file_id = assets.id)
        FROM assets ORDER BY 1
        """
      let (ids, single) = (try await bench.query(kept), bench.folder + "/single.sqlite")
      try await bench.bash("cp catalog.sqlite single.sqlite")
      let split = try await bench.shoebox([
        "catalog", "split", "--shards", "\(Self.count)", "--store", bench.folder + "/shards",
      ])
      #expect(split.status == 0, "\(split.errors)")
      for number in 1...Self.count {
        // As a scan of that shard alone has it, but for what is missing.
        let names = (1...Self.count).map { "shard-\($0)-of-\(Self.count)" }
        let fresh = bench.folder + "/fresh-\(number).sqlite"
        _ = try await bench.shoebox([
          "scan", "--shard", "\(number)/\(Self.count)", "--catalog", fresh, bench.library,
        ])
        let part = "\(bench.folder)/shards/\(names[number - 1]).sqlite"
        // Folders with young files have no digest.
        let (found, expected) = (
          try await bench.dump(of: part).filter { !$0.hasPrefix("folder ") },
          try await bench.dump(of: fresh).filter { !$0.hasPrefix("folder ") }
        )
        #expect(
          found == expected,
          "only split: \(Set(found).subtracting(expected)), only scanned: \(Set(expected).subtracting(found))"
        )
        try await bench.bash("mv '\(part)' shards/\(number).sqlite")
      }
      try await bench.bash("rm catalog.sqlite*")
      let merge = try await bench.shoebox(Self.mergeArguments(bench))
      #expect(merge.status == 0, "\(merge.errors)")
      #expect(try await bench.dump() == before)
      #expect(try await bench.query(kept) == ids)
      // Into the catalog that was split.
      try await bench.bash("rm catalog.sqlite*; mv single.sqlite catalog.sqlite")
      #expect(FileManager.default.fileExists(atPath: single) == false)
      try await bench.bash(history.steps(3...6))
      try await Self.scanAndMerge(bench)
      let fresh = bench.folder + "/fresh.sqlite"
      _ = try await bench.shoebox(
        ["scan", bench.library], environment: ["SHOEBOX_CATALOG": fresh])
      let (merged, expected) = (try await bench.dump(), try await bench.dump(of: fresh))
      #expect(
        merged.filter { !$0.hasPrefix("folder ") } == expected.filter { !$0.hasPrefix("folder ") })
      let violations = try await CatalogInvariants.violations(on: bench)
      #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }
  }
}
