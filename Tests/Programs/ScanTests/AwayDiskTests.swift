import Testing
import Workbench

extension ScanTests {
  /// Copies of what is on a disk that is away, or that has come back with other inodes, are copies.
  @Suite(
    .enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
  struct AwayDisks {
    @Test(arguments: ["true", "rmdir library/disk"])
    func `a copy of what is on a disk that is away takes no id from it`(
      removed: String
    ) async throws {
      let bench = try Workbench()
      for index in 0..<3 { try bench.addPicture("../stock/\(index).gif") }
      try bench.addPicture("here.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir library/disk
        mount -t tmpfs none library/disk
        cp -r stock/. library/disk
        scan library
        umount library/disk
        \(removed)
        cp stock/0.gif library/copy.gif
        mkdir library/moved
        mv library/here.gif library/moved/there.gif
        scan
        """)
      #expect(scans[1].report.added == 1)
      #expect(scans[1].report.missing == 0)
      // What has left a disk that is there is known by its new place.
      #expect(scans[1].report.moved == 1)
      #expect(try await bench.list().count == 5)
    }

    @Test func `a copy does not take an id from a disk whose inodes are new`() async throws {
      let bench = try Workbench()
      for index in 0..<3 { try bench.addPicture("../stock/\(index).gif") }
      try bench.addPicture("here.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        mkdir disk
        mount -t tmpfs none disk
        cp -rp stock/. disk
        scan library disk
        umount disk
        mount -t tmpfs none disk
        touch disk/.first
        cp -rp stock/. disk
        cp stock/0.gif library/copy.gif
        scan library
        scan
        """)
      #expect(scans[1].report.added == 1)
      #expect(scans[1].report.moved == 0)
      #expect(scans[2].status == 0)
      #expect(scans[2].report.unchanged == 5, "other inodes alone are no change")
      #expect(scans[2].report.changed == 0)
    }
  }
}
