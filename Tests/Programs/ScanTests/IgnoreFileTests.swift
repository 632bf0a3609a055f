import Foundation
import Testing
import Workbench

extension ScanTests {
  /// What a `.shoeboxignore` leaves out is not indexed, even while its rules cannot be read.
  @Suite struct IgnoreFiles {
    @Test(
      .enabled("a program can be kept from what its user's rights do not open") {
        await Workbench.canBeOrdinary
      })
    func `a folder with unreadable rules stays as it is in the catalog`() async throws {
      let bench = try Workbench()
      for name in ["private/a", "b", "sub/c"] { try bench.addPicture(name + ".gif") }
      let scans = try await bench.script(
        """
        echo private/ >library/.shoeboxignore
        scan library
        chmod 0 library/.shoeboxignore
        rm library/b.gif
        cp library/sub/c.gif library/sub/new.gif
        ordinarily scan
        chmod 0644 library/.shoeboxignore
        scan
        """)
      #expect(scans.map(\.status) == [0, 1, 0])
      #expect(scans.map(\.report.added) == [2, 0, 1])
      #expect(scans.map(\.report.missing) == [0, 0, 1])
      #expect(scans[1].report.failures.map(\.path) == [bench.library + "/.shoeboxignore"])
      #expect(scans[1].report.failures[0].error.contains("permission denied"))
    }

    /// - Parameter size: MiB of comments that precede the rule.
    @Test(arguments: [(2, 0), (17, 1)])
    func `a long file counts to its end or not at all`(size: Int, status: Int) async throws {
      let bench = try Workbench()
      for name in ["private/a", "b"] { try bench.addPicture(name + ".gif") }
      let comment = Data(repeating: UInt8(ascii: "#"), count: size << 20)
      try (comment + Data("\nprivate/\n".utf8))
        .write(to: URL(filePath: bench.library + "/.shoeboxignore"))
      let scan = try await bench.scan([bench.library])
      #expect(scan.status == status)
      #expect(scan.report.added == 1 - status)
      #expect(scan.report.failures.map(\.path).allSatisfy { $0.hasSuffix("/.shoeboxignore") })
    }

    @Test func `a file that is a link counts, and leads to a file`() async throws {
      let bench = try Workbench()
      for name in ["private/a", "b"] { try bench.addPicture(name + ".gif") }
      try await bench.bash("ln -s ../rules library/.shoeboxignore")
      let dangling = try await bench.scan([bench.library])
      #expect(dangling.status == 1)
      #expect(dangling.report.added == 0)
      try await bench.bash("echo private/ >rules")
      let scan = try await bench.scan()
      #expect(scan.status == 0)
      #expect(scan.report.added == 1)
    }
  }
}
