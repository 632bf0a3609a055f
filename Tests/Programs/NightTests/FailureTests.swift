import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct Failures {
    @Test func `an acknowledged failure no longer makes a scan fail, until its file changes`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPicture("sound.gif")
      let broken = bench.library + "/broken.jpg"
      try Data("no picture".utf8).write(to: URL(filePath: broken))
      try await bench.letFilesAge()
      #expect(try await bench.shoebox(["scan", bench.library]).status == 1)
      #expect(try await bench.shoebox(["scan"]).status == 1)

      let listed = try await bench.shoebox(["failures", "--format", "paths"])
      #expect(listed.lines == [broken])
      #expect(try await bench.shoebox(["failures", "--acknowledge", broken]).status == 0)
      #expect(try await bench.shoebox(["scan"]).status == 0)

      try Data("still no picture".utf8).write(to: URL(filePath: broken))
      try await bench.letFilesAge()
      #expect(try await bench.shoebox(["scan"]).status == 1)
      #expect(try await bench.shoebox(["scan"]).status == 1)

      #expect(try await bench.shoebox(["failures", "--acknowledge"]).status == 0)
      #expect(try await bench.shoebox(["failures", "--withdraw"]).status == 0)
      #expect(try await bench.shoebox(["scan"]).status == 1)

      try bench.addPicture("broken.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 0)
      #expect(try await bench.shoebox(["failures", "--format", "paths"]).lines.isEmpty)
    }

    @Test func `an acknowledged failure stays one when its file or its folder moves`() async throws
    {
      let bench = try Workbench()
      try bench.addPicture("a/sound.gif")
      try Data("no picture".utf8).write(to: URL(filePath: bench.library + "/a/broken.jpg"))
      try await bench.letFilesAge()
      #expect(try await bench.shoebox(["scan", bench.library]).status == 1)
      #expect(try await bench.shoebox(["failures", "--acknowledge"]).status == 0)
      try await bench.bash("mkdir library/b; mv library/a/broken.jpg library/b/other.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 0)
      try await bench.bash("mv library moved")
      #expect(
        try await bench.shoebox(["roots", "move", bench.library, bench.folder + "/moved"]).status
          == 0)
      #expect(try await bench.shoebox(["scan"]).status == 0)
      let listed = try await bench.shoebox(["failures", "--format", "paths"])
      #expect(listed.lines == [bench.folder + "/moved/b/other.jpg"])
    }

    @Test(arguments: ["mv", "cp -p"])
    func `an acknowledged failure stays one when its file was away`(back: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("sound.gif")
      try Data("no picture".utf8).write(to: URL(filePath: bench.library + "/broken.jpg"))
      try await bench.letFilesAge()
      #expect(try await bench.shoebox(["scan", bench.library]).status == 1)
      #expect(try await bench.shoebox(["failures", "--acknowledge"]).status == 0)
      try await bench.bash("mv library/broken.jpg away.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 0)
      #expect(try await bench.shoebox(["failures", "--format", "paths"]).lines.isEmpty)

      try await bench.bash("\(back) away.jpg library/broken.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 0)
      let listed = try await bench.shoebox(["failures", "--format", "paths"])
      #expect(listed.lines == [bench.library + "/broken.jpg"])

      try await bench.bash("mv library/broken.jpg away.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 0)
      try await bench.bash("echo other content >library/broken.jpg")
      #expect(try await bench.shoebox(["scan"]).status == 1)
    }

    @Test func `a path without a failure is named`() async throws {
      let bench = try Workbench()
      try bench.addPicture("sound.gif")
      #expect(try await bench.shoebox(["scan", bench.library]).status == 0)
      let outcome = try await bench.shoebox(
        ["failures", "--acknowledge", bench.library + "/sound.gif"])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("sound.gif: no failure is known there"))
    }

    @Test func `an unreadable file is not new, and one that can be read again has changed`()
      async throws
    {
      let bench = try Workbench(
        environment: ["SHOEBOX_FILE_TIMEOUT": "2"], faultLog: "codec-log")
      try bench.addPicture("CRASH.gif")
      try bench.addPicture("sound.gif")
      let first = try await bench.night(0).report
      #expect(first.new.paths == [bench.library + "/sound.gif"])
      #expect(first.new.count == 1)
      #expect(first.newFailures.map(\.path) == [bench.library + "/CRASH.gif"])
      #expect(try await bench.shoebox(["failures", "--retry"]).status == 0)
      let second = try await bench.night(1, environment: ["SHOEBOX_CODEC": bench.codec])
      #expect(second.status == 0)
      #expect(second.report.new.count == 0)
      #expect(second.report.changed.paths == [bench.library + "/CRASH.gif"])
    }

    @Test func `--retry reads a file before its turn`() async throws {
      let bench = try Workbench(
        environment: ["SHOEBOX_FILE_TIMEOUT": "2"], faultLog: "codec-log")
      try bench.addPicture("CRASH.gif")
      func tries() throws -> Int {
        try String(contentsOfFile: bench.folder + "/codec-log", encoding: .utf8)
          .split(separator: "\n").count { $0.hasSuffix("CRASH.gif") }
      }
      for _ in 0..<3 { #expect(try await bench.shoebox(["scan", bench.library]).status == 1) }
      let before = try tries()
      #expect(try await bench.shoebox(["scan"]).status == 1)
      #expect(try tries() == before)
      #expect(try await bench.shoebox(["failures", "--retry"]).status == 0)
      #expect(try await bench.shoebox(["scan"]).status == 1)
      #expect(try tries() > before)
    }
  }
}
