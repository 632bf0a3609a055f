import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct Configuration {
    @Test(arguments: [
      ("root: [/a]", "unknown setting 'root': did you mean roots"),
      ("nightly:\n  backups: /b", "unknown setting 'nightly.backups'"),
      ("roots: /a", "roots: its value must be a list of texts"),
      ("jobs: many", "jobs: its value must be a number from 1 to 1024"),
      ("jobs: 0", "jobs: its value must be a number from 1 to 1024"),
      ("nightly:\n  maximumLoss: half", "nightly.maximumLoss: 'half' is not a share"),
      ("nightly:\n  verify: 3", "nightly.verify: '3' has no unit"),
      ("nightly:\n  wait: long", "nightly.wait: 'long' is not a duration"),
      ("nightly:\n  wait: 1e300h", "nightly.wait: '1e300h' is too long"),
      ("nightly:\n  exports: ['--type images']", "nightly.exports: '--type images'"),
      ("nightly:\n  exports: [\"--to 'x\"]", "has a quotation mark without a partner"),
      ("notify:\n  when: never", "notify.when: 'never' is none of always, changes, problems"),
      ("a: [", "is not YAML: line "),
      ("nightly:\n\tbackup: /tmp", "line 2: it begins with a tab, and YAML needs spaces"),
      ("just a text", "has no settings"),
    ])
    func `a mistake is named`(yaml: String, message: String) async throws {
      let bench = try Workbench()
      try bench.configure(yaml)
      let outcome = try await bench.shoebox(
        ["config", "check", "--config", bench.folder + "/config.yaml"])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("\(bench.folder)/config.yaml"))
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(arguments: [
      ("SHOEBOX_JOBS", "x", "$SHOEBOX_JOBS: its value must be a number from 1 to 1024"),
      (
        "SHOEBOX_NIGHTLY_THUMBNAILS", "maybe", "$SHOEBOX_NIGHTLY_THUMBNAILS: its value must be true"
      ),
      ("SHOEBOX_NIGHTLY_WAIT", "long", "$SHOEBOX_NIGHTLY_WAIT: 'long' is not a duration"),
    ])
    func `a mistake in a variable is named`(
      variable: String, value: String, message: String
    ) async throws {
      let bench = try Workbench()
      try bench.configure("# nothing\n  # but comments\njobs: 2\n")
      let outcome = try await bench.shoebox(
        ["config", "check", "--config", bench.folder + "/config.yaml"],
        environment: [variable: value])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `flags override variables, and these the file`() async throws {
      let bench = try Workbench()
      try bench.configure("jobs: 3\ncatalog: /from/file\nroots: [/r]\n")
      struct Shown: Decodable {
        var catalog: String
        var roots: [String]
        var jobs: Int
      }
      func shown(_ arguments: [String], _ environment: [String: String]) async throws -> Shown {
        var values = environment
        values["SHOEBOX_CATALOG"] = environment["SHOEBOX_CATALOG"] ?? ""
        let outcome = try await bench.shoebox(
          ["config", "show", "--format", "json", "--config", bench.folder + "/config.yaml"]
            + arguments, environment: values)
        return try JSONDecoder().decode(Shown.self, from: Data(outcome.outputBytes))
      }
      let file = try await shown([], [:])
      #expect((file.catalog, file.jobs) == ("/from/file", 3))
      #expect(file.roots == ["/r"])
      let variables = try await shown(
        [], ["SHOEBOX_CATALOG": "/from/variable", "SHOEBOX_JOBS": "5", "SHOEBOX_ROOTS": "/a\n/b c"])
      #expect((variables.catalog, variables.jobs) == ("/from/variable", 5))
      #expect(variables.roots == ["/a", "/b c"])
      let flags = try await shown(
        ["--catalog", "/from/flag"], ["SHOEBOX_CATALOG": "/from/variable"])
      #expect(flags.catalog == "/from/flag")
    }

    @Test func `a scan takes folders and exclusions from the file`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.addPicture("skipped/b.gif")
      try bench.configure("roots: ['\(bench.library)']\nexclude: [skipped/]\n")
      let scan = try await bench.shoebox(["scan", "--config", bench.folder + "/config.yaml"])
      #expect(scan.status == 0)
      #expect(try await bench.query("SELECT name FROM assets") == ["a.gif"])
    }

    @Test(arguments: [("cat", 0), ("/bin/cat", 0), ("no-such-program", 1), ("/etc/passwd", 1)])
    func `the program of a notification has to exist`(program: String, status: Int32) async throws {
      let bench = try Workbench()
      try bench.configure("roots: ['\(bench.library)']\nnotify:\n  command: [\(program)]\n")
      try await bench.bash("mkdir -p library")
      let outcome = try await bench.shoebox(
        ["config", "check", "--config", bench.folder + "/config.yaml"])
      #expect(outcome.status == status)
      #expect(outcome.errors.contains("no program \(program)") == (status != 0))
    }

    @Test func `a file that --config names has to exist`() async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(["list", "--config", "/nowhere/config.yaml"])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("there is no file /nowhere/config.yaml"))
    }
  }
}
