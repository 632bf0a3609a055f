import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Disks that fail, are pulled out or swapped: what cannot be seen is not gone, and what is gone is.
  @Suite struct Disks {
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
  }
}
