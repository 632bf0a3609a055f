import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Disks that fail, are pulled out or swapped: what cannot be seen is not gone, and what is gone is.
  @Suite struct Disks {
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a catalog on a disk that is mounted read-only is read, and not to be written`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(2)
      let said = try await bench.bash(
        """
        mkdir disk
        \(Workbench.inNamespace)
          mount -t tmpfs none disk
          '\(bench.program)' scan library --catalog disk/c.sqlite >/dev/null 2>&1
          mount -o remount,ro disk
          '\(bench.program)' list --catalog disk/c.sqlite --count
          '\(bench.program)' scan --catalog disk/c.sqlite 2>&1 || echo $?
        END
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.first == "2" && lines.last == "74", "\(said)")
      #expect(said.contains("cannot write to the catalog disk/c.sqlite"), "\(said)")
    }

    /// What to delete is then in the catalog.
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a catalog on a full disk is read, and a scan says that the disk is full`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2)
      let said = try await bench.bash(
        """
        mkdir disk
        \(Workbench.inNamespace)
          mount -t tmpfs -o size=8m none disk
          '\(bench.program)' scan library --catalog disk/c.sqlite >/dev/null 2>&1
          rm -f disk/c.sqlite?*
          cat /dev/zero >disk/fill 2>/dev/null || true
          '\(bench.program)' list --catalog disk/c.sqlite --count
          '\(bench.program)' scan --catalog disk/c.sqlite 2>&1 || echo $?
        END
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.first == "2" && lines.last == "74", "\(said)")
      #expect(said.contains("the disk that holds the catalog disk/c.sqlite is full"), "\(said)")
    }

    @Test(
      .enabled("a program can be kept from what its user's rights do not open") {
        await Workbench.canBeOrdinary
      })
    func `files that cannot be looked at are not gone`() async throws {
      let bench = try Workbench()
      for name in ["a", "b", "c"] { try bench.addPicture("sub/\(name).gif") }
      try bench.addPictures(2)
      let scans = try await bench.script(
        """
        scan library
        chmod 0444 library/sub
        ordinarily scan
        ordinarily scan
        rm library/sub/b.gif
        chmod 0755 library/sub
        scan
        """)
      for scan in scans[1...2] {
        #expect(scan.status == 1)
        #expect(scan.report.missing == 0)
        #expect(scan.report.unchanged == 2)
        #expect(scan.report.failures.map(\.path) == [bench.library + "/sub"])
        #expect(scan.report.failures.allSatisfy { $0.error.contains("permission denied") })
      }
      // What really went meanwhile is found gone by the first look that succeeds.
      #expect(scans[3].status == 0)
      #expect(scans[3].report.missing == 1)
      #expect(scans[3].report.unchanged == 4)
    }

    @Test(
      .enabled("file systems can be mounted in a namespace") { await Workbench.canMount },
      arguments: ["umount disk", "umount disk; rmdir disk"])
    func `a root whose disk disappears while another is scanned loses nothing`(
      goes: String
    ) async throws {
      let (bench, _) = try Workbench.withFaultyCodec(fileTimeout: 60)
      for index in 0..<5 { try bench.addPicture("../stock/\(index).gif") }
      try bench.addPicture("../more/-WAIT.gif")
      // The file that waits is read first. Then there are more than the walk finds before they are read: it has not come to
      // the disk when that disappears.
      for index in 0..<3000 { try bench.addPicture("../more/many/\(index).gif") }
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir disk
        mount -t tmpfs none disk
        cp -r stock/. disk
        scan library disk
        cp -r more/. library
        scan --jobs 1 library disk & scanning=$!
        until grep -qs WAIT "$FAULTY_CODEC_LOG"; do sleep 0.05; done
        \(goes)
        touch "$FAULTY_CODEC_LOG-go"
        wait $scanning
        scan
        """)
      for scan in scans.dropFirst() {
        #expect(scan.status == 69)
        #expect(scan.report.missing == 0)
        #expect(
          Set(scan.report.roots.filter { !$0.available }.map(\.path)) == [bench.folder + "/disk"])
      }
      #expect(scans[1].report.added == 3001)
      #expect(try await bench.list().count == 3006)
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a disk that is pulled out while it is scanned loses nothing`() async throws {
      let (bench, _) = try Workbench.withFaultyCodec(fileTimeout: 60)
      for index in 0..<5 { try bench.addPicture("../stock/z/\(index).gif") }
      try bench.addPicture("../more/a/-WAIT.gif")
      for index in 0..<300 { try bench.addPicture("../more/a/\(index).gif") }
      // Under the mount point is a file that was written while the disk was absent.
      try bench.addPicture("z/other.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mount -t tmpfs none library
        cp -r stock/. library
        scan library
        cp -r more/. library
        scan --jobs 1 & scanning=$!
        until grep -qs WAIT "$FAULTY_CODEC_LOG"; do sleep 0.05; done
        umount --lazy library
        touch "$FAULTY_CODEC_LOG-go"
        wait $scanning
        """)
      #expect(scans[1].status == 69)
      #expect(scans[1].report.missing == 0)
      #expect(scans[1].report.roots.map(\.available) == [false])
      #expect(try await bench.list(["--name", "other.gif"]).isEmpty)
    }

    /// What is on a disk that is mounted in a library, which also has a folder without one.
    private func scansOfAMountedDisk(_ lines: String) async throws -> (
      bench: Workbench, scans: [(status: Int, report: ScanReport)]
    ) {
      let bench = try Workbench()
      for index in 0..<3 { try bench.addPicture("../stock/trip/\(index).gif") }
      for index in 3..<5 { try bench.addPicture("../stock/home/\(index).gif") }
      try bench.addPicture("here.gif")
      try bench.addPicture("media/near.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir library/media/disk
        mount -t tmpfs none library/media/disk
        cp -r stock/. library/media/disk
        scan library
        \(lines)
        """)
      #expect(scans[0].report.added == 7)
      return (bench, scans)
    }

    @Test(
      .enabled("file systems can be mounted in a namespace") { await Workbench.canMount },
      arguments: ["rmdir library/media/disk", "rm -r library/media", "true"])
    func `a disk inside a root may go with the folder it was mounted at`(
      removed: String
    ) async throws {
      let (bench, scans) = try await scansOfAMountedDisk(
        """
        umount library/media/disk
        \(removed)
        scan
        scan
        mkdir -p library/media/disk
        mount -t tmpfs none library/media/disk
        cp -rp stock/. library/media/disk
        scan
        """)
      let isNearGone = removed.hasSuffix("media")
      for (scan, missing) in zip(scans[1...2], [isNearGone ? 1 : 0, 0]) {
        #expect(scan.status == 1)
        #expect(scan.report.missing == missing)
        #expect(scan.report.failures.map(\.path) == [bench.library + "/media/disk"])
      }
      #expect(scans[3].status == 0)
      #expect(scans[3].report.added == 0)
      #expect(try await bench.list().count == (isNearGone ? 6 : 7))
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a disk that will not come back is given up by a rule that leaves it out`() async throws {
      let (bench, scans) = try await scansOfAMountedDisk(
        """
        umount library/media/disk
        rmdir library/media/disk
        scan
        echo /media/disk >library/.shoeboxignore
        scan
        """)
      #expect(scans[1].status == 1)
      #expect(scans[2].status == 0)
      #expect(scans[2].report.missing == 5)
      #expect(try await bench.list().count == 2)
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func
      `a stray file at the mount point of a disk inside a root does not make its assets missing`()
      async throws
    {
      let (bench, scans) = try await scansOfAMountedDisk(
        """
        umount library/media/disk
        mkdir library/media/disk/trip
        cp library/here.gif library/media/disk/trip/new.gif
        scan
        cp -r stock/. library/media/disk
        rm library/media/disk/trip/1.gif
        scan
        rm -r library/media/disk/*
        scan
        """)
      #expect(scans[1].status == 1)
      #expect(scans[1].report.missing == 0)
      #expect(scans[1].report.failures.map(\.path) == [bench.library + "/media/disk"])
      // What was on the disk has been copied here for good.
      #expect(scans[2].status == 0)
      #expect(scans[2].report.missing == 1)
      // A folder like others now, and emptied.
      #expect(scans[3].status == 0)
      #expect(scans[3].report.missing == 5)
    }

    @Test(
      .enabled("file systems can be mounted in a namespace") { await Workbench.canMount },
      arguments: ["touch library/stray.txt", "mkdir library/a; cp stock/a/1.gif library/a"])
    func `a stray file at the mount point of a root's disk does not make its assets missing`(
      stray: String
    ) async throws {
      let bench = try Workbench()
      for name in ["a/1", "a/2", "b/1"] { try bench.addPicture("../stock/\(name).gif") }
      let scans = try await bench.script(
        mounting: true,
        """
        mount -t tmpfs none library
        cp -rp stock/. library
        scan library
        umount library
        \(stray)
        scan
        scan
        mount -t tmpfs none library
        cp -rp stock/. library
        rm library/a/2.gif
        scan
        """)
      for scan in scans[1...2] {
        #expect(scan.status == 69)
        #expect(scan.report.missing == 0)
        #expect(scan.report.roots.map(\.available) == [false])
      }
      // Another file system, as a NAS is at each mount, with the same files but for one.
      #expect(scans[3].status == 0)
      #expect(scans[3].report.missing == 1)
      #expect(scans[3].report.added == 0)
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a folder mounted in two places is a disk of its own`() async throws {
      let bench = try Workbench()
      for index in 0..<3 { try bench.addPicture("../stock/\(index).gif") }
      try bench.addPicture("here.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir library/bound
        mount --bind stock library/bound
        scan library
        umount library/bound
        scan
        """)
      #expect(scans[1].status == 1)
      #expect(scans[1].report.missing == 0)
      #expect(scans[1].report.failures.map(\.path) == [bench.library + "/bound"])
    }
  }
}
