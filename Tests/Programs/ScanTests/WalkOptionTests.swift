import Testing
import Workbench

extension ScanTests {
  /// `--one-file-system`, `--exclude` and `--follow-links`, each for one scan.
  @Suite struct WalkOptions {
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `one file system: the catalog keeps the files of other disks`() async throws {
      let bench = try Workbench()
      for name in ["a", "b"] { try bench.addPicture("../stock/\(name).gif") }
      try bench.addPicture("here.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir -p library/media/disk library/media/bound
        mount -t tmpfs none library/media/disk
        cp stock/*.gif library/media/disk
        scan library --one-file-system
        scan
        rm library/media/disk/a.gif
        scan --one-file-system
        umount library/media/disk
        scan --one-file-system
        scan
        # A folder that the user names is scanned, whatever is mounted at it.
        mount -t tmpfs none library/media/disk
        cp stock/b.gif library/media/disk
        scan library/media/disk --one-file-system
        """)
      #expect(scans.map(\.report.added) == [1, 2, 0, 0, 0, 0])
      #expect(scans.map(\.report.missing) == [0, 0, 0, 0, 0, 1])
      #expect(scans.map(\.status) == [0, 0, 0, 0, 1, 0])
    }

    @Test func `exclude: assets become missing, and return with the next scan`() async throws {
      let bench = try Workbench()
      for name in ["a", "raw/b", "raw/c", "sub/raw/d", "sub/e", "sub/keep"] {
        try bench.addPicture(name + ".gif")
      }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      for missing in [3, 0] {
        let scan = try await bench.scan([
          "--exclude", "/raw/", "--exclude", "sub/*.gif", "--exclude", "!keep.gif",
        ])
        #expect(scan.status == 0)
        #expect(scan.report.missing == missing)
        #expect(scan.report.unchanged == 3)
        #expect(
          Set(try await bench.identifiers().keys) == ["a.gif", "sub/raw/d.gif", "sub/keep.gif"])
      }
      let scan = try await bench.scan()
      #expect(scan.report.added == 0)
      #expect(scan.report.changed == 3)
      #expect(try await bench.identifiers() == before)
      #expect(try await bench.scan().report.unchanged == 6)
    }

    @Test func `exclude: overrides an ignore file and is relative to the library folder`()
      async throws
    {
      let bench = try Workbench()
      for name in ["in/a", "in/b", "b"] { try bench.addPicture(name + ".gif") }
      try await bench.bash("echo '*.gif' >library/in/.shoeboxignore")
      let scan = try await bench.scan([bench.library, "--exclude", "!/in/a.gif"])
      #expect(scan.report.added == 2)
      let part = try await bench.scan([bench.library + "/in", "--exclude=/in"])
      #expect(part.status == 1)
      #expect(part.report.failures.allSatisfy { $0.error.contains("--exclude") })
      #expect(part.report.missing == 0)
      for pattern in ["", "# comment", "/"] {
        #expect(try await bench.shoebox(["scan", "--exclude", pattern]).status == 64)
      }
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `exclude: gives up a disk in an excluded folder that is gone`() async throws {
      let bench = try Workbench()
      try bench.addPicture("../stock/a.gif")
      try bench.addPicture("here.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir -p library/media/disk
        mount -t tmpfs none library/media/disk
        cp stock/a.gif library/media/disk
        scan library
        scan --exclude /media
        """)
      #expect(scans.map(\.status) == [0, 0])
      #expect(scans.map(\.report.missing) == [0, 1])
    }

    @Test func `follow links: a link to a file is a file`() async throws {
      let bench = try Workbench()
      for name in ["1", "2", "3"] { try bench.addPicture("../objects/\(name).gif") }
      try bench.addPicture("../objects/folder/x.gif")
      try await bench.letFilesAge()
      let scans = try await bench.script(
        """
        ln -s ../objects/1.gif library/a.gif
        ln -s ../objects/2.gif library/b.gif
        ln -s ../objects/folder library/folder
        ln -s . library/loop
        ln -s nowhere library/c.gif
        ln -s self library/self
        scan library
        scan --follow-links
        scan --follow-links
        # Another link to the same file is not the file's new path.
        ln -s ../objects/1.gif library/second.gif
        scan --follow-links
        ln -sf ../objects/3.gif library/b.gif
        rm library/second.gif
        scan --follow-links
        """)
      #expect(scans.map(\.status) == [0, 0, 0, 0, 0])
      #expect(scans.map(\.report.added) == [0, 2, 0, 1, 0])
      #expect(scans.map(\.report.unchanged) == [0, 0, 2, 2, 1])
      #expect(scans.map(\.report.moved) == [0, 0, 0, 0, 0])
      #expect(scans.map(\.report.missing) == [0, 0, 0, 0, 1])
      let before = try await bench.identifiers()
      #expect(Set(before.keys) == ["a.gif", "b.gif"])

      let switched = try await bench.script(
        """
        rm reports statuses
        scan
        scan --follow-links
        mv objects/1.gif objects/away.gif
        scan --follow-links
        mv objects/away.gif objects/1.gif
        scan --follow-links
        """)
      #expect(switched.map(\.report.missing) == [2, 0, 1, 0])
      #expect(switched.map(\.report.added) == [0, 0, 0, 0])
      #expect(try await bench.identifiers() == before)
      try await bench.shoebox(["export", "--to", bench.folder + "/out"])
      #expect(try await bench.bash("ls out; cmp out/a.gif objects/1.gif") == "a.gif\nb.gif\n")
      // The link is named, not what it leads to.
      let link = bench.library + "/a.gif"
      let shown = try await bench.shoebox(["show", link, "--no-tags", "--format", "jsonl"])
      #expect(shown.status == 0 && shown.output.contains(before["a.gif"] ?? "-"))
      try await bench.shoebox(["export", link, "--to", bench.folder + "/one"])
      #expect(try await bench.bash("ls one") == "a.gif\n")
    }

    @Test(
      .enabled("a program can be kept from what its user's rights do not open") {
        await Workbench.canBeOrdinary
      })
    func `follow links: a target that cannot be examined is not missing`() async throws {
      let bench = try Workbench()
      try bench.addPicture("../objects/1.gif")
      let scans = try await bench.script(
        """
        ln -s ../objects/1.gif library/a.gif
        scan library --follow-links
        chmod 0 objects
        ordinarily scan --follow-links
        chmod 0755 objects
        """)
      #expect(scans.map(\.status) == [0, 1])
      #expect(scans.map(\.report.missing) == [0, 0])
      #expect(scans[1].report.failures.map(\.path) == [bench.library + "/a.gif"])
    }
  }
}
