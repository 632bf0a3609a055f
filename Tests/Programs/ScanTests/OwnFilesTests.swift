import Testing
import Workbench

extension ScanTests {
  /// What Shoebox itself writes, and what it says of its own scans.
  @Suite struct OwnFiles {
    @Test func `a catalog in a library and its thumbnails are not scanned`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2, perFolder: 1)
      try await bench.bash("mv library/folder*/*.gif library; rmdir library/folder*; sleep 0.3")
      let catalog = bench.library + "/c.sqlite"
      let environment = ["SHOEBOX_CATALOG": catalog]
      func digests() async throws -> [String] {
        try await bench.query("SELECT digest, ignored_count FROM folders", of: catalog)
      }
      #expect(try await bench.scan([bench.library], environment: environment).report.added == 2)
      let before = try await digests()
      let sheet = try await bench.shoebox(
        ["list", "--format", "sheet", "--to", "sheet.html"], environment: environment)
      #expect(sheet.status == 0)
      try await bench.bash("test -e '\(catalog).thumbnails'")
      #expect(try await bench.scan(environment: environment).report.unchanged == 2)
      #expect(try await digests() == before)
    }

    @Test func `the history of scans says which roots were away`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2)
      #expect(try await bench.scan([bench.library]).status == 0)
      try await bench.bash("mv library away")
      #expect(try await bench.scan().status == 69)
      try await bench.bash("mv away library")
      let table = try await bench.shoebox(["scans", "--verbose"])
      #expect(table.lines.count { $0.contains("unavailable") } == 1)
      #expect(table.output.contains("\(bench.library) was left as it was: the folder is not there"))
      let json = try await bench.shoebox(["scans", "--format", "jsonl"])
      let absences = json.lines.map {
        $0.contains(#""unavailableRoots":[{"path":"\#(bench.library)","#)
      }
      #expect(absences == [true, false])
    }
  }
}
