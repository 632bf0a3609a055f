import Testing
import Workbench

extension ScanTests {
  /// Disks that answer as network, FUSE and FAT file systems do.
  @Suite(
    .enabled("a disk with faults can be mounted in a namespace") {
      await Workbench.canMountOddDisks
    })
  struct OddDisks {
    @Test func `a name that is listed twice is one file`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "sub/b.gif"] { try bench.addPicture("../stock/\(name)") }
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --doubled-names
        scan library
        scan
        cp stock/a.gif stock/c.gif
        scan
        """)
      #expect(scans.map(\.status) == [0, 0, 0])
      #expect(scans.map(\.report.added) == [2, 0, 1])
      #expect(scans.map(\.report.scanned) == [2, 2, 3])
      #expect(try await bench.list().count == 3)
    }
  }
}
