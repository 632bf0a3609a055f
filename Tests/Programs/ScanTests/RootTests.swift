import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Disks come and go; a catalog must not forget what is on one that is away.
  @Suite struct Roots {
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a library folder under a second path is refused`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "sub/b.gif"] { try bench.addPicture(name) }
      let catalog = try await bench.bash(
        """
        cat >script <<'END'
        mkdir again around around/in
        mount --bind library again
        mount --bind library around/in
        '\(bench.program)' scan library --quiet
        for folder in again again/sub; do
          status=0
          '\(bench.program)' scan $folder 2>&1 || status=$?
          echo "status $status"
        done
        '\(bench.program)' scan around
        '\(bench.program)' list --format paths
        '\(bench.program)' list --type duplicates --format paths
        END
        export SHOEBOX_CATALOG=catalog.sqlite
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        $enter bash -u script
        """)
      let lines = catalog.split(separator: "\n")
      #expect(lines.count { $0 == "status 65" } == 2)
      #expect(lines.count { $0.contains("is in the library folder \(bench.library) by") } == 2)
      #expect(
        lines.filter { $0.hasPrefix("/") && $0.hasSuffix(".gif") }.sorted()
          == ["\(bench.library)/a.gif", "\(bench.library)/sub/b.gif"])
    }

    @Test func `a root that was renamed away is unavailable and loses nothing`() async throws {
      let bench = try Workbench()
      try bench.addPictures(12)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()

      try await bench.bash("mv library elsewhere")
      let away = try await bench.scan()
      #expect(away.status == 69)
      #expect(away.report.missing == 0)
      #expect(away.report.roots.map(\.available) == [false])
      #expect(try await bench.identifiers() == before)
      #expect(try await bench.list(["--missing"]).isEmpty)

      try await bench.bash("mv elsewhere library")
      let back = try await bench.scan()
      #expect(back.status == 0)
      #expect(back.report.unchanged == 12)
      #expect(try await bench.identifiers() == before)
    }

    @Test func `an empty folder in the place of a full one is a disk that is not mounted`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(40)
      _ = try await bench.scan([bench.library])
      try await bench.bash("mv library elsewhere; mkdir library")
      let (status, report) = try await bench.scan()
      #expect(status == 69)
      #expect(report.missing == 0)
      #expect(report.roots.map(\.available) == [false])
      #expect(try await bench.list().count == 40)
    }

    @Test func `a folder above a root is scanned with the root`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      let above = try await bench.scan([bench.folder])
      #expect(above.report.unchanged == 3)
      #expect(above.report.roots.count == 2)
      let after = try await bench.identifiers()
      #expect(Set(after.values).isSuperset(of: before.values))
    }

    @Test func `one root away does not keep the others from being scanned`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("mv library first; mkdir library")
      try bench.addPictures(5)
      let first = try await bench.scan([bench.folder + "/first", bench.library])
      #expect(first.status == 0)
      #expect(first.report.added == 8)
      try await bench.bash("mv first elsewhere")
      try bench.addPicture("new.gif")
      let (status, report) = try await bench.scan()
      #expect(status == 69)
      #expect(report.added == 1)
      #expect(report.unchanged == 5)
      #expect(report.missing == 0)
      #expect(try await bench.list().count == 9)
    }

    @Test func `the name of a root may begin with that of another`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try await bench.bash("mkdir library-old; cp library/a.gif library-old/b.gif")
      let (status, report) = try await bench.scan([bench.library, bench.library + "-old"])
      #expect(status == 0)
      #expect(report.added == 2)
      #expect(report.unreadable == 0)
      // Their content is compared, too.
      #expect(try await bench.list(["--type", "duplicates"]).count == 2)
    }

    @Test func `a root is added once, however it is named`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2)
      try await bench.bash("ln -s library link")
      _ = try await bench.scan([bench.library])
      _ = try await bench.scan(["library/"])
      let (_, report) = try await bench.scan(["link"])
      #expect(report.unchanged == 2)
      #expect(try await bench.query("SELECT path FROM roots") == [bench.library])
    }

    @Test func `links are not followed out of a root, and loops end`() async throws {
      let bench = try Workbench()
      try bench.addPicture("in/a.gif")
      try await bench.bash(
        """
        mkdir outside; cp library/in/a.gif outside/b.gif
        ln -s ../../outside library/in/out
        ln -s .. library/in/loop
        """)
      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 0)
      #expect(report.added == 1)
    }

    @Test func `hidden things, ignored things and a NAS's own folders are skipped`() async throws {
      let bench = try Workbench()
      for path in [
        "seen.gif", ".hidden.gif", ".folder/a.gif", "@eaDir/a.gif", ".Trash-1000/files/a.gif",
        "#recycle/a.gif", "._seen.gif", "raw/skip.gif", "raw/keep.gif", "deep/cache/a.gif",
      ] {
        try bench.addPicture(path)
      }
      try await bench.bash(
        """
        printf '*.gif\\n!keep.gif\\n' >library/raw/.shoeboxignore
        printf '# a comment\\ncache/\\n' >library/.shoeboxignore
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.identifiers().keys.sorted() == ["raw/keep.gif", "seen.gif"])
    }

    @Test func `a folder inside a root is scanned alone and becomes no root`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a/one.gif")
      try bench.addPicture("b/two.gif")
      _ = try await bench.scan([bench.library])
      try bench.addPicture("a/three.gif")
      try bench.addPicture("b/four.gif")
      let (status, report) = try await bench.scan([bench.library + "/a"])
      #expect(status == 0)
      #expect(report.scanned == 2)
      #expect(report.added == 1)
      #expect(report.missing == 0)
      #expect(try await bench.query("SELECT count(*) FROM roots") == ["1"])
      #expect(try await bench.list().count == 3)
    }

    @Test(arguments: [".hidden/sub", "left/out/sub", "@eaDir"])
    func `a folder that is asked for and left out is named`(folder: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("\(folder)/one.gif")
      try bench.addPicture("two.gif")
      try await bench.bash("echo out/ >library/.shoeboxignore")
      #expect(try await bench.scan([bench.library]).status == 0)
      let (status, report) = try await bench.scan([bench.library + "/" + folder])
      #expect(status == 1)
      #expect(report.scanned == 0 && report.missing == 0)
      let barred = folder.replacing("/sub", with: "")
      #expect(report.failures.map(\.path) == [bench.library + "/" + barred])
      #expect(report.failures.allSatisfy { $0.error.contains("It is ignored") })
    }

    @Test func `a root that was moved keeps its assets`() async throws {
      let bench = try Workbench()
      try bench.addPictures(6)
      _ = try await bench.scan([bench.library])
      let before = Set(try await bench.list().map(\.id))
      try await bench.bash("mkdir disk; mv library disk/Pictures")
      try await bench.bash("echo 'roots: [\(bench.library)]' >config.yaml")
      let moved = try await bench.shoebox([
        "roots", "move", bench.library, "disk/Pictures", "--config", bench.folder + "/config.yaml",
      ])
      #expect(moved.status == 0)
      #expect(moved.errors.contains("still names \(bench.library): write the new path there"))
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.unchanged == 6)
      let after = try await bench.list()
      #expect(Set(after.map(\.id)) == before)
      #expect(after.allSatisfy { $0.path.hasPrefix("\(bench.folder)/disk/Pictures/") })
    }

    @Test func `a root that is renamed to Screenshots has its pictures classified again`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPicture("my screenshot.gif")
      try bench.addPicture("sub/my screenshot.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.list(["--type", "screenshots"]).isEmpty)
      let before = Set(try await bench.list().map(\.id))

      for (old, new, count) in [("library", "Screenshots", 1), ("Screenshots", "other", 0)] {
        try await bench.bash("mv \(old) \(new)")
        let moved = try await bench.shoebox(["roots", "move", bench.folder + "/" + old, new])
        #expect(moved.status == 0, "\(moved.errors)")
        let (status, report) = try await bench.scan()
        #expect(status == 0)
        #expect(report.addsUp && report.scanned == 2)
        #expect(try await bench.list(["--type", "screenshots"]).count == count)
        #expect(try await bench.scan().report.unchanged == 2)
      }
      #expect(Set(try await bench.list().map(\.id)) == before)
    }

    @Test func `the files of a root are those that cannot be read, too`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("printf x >library/bad.jpg; printf x >library/note.txt")
      let (_, report) = try await bench.scan([bench.library])
      #expect(report.scanned == 4)
      let roots = try await bench.shoebox(["roots", "--format", "csv"])
      #expect(roots.output.contains("\(bench.library),true,4,"))
    }

    @Test func `files that moved are counted in their new folder only`() async throws {
      let bench = try Workbench()
      for name in ["old/1", "old/2", "other"] { try bench.addPicture("\(name).gif", words: name) }
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      try await bench.bash("mkdir library/new; mv library/old/* library/new; rmdir library/old")
      _ = try await bench.scan()
      let roots = try await bench.shoebox(["roots", "--format", "csv"])
      #expect(roots.output.contains("\(bench.library),true,3,"), "\(roots.output)")
    }

    @Test func `a root that is forgotten leaves its files alone`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.shoebox(["roots", "forget", bench.library]).status == 0)
      #expect(try await bench.list().isEmpty)
      #expect(try await bench.query("SELECT count(*) FROM files") == ["0"])
      #expect(try await bench.bash("find library -type f | wc -l") == "3\n")
    }
  }
}
