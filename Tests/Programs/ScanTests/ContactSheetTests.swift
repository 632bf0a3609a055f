import Foundation
import Testing
import Workbench

extension ScanTests {
  /// A page with pictures, as a person makes one.
  @Suite struct ContactSheet {
    private let bench: Workbench

    init() async throws {
      bench = try Workbench()
      try bench.addPictures(30)
      _ = try await bench.scan([bench.library])
    }

    private var sheet: [String] { ["list", "--format", "sheet", "--to", "page.html"] }

    private func page() throws -> String {
      try String(contentsOfFile: bench.folder + "/page.html", encoding: .utf8)
    }

    @Test func `it has a picture of everything`() async throws {
      let outcome = try await bench.shoebox(sheet)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
      let page = try page()
      #expect(page.matches(of: /src="data:image\/jpeg;base64,\/9j\//).count == 30)
      #expect(page.hasSuffix("</html>\n"))
    }

    @Test func `the second time nothing is opened`() async throws {
      try await #require(bench.shoebox(sheet).status == 0)
      let first = try page()
      let outcome = try await bench.shoebox(sheet, environment: ["SHOEBOX_CODEC": "/bin/false"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try page() == first)
      // What is kept may go at any time.
      try await bench.bash("rm \(bench.catalog).thumbnails*")
      try await #require(bench.shoebox(sheet).status == 0)
      #expect(try page() == first)
    }

    @Test func `a picture that brings the codec program down has a tile that says so`() async throws
    {
      try bench.addPicture("CRASH.gif", width: 99)
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(
        sheet,
        environment: ["SHOEBOX_CODEC": bench.faultyCodec(log: bench.folder + "/log")])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("CRASH.gif: The worker crashed on it"))
      let page = try page()
      #expect(page.matches(of: /src="data:image\/jpeg/).count == 30)
      #expect(page.matches(of: /No preview/).count == 1)
    }

    @Test func `Ctrl-C waits for the picture in progress, not for those after it`()
      async throws
    {
      // Several batches of them.
      for index in 0..<64 { try bench.addPicture("WAIT\(index).gif", width: 100 + index) }
      _ = try await bench.scan([bench.library])
      let codec = try bench.faultyCodec(log: bench.folder + "/log")
      let begun = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)' SHOEBOX_CODEC='\(codec)'
        touch log
        # A shell lets what it starts in the background ignore Ctrl-C, unless it has jobs.
        set -m
        '\(bench.program)' \(sheet.joined(separator: " ")) --jobs 1 >said 2>&1 & sheet=$!
        until grep -q WAIT log; do sleep 0.05; done
        kill -INT $sheet
        touch log-go
        status=0; wait $sheet || status=$?
        echo $status; grep -c WAIT log
        """)
      let numbers = begun.split(separator: "\n").compactMap { Int($0) }
      try #require(numbers.count == 2, "\(begun)")
      #expect(numbers[0] == 130)
      #expect(numbers[1] <= 2)
      #expect(!FileManager.default.fileExists(atPath: bench.folder + "/page.html"))
    }

    @Test func `an original is never written over, an earlier page is`() async throws {
      let original = bench.library + "/folder0/picture0.gif"
      let before = try Data(contentsOf: URL(filePath: original))
      let refused = try await bench.shoebox(["list", "--format", "sheet", "--to", original])
      #expect(refused.status == 64)
      #expect(try Data(contentsOf: URL(filePath: original)) == before)
      try await #require(bench.shoebox(sheet + ["--limit", "1"]).status == 0)
      try await #require(bench.shoebox(sheet + ["--limit", "2"]).status == 0)
      #expect(try page().matches(of: /<li>/).count == 2)
    }

    @Test func `what takes its name while it is made is not written over`() async throws {
      try bench.addPicture("WAIT.gif", width: 98)
      _ = try await bench.scan([bench.library])
      let codec = try bench.faultyCodec(log: bench.folder + "/log")
      async let made = bench.shoebox(
        sheet, environment: ["SHOEBOX_CODEC": codec])
      // Shoebox checks the page's path before it starts the worker, and writes the page after the last picture.
      try await bench.bash(
        "until grep -qs WAIT log; do sleep 0.02; done; echo mine >page.html; touch log-go")
      let outcome = try await made
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.errors.contains("was created by another process"))
      #expect(try page() == "mine\n")
    }

    @Test func `where no page can be written none is left in pieces`() async throws {
      let outcome = try await bench.shoebox(
        ["list", "--format", "sheet", "--to", "nowhere/page.html"])
      #expect(outcome.status == 74)
      try await #require(bench.shoebox(sheet).status == 0)
      #expect(try await bench.bash("ls -A | grep -c part || true") == "0\n")
    }
  }
}
