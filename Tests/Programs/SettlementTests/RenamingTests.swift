import Testing
import Workbench

extension SettlementTests {
  /// Files that take each other's places.
  @Suite struct Renaming {
    @Test(arguments: [("a", "b"), ("b", "a")])
    func `a file that is put into another folder and replaced loses nothing`(
      old: String, new: String
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["\(old)/one.jpg": "still-n1.jpg", "\(new)/other.png": "picture.png"])
      try await bench.bash(
        "cd library; mv \(old)/one.jpg \(new)/; cp ../pool/still-n2.jpg \(old)/one.jpg")
      let report = try await bench.scan().report
      #expect(report.scanned == 3)
      #expect(
        try await bench.identifiers().keys.sorted()
          == ["\(new)/one.jpg", "\(new)/other.png", "\(old)/one.jpg"].sorted())
    }

    @Test func `a name in another case is in the search index, too`() async throws {
      let bench = try Workbench()
      try bench.addPicture("abc.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash("mv library/abc.gif library/ABC.gif")
      _ = try await bench.scan()
      #expect(try await bench.query("SELECT name FROM asset_search") == ["ABC.gif"])
    }

    /// The paths of an album's assets, below the library.
    private func album(_ bench: Workbench) async throws -> [String] {
      try await bench.list(["--album", "Best"]).map {
        String($0.path.dropFirst(bench.library.count + 1))
      }.sorted()
    }

    @Test(arguments: [("a", "b"), ("b", "a")], [true, false])
    func `an album follows a file that is moved, not its name`(
      folders: (old: String, new: String), isYoung: Bool
    ) async throws {
      let bench = try Workbench()
      try bench.addPicture("\(folders.old)/1.gif", words: "old")
      try bench.addPicture("\(folders.old)/2.gif", words: "two")
      try bench.addPicture("\(folders.new)/3.gif", words: "three")
      if !isYoung { try await bench.letFilesAge() }
      _ = try await bench.scan([bench.library])
      _ = try await bench.shoebox([
        "albums", "add", "Best", bench.library + "/\(folders.old)/1.gif",
      ])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv \(folders.old)/1.gif \(folders.new)/1.gif")
      try bench.addPicture("\(folders.old)/1.gif", words: "another picture")
      let dry = try await bench.scan(["--dry-run"]).report
      #expect(dry.scanned == 4)
      let report = try await bench.scan().report
      #expect([report.moved, report.added, report.changed, report.missing] == [1, 1, 0, 0])
      #expect(try await album(bench) == ["\(folders.new)/1.gif"])
      let after = try await bench.identifiers()
      #expect(after["\(folders.new)/1.gif"] == before["\(folders.old)/1.gif"])
      #expect(after["\(folders.old)/2.gif"] == before["\(folders.old)/2.gif"])
      #expect(after.count == 4)
      #expect(try await CatalogInvariants.violations(on: bench) == [])
      let again = try await bench.scan().report
      #expect(again.added + again.changed + again.moved + again.missing == 0)
    }

    @Test func `an album follows a folder that is moved, although another one has its name`()
      async throws
    {
      let bench = try Workbench()
      for index in 0..<4 { try bench.addPicture("trip/\(index).gif", words: "old \(index)") }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      _ = try await bench.shoebox(
        ["albums", "add", "Best"] + (0..<4).map { "\(bench.library)/trip/\($0).gif" })
      try await bench.bash("mv library/trip library/zoo")
      for index in 0..<4 {
        try bench.addPicture("trip/\(index).gif", words: "new picture \(index)")
      }
      let report = try await bench.scan().report
      #expect([report.moved, report.added, report.changed, report.missing] == [4, 4, 0, 0])
      #expect(try await album(bench) == (0..<4).map { "zoo/\($0).gif" })
    }

    @Test(arguments: [true, false])
    func `an album follows a file to another disk`(isScannedFirst: Bool) async throws {
      let bench = try Workbench()
      // Another file system than that of temporary files, mostly.
      let disk = "/dev/shm" + bench.folder
      try await bench.bash("mkdir -p '\(disk)'")
      try bench.addPicture("1.gif", words: "old")
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library, disk])
      _ = try await bench.shoebox(["albums", "add", "Best", bench.library + "/1.gif"])
      try await bench.bash("mv library/1.gif '\(disk)/'")
      // The file system may give the inode of the old one to the new one.
      try bench.addPicture("1.gif", words: "another picture")
      let report = try await bench.scan(
        isScannedFirst ? [disk, bench.library] : [bench.library, disk]
      ).report
      #expect([report.moved, report.added, report.changed, report.missing] == [1, 1, 0, 0])
      #expect(try await bench.list(["--album", "Best"]).map(\.path) == [disk + "/1.gif"])
      try await bench.bash("rm -r '\(disk)'")
    }

    @Test(arguments: ["a", "z"])
    func `a file that was copied and then saved again keeps its id`(folder: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("m/1.gif", words: "old")
      try await bench.bash("touch -d 2024-01-01 library/m/1.gif")
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      // Many programs save by renaming a new file.
      try await bench.bash("mkdir library/\(folder); cp library/m/1.gif library/\(folder)/copy.gif")
      try bench.addPicture("m/new.gif", words: "edited")
      try await bench.bash("mv library/m/new.gif library/m/1.gif")
      let report = try await bench.scan().report
      #expect([report.moved, report.added, report.changed] == [0, 1, 1])
      #expect(try await bench.identifiers()["m/1.gif"] == before["m/1.gif"])
    }

    @Test(arguments: ["kept.jpg", "zzz.jpg"])
    func `an original that is put aside under another name keeps its id`(
      aside: String
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["one.jpg": "still-n1.jpg"])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv one.jpg \(aside); cp ../pool/still-n2.jpg one.jpg")
      let report = try await bench.scan().report
      #expect([report.moved, report.added, report.missing] == [1, 1, 0])
      let after = try await bench.identifiers()
      #expect(after.count == 2)
      #expect(after[aside] == before["one.jpg"])
    }

    @Test func `a file that takes another's name may leave its own to a third`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["a.jpg": "still-n1.jpg", "b.jpg": "still-n2.jpg"])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv -f b.jpg a.jpg; cp ../pool/still-b2.jpg b.jpg")
      let report = try await bench.scan().report
      #expect([report.scanned, report.missing] == [2, 1])
      let after = try await bench.identifiers()
      #expect(after["a.jpg"] == before["b.jpg"])
      #expect(after["b.jpg"] != nil)
      #expect(Set(after.values).isDisjoint(with: [before["a.jpg"]].compactMap { $0 }))
    }

    @Test func `labels that depend on a folder's name change with the name`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["Screenshots/Screenshot.png": "picture.png"])
      #expect(try await bench.list(["--type", "screenshots"]).count == 1)
      let before = try await bench.identifiers()
      try await bench.bash("mv library/Screenshots library/Other")
      let report = try await bench.scan().report
      #expect(report.moved == 1)
      #expect(try await bench.list(["--type", "screenshots"]).isEmpty)
      #expect(Array(try await bench.identifiers().values) == Array(before.values))
    }

    @Test func `a broken file that is moved is named as broken`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["empty.jpg": "empty.jpg"])
      try await bench.bash("mkdir library/a; mv library/empty.jpg library/a/")
      for _ in 0..<2 {
        let (status, report) = try await bench.scan()
        #expect(status == 1)
        #expect([report.scanned, report.unreadable] == [1, 1])
        #expect(report.failures.map(\.path) == [bench.library + "/a/empty.jpg"])
      }
    }

    @Test func `another file of the same name, size and time is read`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["one.jpg": "still-a1.jpg"])
      try await bench.bash("mv library/one.jpg away.jpg")
      _ = try await bench.scan()
      // Both pictures have 603 bytes; they differ in their colour and time.
      try await bench.bash(
        "cp pool/still-a2.jpg library/one.jpg; touch -r away.jpg library/one.jpg")
      _ = try await bench.scan()
      #expect(try await bench.list().map(\.captureDate) == ["2024-06-22T18:00:00+02:00"])
    }
  }
}
