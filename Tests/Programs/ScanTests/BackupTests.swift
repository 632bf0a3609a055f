import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `shoebox backup`.
  @Suite struct Backups {
    private func library() async throws -> Workbench {
      let bench = try Workbench()
      try bench.addPictures(60)
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// SQLite's own opinion of a backup.
    private func check(_ file: String, of bench: Workbench) async throws {
      #expect(
        try await bench.query(
          "PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA journal_mode", of: file)
          == ["ok", "delete"])
    }

    @Test func `a backup is a catalog with all that the other one has`() async throws {
      let bench = try await library()
      let before = try await bench.identifiers()
      let file = bench.folder + "/backup.sqlite"
      let outcome = try await bench.shoebox(["backup", file, "--format", "json"])
      #expect(outcome.status == 0)
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      #expect(outcome.output == "{\"path\":\"\(file)\",\"bytes\":\(size ?? 0)}\n")
      try await check(file, of: bench)
      #expect(try await bench.dump(of: file) == bench.dump())
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "it contains the places of pictures")

      // A scan of it goes on where the other one was.
      try await bench.bash("cp backup.sqlite used.sqlite")
      try bench.addPicture("new.gif", width: 2000)
      let (_, report) = try await bench.scan(environment: ["SHOEBOX_CATALOG": "used.sqlite"])
      #expect(report.added == 1)
      let listed = try await bench.shoebox(
        ["list", "--format", "jsonl"], environment: ["SHOEBOX_CATALOG": "used.sqlite"])
      #expect(before.values.allSatisfy { listed.output.contains($0) })
    }

    @Test func `backups during a scan are states of the catalog`() async throws {
      let bench = try Workbench()
      try bench.addPictures(600)
      try bench.addPicture("first.gif", width: 3000)
      _ = try await bench.scan([bench.library + "/folder0"])
      async let scanning = bench.scan([bench.library])
      var counts: [Int] = []
      for _ in 0..<5 {
        let outcome = try await bench.shoebox(["backup", bench.folder + "/backup.sqlite"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await check(bench.folder + "/backup.sqlite", of: bench)
        let count = try await bench.query(
          "SELECT count(*) FROM assets", of: bench.folder + "/backup.sqlite")
        counts.append(Int(count.first ?? "") ?? 0)
      }
      #expect(counts == counts.sorted())
      #expect(try await scanning.report.added == 576)
    }

    @Test func `only an earlier backup is replaced`() async throws {
      let bench = try await library()
      let file = bench.folder + "/backup.sqlite"
      for _ in 0..<2 { try #expect(await bench.shoebox(["backup", file]).status == 0) }
      try await bench.bash("echo important >note; mkdir folder; ln -s catalog.sqlite link")
      // A copy that a scan has used is a catalog, and no backup.
      try await bench.bash("cp backup.sqlite live.sqlite")
      _ = try await bench.scan(environment: ["SHOEBOX_CATALOG": "live.sqlite"])
      for (name, status) in [
        ("note", 64), ("folder", 64), ("catalog.sqlite", 64), ("link", 64), ("live.sqlite", 64),
        ("nowhere/backup.sqlite", 74), ("note/backup.sqlite", 74),
      ] {
        let outcome = try await bench.shoebox(["backup", bench.folder + "/" + name])
        #expect(outcome.status == status, "\(name)")
        // A message names the file that a link leads to.
        let named = name == "link" ? "catalog.sqlite" : name
        #expect(outcome.errors.contains(named), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
      }
      #expect(try await bench.bash("cat note") == "important\n")
      #expect(try await bench.bash("find . -name '.shoebox-*'") == "")
    }

    @Test func `what a killed backup leaves is removed`() async throws {
      let bench = try await library()
      try await bench.bash(
        """
        echo part >.shoebox-0123456789abcdef.partial
        SHOEBOX_CATALOG=catalog.sqlite '\(bench.program)' backup backup.sqlite --quiet
        """)
      try await check(bench.folder + "/backup.sqlite", of: bench)
      #expect(try await bench.bash("find . -name '.shoebox-*'") == "")
    }

    /// SQLite's names are texts: another file would be made, or none.
    @Test func `a catalog's name must be UTF-8`() async throws {
      let bench = try await library()
      let program = bench.program
      let said = try await bench.bash(
        """
        mkdir place && cd place
        for arguments in "backup" "list --catalog" "scan ../library --catalog" \\
          "catalog merge ../catalog.sqlite --into" "catalog merge --into m.sqlite"; do
          SHOEBOX_CATALOG=../catalog.sqlite '\(program)' $arguments $'\\xff.sqlite' 2>>said || echo $?
        done
        SHOEBOX_CATALOG=$'\\xff.sqlite' '\(program)' scan ../library 2>>said || echo $?
        grep -c 'not valid UTF-8; choose another one' said
        ls -A
        """)
      #expect(said.split(separator: "\n") == ["74", "74", "74", "74", "74", "74", "6", "said"])
    }

    @Test func `a user who may only read the catalog can back it up and try a scan`() async throws {
      let bench = try await library()
      // Nothing is read-only to root, except what is mounted so.
      let said = try await bench.bash(
        """
        mkdir place && cp catalog.sqlite place
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG=place/catalog.sqlite $enter bash -eu -c '
          mount --bind place place && mount -o remount,bind,ro place
          "$0" backup backup.sqlite --quiet && echo copied
          "$0" scan --dry-run --format json' '\(bench.program)'
        ls -A place
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.first == "copied" && lines.last == "catalog.sqlite", "\(said)")
      // Files as young as these are read again.
      #expect(said.contains(#""scanned":60,"added":0,"#), "\(said)")
      try await check(bench.folder + "/backup.sqlite", of: bench)
      #expect(
        try await bench.dump(of: bench.folder + "/backup.sqlite")
          == bench.dump(of: bench.folder + "/place/catalog.sqlite"))
    }

    @Test func `without a catalog there is nothing to copy`() async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(["backup", bench.folder + "/backup.sqlite"])
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("shoebox scan"))
      #expect(!FileManager.default.fileExists(atPath: bench.catalog))
    }

    @Test func `a full disk leaves an earlier backup as it was`() async throws {
      let bench = try Workbench()
      try bench.addPictures(300)
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        mkdir disk
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG='\(bench.catalog)' $enter bash -eu -c '
          mount -t tmpfs -o size=96k none disk
          head -c 32k /dev/zero >disk/other
          "$0" backup disk/backup.sqlite 2>errors || echo $?
          ls -A disk; cat errors' '\(bench.program)'
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.prefix(2) == ["74", "other"])
      #expect(lines.last?.contains("the disk is full") == true, "\(said)")
    }
  }
}
