import Foundation
import Testing
import Workbench

extension ScanTests {
  /// What a second scan finds after files in the library have changed.
  @Suite struct Rescans {
    @Test func `an unchanged library starts no codec process`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec()
      try bench.addPictures(30)
      try await bench.letFilesAge()
      let first = try await bench.scan([bench.library])
      #expect(first.status == 0)
      #expect(first.report.added == 30)
      try FileManager.default.removeItem(atPath: log)

      let second = try await bench.scan()
      #expect(second.status == 0)
      #expect(second.report.unchanged == 30)
      #expect(second.report.scanned == 30)
      #expect(!FileManager.default.fileExists(atPath: log), "a worker was started")
    }

    /// Every table gets a trigger that counts its changed rows.
    @Test func `a new file in a large folder writes few rows`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1000, perFolder: 1000)
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      try bench.addPicture("folder0/new.gif", width: 3000)
      let tables = try await bench.query(
        """
        CREATE TABLE written (row TEXT);
        SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'written'
          AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'
        """)
      #expect(tables.contains("assets") && tables.contains("asset_search_data"))
      let triggers = tables.flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map { change in
          """
          CREATE TRIGGER \(table)_\(change) AFTER \(change) ON \(table) BEGIN
            INSERT INTO written VALUES ('\(change) \(table)');
          END;
          """
        }
      }
      _ = try await bench.query(triggers.joined())
      let (_, report) = try await bench.scan()
      #expect(report.added == 1)
      #expect(report.unchanged == 1000)
      let written = try await bench.query("SELECT row FROM written")
      #expect(written.contains("INSERT assets"))
      #expect(written.count <= 36, "\(written)")
    }

    @Test func `a renamed folder keeps its row and all ids below it`() async throws {
      let (bench, log) = try Workbench.withFaultyCodec()
      for number in 1...20 { try bench.addPicture("old/\(number).gif", width: number) }
      for number in 1...20 { try bench.addPicture("old/deep/er/\(number).gif", width: 99 + number) }
      try bench.addPicture("other/stays.gif")
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.query("SELECT id, hex(identifier), pixel_width FROM assets")
      let rows = "SELECT id FROM folders ORDER BY id"
      let folders = try await bench.query(rows)
      try FileManager.default.removeItem(atPath: log)
      _ = try await bench.query(
        """
        CREATE TABLE written (id); CREATE TRIGGER counting AFTER UPDATE ON files BEGIN
          INSERT INTO written VALUES (new.id); END
        """)

      try await bench.bash("mkdir library/other/in; mv library/old library/other/in/new")
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.moved == 40)
      #expect(report.missing == 0)
      #expect(report.unchanged == 1)
      #expect(!FileManager.default.fileExists(atPath: log), "a worker was started")
      #expect(try await bench.query("SELECT count(*) FROM written") == ["0"])
      #expect(
        try await bench.query("SELECT id, hex(identifier), pixel_width FROM assets") == before)
      #expect(try await Set(bench.query(rows)).isSuperset(of: folders))
      #expect(try await bench.list(["--under", bench.library + "/other/in/new"]).count == 40)
      #expect(try await bench.list(["--search", "old"]).isEmpty)
      #expect(try await bench.list(["--search", "new"]).count == 40)
      _ = try await bench.query("DROP TRIGGER counting; DROP TABLE written")
      let dump = try await bench.dump()
      try await bench.bash(
        "SHOEBOX_CATALOG=fresh.sqlite '\(bench.program)' scan library --quiet >/dev/null")
      #expect(try await dump == bench.dump(of: bench.folder + "/fresh.sqlite"))
      #expect(try await bench.scan().report.unchanged == 41)
    }

    @Test func `a folder that was copied, or has a file more, has not moved as a whole`()
      async throws
    {
      let bench = try Workbench()
      for number in 1...5 { try bench.addPicture("a/\(number).gif", width: number) }
      for number in 1...5 { try bench.addPicture("b/\(number).gif", width: 9 + number) }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; cp -a a copy; mv b moved; cp a/1.gif moved/6.gif")
      let (_, report) = try await bench.scan()
      #expect(report.added == 6)
      #expect(report.moved == 5)
      #expect(report.missing == 0)
      let after = try await bench.identifiers()
      for number in 1...5 {
        #expect(after["a/\(number).gif"] == before["a/\(number).gif"])
        #expect(after["moved/\(number).gif"] == before["b/\(number).gif"])
      }
      // A name by which labels are decided.
      try await bench.letFilesAge()
      _ = try await bench.scan()
      try await bench.bash("cd library; mv a Screenshots")
      let renamed = try await bench.scan()
      #expect(renamed.report.moved == 5)
      #expect(renamed.report.missing == 0)
      let dump = try await bench.dump()
      try await bench.bash(
        "SHOEBOX_CATALOG=fresh.sqlite '\(bench.program)' scan library --quiet >/dev/null")
      #expect(try await dump == bench.dump(of: bench.folder + "/fresh.sqlite"))
      #expect(
        try await bench.identifiers()["Screenshots/1.gif"] == before["a/1.gif"])
    }

    /// The walk reads `archive` before `inbox`, whose name it has found before.
    @Test func `the old name of a moved folder may be that of a new one`() async throws {
      let bench = try Workbench()
      for number in 1...3 { try bench.addPicture("inbox/\(number).gif", width: number) }
      try bench.addPicture("inbox/sub/1.gif", width: 20)
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash(
        "cd library; mkdir archive; mv inbox archive/2024; mkdir inbox inbox/sub")
      for (number, name) in ["1.gif", "sub/1.gif", "sub/2.gif"].enumerated() {
        try bench.addPicture("inbox/" + name, width: 30 + number)
      }
      try await bench.letFilesAge()
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.moved == 4 && report.added == 3, "\(report)")
      #expect(report.missing == 0 && report.changed == 0)
      let after = try await bench.identifiers()
      #expect(after.count == 7)
      for name in ["1.gif", "2.gif", "3.gif", "sub/1.gif"] {
        #expect(after["archive/2024/" + name] == before["inbox/" + name])
      }
      let dump = try await bench.dump()
      try await bench.bash(
        "SHOEBOX_CATALOG=fresh.sqlite '\(bench.program)' scan library --quiet >/dev/null")
      #expect(try await dump == bench.dump(of: bench.folder + "/fresh.sqlite"))
      #expect(try await bench.scan().report.unchanged == 7)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a folder may move into a new one with its old name`() async throws {
      let bench = try Workbench()
      for number in 1...3 { try bench.addPicture("2024/\(number).gif", width: number) }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv 2024 away; mkdir 2024; mv away 2024/rome")
      let (status, report) = try await bench.scan([bench.library + "/2024/rome"])
      #expect(status == 0)
      #expect(report.moved == 3, "\(report)")
      _ = try await bench.scan()
      let after = try await bench.identifiers()
      #expect(after.count == 3)
      for number in 1...3 {
        #expect(after["2024/rome/\(number).gif"] == before["2024/\(number).gif"])
      }
    }

    @Test func `what a renamed folder no longer contains is missing`() async throws {
      let bench = try Workbench()
      for name in ["1.gif", "2.gif", "x/1.gif", "x/2.gif", "x/y/1.gif"] {
        try bench.addPicture("trip/" + name, width: name.utf8.reduce(0) { $0 + Int($1) } % 200 + 1)
      }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      try await bench.bash("cd library; mv trip rome; rm -r rome/x")
      let (_, report) = try await bench.scan()
      #expect(report.moved == 2 && report.missing == 3, "\(report)")
      #expect(try await Set(bench.identifiers().keys) == ["rome/1.gif", "rome/2.gif"])
    }

    @Test func `a file that is rewritten with the same size and time is read again`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("touch -d 2020-01-01 library/folder0/*.gif")
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash(
        """
        cd library/folder0
        printf '\\x40' | dd of=picture1.gif bs=1 seek=6 conv=notrunc status=none
        touch -d 2020-01-01 picture1.gif
        chmod 0600 picture2.gif
        """)
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.changed == 1, "a change of permissions is not a change of content")
      #expect(report.unchanged == 2)
      #expect(try await bench.identifiers() == before)
      let listed = try await bench.list(["--name", "picture1.gif"])
      #expect(listed.map(\.pixelWidth) == [0x40])
    }

    @Test func `a copy of the library that keeps times has not changed`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash(
        """
        cp -a library copy; mv library/folder0 away; cp -a copy/folder0 library/
        printf '\\x40' | dd of=library/folder0/picture1.gif bs=1 seek=6 conv=notrunc status=none
        touch -r copy/folder0/picture1.gif library/folder0/picture1.gif
        """)
      try await bench.letFilesAge()
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.changed == 1, "only the content proves a change")
      #expect(report.unchanged == 2)
      #expect(try await bench.identifiers() == before)
    }

    /// Without `-overwrite_original`, exiftool renames the original and writes another file under its name.
    @Test func `a file that exiftool has changed and restored keeps its id`() async throws {
      let bench = try Workbench()
      try await bench.bash("convert -size 8x8 xc:red library/a.jpg")
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()["a.jpg"]
      #expect(before != nil)
      try await bench.bash("exiftool -q -AllDates='2020:02:03 04:05:06' library/a.jpg")
      let (_, changed) = try await bench.scan()
      let identifiers = try await bench.identifiers()
      #expect(identifiers["a.jpg"] == before)
      #expect(identifiers["a.jpg_original"] != before)
      #expect(changed.changed == 1)
      #expect(changed.added == 1)
      #expect(
        try await bench.list(["--since", "2020-02-03", "--until", "2020-02-03"]).map(\.path) == [
          bench.library + "/a.jpg"
        ])
      try await bench.letFilesAge()
      _ = try await bench.scan()
      try await bench.bash("exiftool -q -restore_original library/a.jpg 2>&1; ls library")
      _ = try await bench.scan()
      #expect(try await bench.identifiers()["a.jpg"] == before)
      #expect(try await bench.list(["--since", "2020-02-03", "--until", "2020-02-03"]).isEmpty)
    }

    /// Its row in the catalog was there before those of later files, whose texts were searched already.
    @Test func `a text that becomes a picture is found by its name`() async throws {
      let bench = try Workbench()
      try await bench.bash("echo text >library/holiday.txt; convert -size 8x8 xc:red library/z.png")
      _ = try await bench.scan([bench.library])
      try await bench.bash("convert -size 8x8 xc:blue png:library/holiday.txt")
      _ = try await bench.scan()
      #expect(
        try await bench.list(["--search", "holiday"]).map(\.path) == [
          bench.library + "/holiday.txt"
        ])
    }

    @Test func `a version that finds more looks once at what an earlier one found`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      try Data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key>
        <string>com.apple.photo</string></dict></plist>
        """.utf8
      ).write(to: URL(filePath: bench.library + "/folder0/picture0.AAE"))
      _ = try await bench.scan([bench.library])
      let (before, dump) = (try await bench.identifiers(), try await bench.dump())
      // As the catalog of a version that found less in GIFs would be.
      _ = try await bench.query(
        """
        INSERT OR REPLACE INTO readers VALUES ('', 0);
        UPDATE files SET reader_version = 0; UPDATE folders SET digest = NULL;
        UPDATE assets SET pixel_width = NULL, subtypes = 0
        """)
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.changed == 4)
      #expect(try await bench.dump() == dump)
      #expect(try await bench.identifiers() == before)
      #expect(try await bench.scan().report.unchanged == 4)
    }

    @Test func `touched, truncated and replaced files are read again, and keep their ids`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(10)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()

      try await bench.bash(
        """
        cd library/folder0
        touch -d '2001-02-03 04:05:06.789' picture0.gif
        truncate -s 3 picture1.gif
        cp picture9.gif new && mv new picture2.gif
        """)
      let (status, report) = try await bench.scan()
      #expect(status == 1)
      #expect(report.addsUp)
      #expect(report.unchanged == 7)
      #expect(report.unreadable == 1)
      #expect(report.failures.map(\.path) == ["\(bench.library)/folder0/picture1.gif"])

      let after = try await bench.list()
      #expect(try await bench.identifiers() == before)
      let replaced = try #require(after.first { $0.path.hasSuffix("/picture2.gif") })
      #expect(replaced.pixelWidth == 10)
      let cut = try #require(after.first { $0.path.hasSuffix("/picture1.gif") })
      #expect(cut.status == "unreadable")
      #expect(cut.error?.isEmpty == false)
    }

    @Test func `a change of the modification time by one nanosecond is a change`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif", width: 3)
      try await bench.bash("touch -d '2020-01-01 00:00:00.000000001' library/a.gif")
      _ = try await bench.scan([bench.library])
      // The same size and inode, other content.
      try await bench.bash(
        """
        printf '\\x05' | dd of=library/a.gif bs=1 seek=6 conv=notrunc status=none
        touch -d '2020-01-01 00:00:00.000000002' library/a.gif
        """)
      let (_, report) = try await bench.scan()
      #expect(report.changed == 1)
      #expect(try await bench.list().first?.pixelWidth == 5)
    }

    @Test func `a renamed folder keeps its assets`() async throws {
      let bench = try Workbench()
      try bench.addPictures(60, perFolder: 20)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()

      try await bench.bash("mkdir library/2024; mv library/folder1 library/2024/trip")
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.moved == 20)
      #expect(report.missing == 0)
      #expect(report.unchanged == 40)
      #expect(report.added == 0)

      let after = try await bench.identifiers()
      #expect(after.count == 60)
      for index in 20..<40 {
        #expect(
          after["2024/trip/picture\(index).gif"] == before["folder1/picture\(index).gif"])
      }
    }

    @Test func `a file moved to another disk is known by its content`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      // A copy has another inode, and here another time too.
      try await bench.bash(
        "cd library; mkdir b; cp folder0/picture2.gif b/renamed.gif; rm folder0/picture2.gif")
      let (_, report) = try await bench.scan()
      #expect(report.moved == 1)
      #expect(report.added == 0)
      #expect(report.missing == 0)
      #expect(try await bench.identifiers()["b/renamed.gif"] == before["folder0/picture2.gif"])
    }

    @Test func `a copy is a new asset and leaves the old one alone`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("cp -p library/folder0/picture2.gif library/copy.gif")
      let (_, report) = try await bench.scan()
      #expect(report.added == 1)
      #expect(report.moved == 0)
      let after = try await bench.identifiers()
      #expect(after.count == 5)
      #expect(after["folder0/picture2.gif"] == before["folder0/picture2.gif"])
      #expect(after["copy.gif"] != before["folder0/picture2.gif"])
    }

    @Test func `a file that is gone is missing, and itself again when it comes back`() async throws
    {
      let bench = try Workbench()
      try bench.addPictures(5)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()

      try await bench.bash("mv library/folder0/picture3.gif away.gif")
      let gone = try await bench.scan()
      #expect(gone.status == 0)
      #expect(gone.report.missing == 1)
      #expect(gone.report.scanned == 4)
      #expect(try await bench.list().count == 4)
      let missing = try await bench.list(["--missing"])
      #expect(missing.map(\.id) == [before["folder0/picture3.gif"]])
      #expect(missing.first?.status == "missing")

      let still = try await bench.scan()
      #expect(still.report.missing == 0, "it is counted once, when it goes")

      try await bench.bash("mv away.gif library/folder0/picture3.gif")
      let back = try await bench.scan()
      #expect(back.report.addsUp)
      #expect(back.report.scanned == 5)
      #expect(try await bench.identifiers() == before)
      #expect(try await bench.list(["--missing"]).isEmpty)
    }

    @Test func `two files that swap their names swap their assets' paths`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif", width: 11)
      try bench.addPicture("b.gif", width: 22)
      _ = try await bench.scan([bench.library])
      try await bench.bash("cd library; mv a.gif c; mv b.gif a.gif; mv c b.gif")
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.addsUp)
      #expect(report.missing == 0)
      let widths = Dictionary(
        uniqueKeysWithValues: try await bench.list().map { ($0.path.suffix(5), $0.pixelWidth) })
      #expect(widths == ["a.gif": 22, "b.gif": 11])
    }
  }
}
