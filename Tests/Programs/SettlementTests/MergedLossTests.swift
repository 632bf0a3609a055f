import Foundation
import Testing
import Workbench

extension SettlementTests {
  /// What `catalog merge` must not lose, and what it must not bring back.
  @Suite struct MergedLosses {
    private static let count = 3

    private static func shard(_ bench: Workbench, _ number: Int) -> String {
      "\(bench.folder)/shards/\(number).sqlite"
    }

    /// Scans the shards, each into its catalog.
    private static func scan(_ bench: Workbench, _ numbers: [Int] = Array(1...count)) async throws {
      try await bench.bash("mkdir -p shards")
      for number in numbers {
        let outcome = try await bench.shoebox([
          "scan", "--shard", "\(number)/\(count)", "--catalog", shard(bench, number), bench.library,
        ])
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
      }
    }

    private static func merge(_ bench: Workbench, _ catalogs: [String]) async throws {
      let outcome = try await bench.shoebox(
        ["catalog", "merge", "--into", bench.catalog] + catalogs)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try await CatalogInvariants.violations(on: bench) == [])
    }

    private static func merge(_ bench: Workbench, _ numbers: [Int] = Array(1...count)) async throws
    {
      try await merge(bench, numbers.map { shard(bench, $0) })
    }

    /// The paths of the pictures that are there, below the library.
    private static func present(_ bench: Workbench) async throws -> [String] {
      try await bench.identifiers().keys.sorted()
    }

    private static func album(_ bench: Workbench, _ title: String) async throws -> [String] {
      try await bench.list(["--album", title]).map {
        String($0.path.dropFirst(bench.library.count + 1))
      }.sorted()
    }

    /// The number of the shard that has a folder.
    private static func owner(_ bench: Workbench, of folder: String) async throws -> Int {
      for number in 1...count {
        let found = try await bench.query(
          """
          SELECT count(*) FROM files JOIN folders ON folders.id = folder_id WHERE path = '\(folder)'
          """, of: shard(bench, number))
        if found != ["0"] { return number }
      }
      throw WorkbenchError("no shard has \(folder)")
    }

    // MARK: Checks

    @Test(arguments: [["first", "second"], ["second", "first"]])
    func `a file that has rotted between the checks of two catalogs is rotted`(
      order: [String]
    ) async throws {
      let bench = try Workbench()
      for name in ["a", "b"] { try bench.addPicture("\(name).gif", words: name) }
      try await bench.letFilesAge()
      func verify(_ catalog: String) async throws -> [String] {
        let file = "\(bench.folder)/\(catalog).sqlite"
        _ = try await bench.shoebox(["scan", "--catalog", file, bench.library])
        _ = try await bench.shoebox(["verify", "--quiet", "--catalog", file])
        return try await bench.query(
          """
          SELECT hex(file_checks.digest) FROM file_checks JOIN files ON files.id = file_id WHERE name = 'a.gif'
          """, of: file)
      }
      let sound = try await verify("first")
      try await bench.bash(
        """
        cd library; touch -r a.gif ../time
        printf X | dd of=a.gif bs=1 seek=20 conv=notrunc status=none; touch -r ../time a.gif
        """)
      #expect(try await verify("second") != sound)
      try await Self.merge(bench, order.map { "\(bench.folder)/\($0).sqlite" })
      let merged = try await bench.query(
        """
        SELECT outcome, since IS NOT NULL, hex(file_checks.digest) FROM file_checks JOIN files ON files.id = file_id
        WHERE name = 'a.gif'
        """)
      #expect(merged == ["rotted|1|\(sound[0])"])
      #expect(
        try await bench.query("SELECT count(*) FROM file_checks WHERE outcome = 'equal'") == ["1"])
      #expect(try await bench.shoebox(["verify"]).output.contains("1 with bit rot"))
    }

    @Test(arguments: [["first", "second"], ["second", "first"]])
    func `content that was accepted is not bit rot by what another catalog has found before`(
      order: [String]
    ) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try await bench.letFilesAge()
      let catalogs = order.map { "\(bench.folder)/\($0).sqlite" }
      func verify(_ name: String, _ options: [String] = []) async throws -> Int {
        try await bench.shoebox(
          ["verify", "--quiet", "--catalog", "\(bench.folder)/\(name).sqlite"] + options
        ).status
      }
      for name in order {
        _ = try await bench.shoebox(
          ["scan", "--catalog", "\(bench.folder)/\(name).sqlite", bench.library])
        #expect(try await verify(name) == 0)
      }
      try await bench.bash(
        """
        cd library; touch -r a.gif ../time
        printf X | dd of=a.gif bs=1 seek=20 conv=notrunc status=none; touch -r ../time a.gif
        """)
      #expect(try await verify("first") == 1)
      try await Self.merge(bench, catalogs)
      #expect(try await verify("catalog") == 1)
      #expect(try await verify("catalog", ["--accept", "\(bench.library)/a.gif"]) == 0)
      #expect(try await verify("catalog") == 0)
      // It finds the same again, and so the catalog is merged again.
      #expect(try await verify("first") == 1)
      try await Self.merge(bench, catalogs)
      #expect(try await bench.query("SELECT outcome FROM file_checks") == ["equal"])
      #expect(try await verify("catalog") == 0)
    }

    @Test func `a digest outlives a later check that could not read the file`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      let (first, second) = ("\(bench.folder)/first.sqlite", "\(bench.folder)/second.sqlite")
      for catalog in [first, second] {
        _ = try await bench.shoebox(["scan", "--catalog", catalog, bench.library])
        _ = try await bench.shoebox(["verify", "--quiet", "--catalog", catalog])
      }
      _ = try await bench.query(
        "UPDATE file_checks SET outcome = 'unreadable', error = 'gone', since = checked_date, digest = NULL",
        of: second)
      try await Self.merge(bench, [first, second])
      #expect(
        try await bench.query("SELECT outcome, length(digest) FROM file_checks") == [
          "unreadable|32"
        ])
    }

    // MARK: Missing files

    @Test func `what an interrupted scan of a new shard has not read stays present`() async throws {
      let bench = try Workbench()
      for folder in 0..<6 {
        for index in 0..<2 { try bench.addPicture("\(folder)/\(index).gif") }
      }
      try await Self.scan(bench)
      try await Self.merge(bench)
      let before = try await Self.present(bench)
      try await bench.bash("rm shards/*")
      try await Self.scan(bench)
      // As a scan leaves it that was cut short: some folders unread, one in part.
      for number in 1...Self.count {
        _ = try await bench.query(
          """
          UPDATE scans SET outcome = 'interrupted'; DELETE FROM scanned_part;
          UPDATE folders SET digest = NULL;
          DELETE FROM files WHERE name = '1.gif' OR folder_id > (SELECT min(folder_id) FROM files)
          """, of: Self.shard(bench, number))
      }
      try await Self.merge(bench)
      #expect(try await Self.present(bench) == before)
      // The next scans do the rest, and find what is really gone.
      try await bench.bash("rm library/0/0.gif; rm -r library/1")
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(
        try await Self.present(bench) == before.filter { $0 != "0/0.gif" && !$0.hasPrefix("1/") })
    }

    @Test func `what a new shard could not read stays present`() async throws {
      let bench = try Workbench()
      for path in ["a/1.gif", "a/b/2.gif", "c/3.gif", "d/4.gif", "e/5.gif"] {
        try bench.addPicture(path)
      }
      try await Self.scan(bench)
      try await Self.merge(bench)
      let before = try await Self.present(bench)
      // A folder, a file, and one whose rules cannot be read.
      try await bench.bash(
        "rm shards/*; mv library/a aside; rm library/c/3.gif; rm -r library/d library/e")
      try await Self.scan(bench)
      for (index, path) in ["a", "c/3.gif", "d/.shoeboxignore"].enumerated() {
        for number in 1...Self.count {
          _ = try await bench.query(
            """
            INSERT INTO known_failures (path, error, first_scan, first_date, last_scan, last_date, attempts)
            VALUES ('\(bench.library)/\(path)', 'it cannot be read \(index)', 1, 1, 1, 1, 1)
            """, of: Self.shard(bench, number))
        }
      }
      try await Self.merge(bench)
      #expect(try await Self.present(bench) == before.filter { $0 != "e/5.gif" })
    }

    @Test func `what is on a disk that was not mounted stays present`() async throws {
      let bench = try Workbench()
      for path in ["a/1.gif", "b/2.gif", "3.gif"] { try bench.addPicture(path) }
      try await Self.scan(bench)
      try await Self.merge(bench)
      let before = try await Self.present(bench)
      try await bench.bash("rm shards/*; mv library aside; mkdir library")
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(try await Self.present(bench) == before)
      // A disk inside the library, which was there when the merged catalog was made.
      try await bench.bash("rm shards/*; rmdir library; mv aside library; rm library/a/1.gif")
      _ = try await bench.query("UPDATE folders SET is_mount_point = 1 WHERE path = 'a'")
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(try await Self.present(bench) == before)
    }

    @Test func `a scan of one folder into a new shard says nothing of the others`() async throws {
      let bench = try Workbench()
      for folder in 0..<6 { try bench.addPicture("\(folder)/1.gif") }
      try await Self.scan(bench)
      try await Self.merge(bench)
      let before = try await Self.present(bench)
      try await bench.bash("rm shards/*; mkdir aside; mv library/* aside; mkdir library/none")
      // The root is known by a scan of nothing.
      try await Self.scan(bench)
      try await bench.bash("rmdir library/none; mv aside/* library")
      for number in 1...Self.count {
        _ = try await bench.query(
          "DELETE FROM scans; DELETE FROM scanned_part", of: Self.shard(bench, number))
        _ = try await bench.shoebox([
          "scan", "--shard", "\(number)/\(Self.count)", "--catalog", Self.shard(bench, number),
          bench.library + "/0",
        ])
      }
      try await Self.merge(bench)
      #expect(try await Self.present(bench) == before)
    }

    @Test func `what is missing since today is not purged because another catalog is old`()
      async throws
    {
      let bench = try Workbench()
      for root in ["new", "old", "older"] {
        try await bench.bash("mkdir \(root)")
        for name in ["a", "b"] {
          try bench.addPicture("../\(root)/\(name).gif", words: root + name)
        }
        for _ in 1...2 {
          _ = try await bench.shoebox([
            "scan", "--catalog", "\(bench.folder)/\(root).sqlite", "\(bench.folder)/\(root)",
          ])
          try await bench.bash("rm -f new/b.gif")
        }
      }
      for root in ["old", "older"] {
        _ = try await bench.query(
          "UPDATE scans SET started = started - 365 * 86400000",
          of: "\(bench.folder)/\(root).sqlite")
      }
      try await Self.merge(bench, ["new", "old", "older"].map { "\(bench.folder)/\($0).sqlite" })
      let purge = try await bench.shoebox(["missing", "purge", "--older-than", "90d"])
      #expect(purge.status == 0, "\(purge.errors)")
      #expect(try await bench.list(["--missing"]).map(\.path) == ["\(bench.folder)/new/b.gif"])
    }

    @Test(arguments: [false, true])
    func `what was purged from the merged catalog does not come back`(isSplit: Bool) async throws {
      let bench = try Workbench()
      for folder in 0..<6 { try bench.addPicture("\(folder)/a.gif", words: "\(folder)") }
      try await Self.scan(bench)
      try await Self.merge(bench)
      try await bench.bash("rm library/[0-2]/a.gif")
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(try await bench.list(["--missing"]).count == 3)
      if isSplit {
        try await bench.bash("rm -r shards; mkdir shards")
        _ = try await bench.shoebox([
          "catalog", "split", "--shards", "\(Self.count)", "--store", "\(bench.folder)/shards",
        ])
        try await bench.bash(
          "cd shards; for n in 1 2 3; do mv shard-$n-of-3.sqlite $n.sqlite; done")
      }
      let purge = try await bench.shoebox(["missing", "purge", "--older-than", "0min"])
      #expect(purge.status == 0, "\(purge.errors)")
      #expect(try await bench.list(["--missing"]).isEmpty)
      for folder in 0..<6 { try bench.addPicture("\(folder)/b.gif", words: "new \(folder)") }
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(try await bench.list(["--missing"]).isEmpty)
      #expect(try await Self.present(bench).count == 9)
    }

    // MARK: Albums and titles

    @Test(arguments: [[1, 2, 3], [3, 2, 1]], [false, true])
    func `a renamed folder keeps ids and albums, whichever shards it was in`(
      order: [Int], areNew: Bool
    ) async throws {
      let bench = try Workbench()
      for folder in 0..<6 {
        for index in 0..<3 {
          try bench.addPicture("\(folder)/\(index).gif", words: "\(folder) \(index)")
        }
        // Equal contents, under equal and other names. A scan of one shard would take those of others for its own.
        for name in areNew ? ["same", "same too"] : [] {
          try bench.addPicture("\(folder)/\(name).gif", words: "same")
        }
      }
      try await bench.letFilesAge()
      try await Self.scan(bench)
      try await Self.merge(bench)
      let names = ["0.gif", "1.gif", "2.gif"] + (areNew ? ["same too.gif", "same.gif"] : [])
      for folder in 0..<6 {
        let outcome = try await bench.shoebox(
          ["albums", "add", "Album \(folder)"] + names.map { "\(bench.library)/\(folder)/\($0)" })
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let before = try await bench.identifiers()
      try await bench.bash(
        "for folder in 0 1 2 3; do mv library/$folder library/renamed$folder; done")
      if areNew { try await bench.bash("rm shards/*") }
      try await Self.scan(bench)
      try await Self.merge(bench, order)
      let after = try await bench.identifiers()
      for folder in 0..<6 {
        let place = folder < 4 ? "renamed\(folder)" : "\(folder)"
        #expect(
          try await Self.album(bench, "Album \(folder)") == names.map { "\(place)/\($0)" },
          "album \(folder)")
        for name in names {
          #expect(after["\(place)/\(name)"] == before["\(folder)/\(name)"], "\(folder)/\(name)")
        }
      }
      #expect(try await bench.list(["--missing"]).isEmpty)
      // The next merges and scans change nothing.
      try await Self.merge(bench, order)
      let report = try await bench.scan().report
      #expect(report.added + report.changed + report.moved + report.missing == 0)
      #expect(try await bench.identifiers() == after)
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [1, 3, 2]])
    func `a file that moves between shards, is edited, and moves back keeps its id`(
      order: [Int]
    ) async throws {
      let bench = try Workbench()
      let folders = (0..<8).map { "\($0)" }
      for folder in folders { try bench.addPicture("\(folder)/kept.gif", words: folder) }
      try bench.addPicture("0/a.gif", words: "first")
      func update() async throws {
        try await bench.letFilesAge()
        try await Self.scan(bench)
        try await Self.merge(bench, order)
      }
      try await update()
      _ = try await bench.shoebox(["albums", "add", "One", "\(bench.library)/0/a.gif"])
      let id = try #require(try await bench.identifiers()["0/a.gif"])
      let home = try await Self.owner(bench, of: "0")
      var (others, own): ([String], [String]) = ([], [])
      for folder in folders.dropFirst() {
        if try await Self.owner(bench, of: folder) == home {
          own.append(folder)
        } else {
          others.append(folder)
        }
      }
      let (away, back) = (try #require(others.first), try #require(own.first))
      try await bench.bash("mv library/0/a.gif library/\(away)/a.gif")
      try await update()
      // The first shard, which knows it as missing, does not know this content.
      try bench.addPicture("\(away)/a.gif", words: "second")
      try await update()
      try await bench.bash("mv library/\(away)/a.gif library/\(back)/b.gif")
      try await update()
      func expectPlace(_ place: String) async throws {
        #expect(try await bench.identifiers()[place] == id)
        #expect(try await Self.album(bench, "One") == [place])
        #expect(try await bench.list(["--missing"]).isEmpty)
      }
      try await expectPlace("\(back)/b.gif")
      // The first shard has it twice: as missing, and as a new file.
      for folder in ["0", away] {
        try bench.addPicture("\(folder)/more.gif", words: "more \(folder)")
      }
      try await update()
      try await expectPlace("\(back)/b.gif")
      try await bench.bash("mv library/\(back)/b.gif library/\(away)/c.gif")
      try await update()
      try await expectPlace("\(away)/c.gif")
    }

    /// Two folders of different shards.
    private static func foreignFolders(_ bench: Workbench) async throws -> (String, String) {
      let home = try await owner(bench, of: "0")
      for folder in 1..<8 where try await owner(bench, of: "\(folder)") != home {
        return ("0", "\(folder)")
      }
      throw WorkbenchError("all folders are in one shard")
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [1, 3, 2]])
    func `a file in the place of one that has moved to another shard does not get its id`(
      order: [Int]
    ) async throws {
      let bench = try Workbench()
      for folder in 0..<8 { try bench.addPicture("\(folder)/a.gif", words: "\(folder)") }
      func update() async throws {
        try await bench.letFilesAge()
        try await Self.scan(bench)
        try await Self.merge(bench, order)
      }
      try await update()
      let (home, away) = try await Self.foreignFolders(bench)
      _ = try await bench.shoebox(["albums", "add", "One", "\(bench.library)/\(home)/a.gif"])
      let id = try #require(try await bench.identifiers()["\(home)/a.gif"])
      try await bench.bash("mv library/\(home)/a.gif library/\(away)/b.gif")
      try bench.addPicture("\(home)/a.gif", words: "new")
      try await update()
      let new = try #require(try await bench.identifiers()["\(home)/a.gif"])
      #expect(new != id)
      func expectIDs(_ places: [String: String]) async throws {
        let ids = try await bench.identifiers()
        #expect(ids.count == 9)
        for (place, id) in places { #expect(ids[place] == id, "\(place)") }
        #expect(try await bench.list(["--missing"]).isEmpty)
      }
      try await expectIDs(["\(away)/b.gif": id])
      #expect(try await Self.album(bench, "One") == ["\(away)/b.gif"])
      // In the shard's catalog, the new one still has the id. It is edited; the other one returns.
      try bench.addPicture("\(home)/a.gif", words: "edited")
      try await bench.bash("mv library/\(away)/b.gif library/\(home)/c.gif")
      try await update()
      try await expectIDs(["\(home)/c.gif": id, "\(home)/a.gif": new])
      try await bench.bash("mv library/\(home)/a.gif library/\(home)/d.gif")
      try await update()
      try await expectIDs(["\(home)/c.gif": id, "\(home)/d.gif": new])
      #expect(try await Self.album(bench, "One") == ["\(home)/c.gif"])
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1]])
    func `files of two shards that change places keep their ids and albums`(
      order: [Int]
    ) async throws {
      let bench = try Workbench()
      for folder in 0..<8 { try bench.addPicture("\(folder)/a.gif", words: "\(folder)") }
      try await bench.letFilesAge()
      try await Self.scan(bench)
      try await Self.merge(bench, order)
      let (one, two) = try await Self.foreignFolders(bench)
      _ = try await bench.shoebox(["albums", "add", "One", "\(bench.library)/\(one)/a.gif"])
      let before = try await bench.identifiers()
      try await bench.bash(
        "cd library; mv \(one)/a.gif aside; mv \(two)/a.gif \(one)/a.gif; mv aside \(two)/a.gif")
      for round in 1...2 {
        try await Self.scan(bench)
        try await Self.merge(bench, order)
        let after = try await bench.identifiers()
        #expect(after["\(two)/a.gif"] == before["\(one)/a.gif"])
        #expect(after["\(one)/a.gif"] == before["\(two)/a.gif"])
        #expect(try await Self.album(bench, "One") == ["\(two)/a.gif"])
        for folder in [one, two] { try bench.addPicture("\(folder)/\(round).gif") }
      }
    }

    @Test func `another file that has the name of a moved one does not get its album`() async throws
    {
      let bench = try Workbench()
      for folder in 0..<6 { try bench.addPicture("\(folder)/a.gif", words: "\(folder)") }
      try await bench.letFilesAge()
      try await Self.scan(bench)
      try await Self.merge(bench)
      _ = try await bench.shoebox(["albums", "add", "All", "--type", "images"])
      try await bench.bash(
        "rm shards/*; for folder in library/?; do mv $folder/a.gif $folder/b.gif; done")
      for folder in 0..<6 { try bench.addPicture("\(folder)/a.gif", words: "new \(folder)") }
      try await Self.scan(bench)
      try await Self.merge(bench)
      #expect(try await Self.album(bench, "All") == (0..<6).map { "\($0)/b.gif" })
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1]])
    func `folders that are albums have their titles, in whatever order shards are merged`(
      order: [Int]
    ) async throws {
      let bench = try Workbench()
      func title(_ folder: String, _ title: String) throws {
        try Data(
          #"{"title": "\#(title)", "description": "", "access": "protected", "date": {"timestamp": "1500000000"}}"#
            .utf8
        ).write(to: URL(filePath: "\(bench.library)/\(folder)/metadata.json"))
      }
      // Some shards have only walked through the outer folders.
      for folder in ["a", "a/b", "a/b/c", "d", "d/e"] {
        try bench.addPicture("\(folder)/1.gif")
        try title(folder, "Title of \(folder)")
      }
      let titles = "SELECT path, title FROM folders WHERE title IS NOT NULL ORDER BY path"
      try await Self.scan(bench)
      try await Self.merge(bench, order)
      #expect(
        try await bench.query(titles)
          == ["a", "a/b", "a/b/c", "d", "d/e"].map { "\($0)|Title of \($0)" })
      // One has another title, one none, and one is renamed.
      try title("a", "Other")
      try await bench.bash("rm library/a/b/metadata.json; mv library/d/e library/d/f")
      try await Self.scan(bench)
      try await Self.merge(bench, order)
      let present =
        "\(titles.dropLast(14)) AND id IN (SELECT folder_id FROM files WHERE missing_since IS NULL) ORDER BY path"
      #expect(
        try await bench.query(present)
          == ["a|Other", "a/b/c|Title of a/b/c", "d|Title of d", "d/f|Title of d/e"])
    }

    @Test func `albums and searches that were deleted after a split stay deleted`() async throws {
      let bench = try Workbench()
      for folder in 0..<6 { try bench.addPicture("\(folder)/1.gif") }
      _ = try await bench.scan([bench.library])
      for title in ["Deleted", "Old name", "Smaller"] {
        _ = try await bench.shoebox(["albums", "add", title, "--type", "images"])
      }
      _ = try await bench.shoebox(["list", "--save", "deleted", "--type", "images"])
      try await bench.bash("mkdir -p shards")
      let split = try await bench.shoebox([
        "catalog", "split", "--shards", "\(Self.count)", "--store", bench.folder + "/shards",
      ])
      #expect(split.status == 0, "\(split.errors)")
      for number in 1...Self.count {
        try await bench.bash(
          "cd shards; mv shard-\(number)-of-\(Self.count).sqlite \(number).sqlite")
      }
      let all = bench.folder + "/all.sqlite"
      try await bench.bash("cp catalog.sqlite all.sqlite")
      for (isNew, catalog) in [(false, bench.catalog), (true, all)] {
        // Into the catalog that was split, and into one that was made of the shards.
        if isNew {
          try await bench.bash("rm all.sqlite*")
          let outcome = try await bench.shoebox(
            ["catalog", "merge", "--into", all] + (1...Self.count).map { Self.shard(bench, $0) })
          #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for arguments in [
          ["albums", "delete", "Deleted"], ["albums", "rename", "Old name", "New name"],
          ["albums", "remove", "Smaller", bench.library + "/0/1.gif"],
          ["searches", "delete", "deleted"],
        ] {
          let outcome = try await bench.shoebox(arguments + ["--catalog", catalog])
          #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        }
        // What is added to a shard's catalog is taken.
        let added = "Added \(isNew)"
        let owner = try await Self.owner(bench, of: "1")
        _ = try await bench.shoebox(
          [
            "albums", "add", added, bench.library + "/1/1.gif", "--catalog",
            Self.shard(bench, owner),
          ])
        try bench.addPicture("new \(isNew)/1.gif")
        try await Self.scan(bench)
        let outcome = try await bench.shoebox(
          ["catalog", "merge", "--into", catalog] + (1...Self.count).map { Self.shard(bench, $0) })
        #expect(outcome.status == 0, "\(outcome.errors)")
        let members =
          "SELECT title, count(asset_id) FROM albums LEFT JOIN album_assets ON album_id = id GROUP BY id ORDER BY title"
        #expect(
          try await bench.query(members, of: catalog)
            == (isNew ? ["Added false|1"] : []) + ["\(added)|1", "New name|6", "Smaller|5"])
        #expect(try await bench.query("SELECT count(*) FROM saved_searches", of: catalog) == ["0"])
      }
    }

    // MARK: Failures

    @Test(arguments: [[1, 2, 3], [3, 2, 1]])
    func `a folder that can be read again is no failure any more`(order: [Int]) async throws {
      let bench = try Workbench()
      for folder in 0..<6 { try bench.addPicture("\(folder)/1.gif") }
      try await Self.scan(bench)
      func fail(_ path: String, in number: Int) async throws {
        _ = try await bench.query(
          """
          INSERT INTO known_failures (path, error, first_scan, first_date, last_scan, last_date, attempts)
          VALUES ('\(bench.library)/\(path)', 'it cannot be read', 1, 1, 1, 1, 1)
          """, of: Self.shard(bench, number))
      }
      for number in 1...Self.count { try await fail("0", in: number) }
      let owner = try await Self.owner(bench, of: "1")
      try await fail("1", in: owner == 1 ? 2 : 1)
      try await Self.merge(bench, order)
      let failures = "SELECT path FROM known_failures ORDER BY 1"
      #expect(try await bench.query(failures) == ["\(bench.library)/0", "\(bench.library)/1"])
      _ = try await bench.shoebox(["failures", "--acknowledge"])
      // A task that could read a folder says nothing of the task that could not.
      try await Self.scan(bench, [owner])
      try await Self.merge(bench, order)
      let acknowledged = "SELECT count(*) FROM known_failures WHERE acknowledged_date IS NOT NULL"
      #expect(try await bench.query(acknowledged) == ["2"])
      try await Self.scan(bench)
      try await Self.merge(bench, order)
      #expect(try await bench.query(failures).isEmpty)
    }
  }
}
