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
      (
        "nightly:\n  exports: ['--to /x --verbose']",
        "'--to /x --verbose' cannot run at night, which adds --format jsonl --quiet: "
          + "--quiet and --verbose exclude each other."
      ),
      (
        "nightly:\n  exports: ['--to /x -0']",
        "cannot run at night, which adds --format jsonl --quiet: -0 is --format paths0"
      ),
      ("notify:\n  when: never", "notify.when: 'never' is none of always, changes, problems"),
      ("a: [", "is not YAML: line "),
      ("nightly:\n\tbackup: /tmp", "line 2: it begins with a tab, and YAML needs spaces"),
      ("just a text", "has no settings"),
      ("jobs: 1\nroots: []\njobs: 2", "is not YAML: line 1: 'jobs' is there twice\n"),
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

    @Test func `every mistake is named, each with its line`() async throws {
      let bench = try Workbench()
      try await bench.bash("mkdir -p library")
      try bench.configure(
        """
        root: [/a]
        roots: ['\(bench.library)', '\(bench.folder)/gone']
        exclude: ["*.tmp", "", [nested]]
        jobs: many
        followLinks: perhaps
        nightly:
          backups: /b
          wait: long
          exports:
            - --to \(bench.library)
            - --type images
            - --to 'x
          verify: 3
        log: {level: loud}
        """)
      let file = bench.folder + "/config.yaml"
      let outcome = try await bench.shoebox(
        ["config", "check", "--config", file],
        environment: ["SHOEBOX_NIGHTLY_METRICS": "", "SHOEBOX_JOBS": "0"])
      #expect(outcome.status == 65)
      let lines = outcome.errors.split(separator: "\n")
      let expected = [
        "$SHOEBOX_JOBS: its value must be a number from 1 to 1024",
        "\(file): line 1: unknown setting 'root'",
        "\(file): line 3: exclude: '' excludes nothing",
        "\(file): line 3: exclude: each element must be a text",
        "\(file): line 5: followLinks: its value must be true or false",
        "\(file): line 7: unknown setting 'nightly.backups'",
        "\(file): line 8: nightly.wait: 'long' is not a duration",
        "\(file): line 11: nightly.exports: '--type images'",
        "\(file): line 12: nightly.exports: '--to 'x' has a quotation mark",
        "\(file): line 13: nightly.verify: '3' has no unit",
        "\(file): line 14: log.level: 'loud' is none of",
        "\(file): roots: there is no folder \(bench.folder)/gone",
      ]
      #expect(lines.count == expected.count, "\(outcome.errors)")
      for (line, beginning) in zip(lines, expected) {
        #expect(line.hasPrefix("shoebox: " + beginning))
      }
      // Other commands do not run, and name the same mistakes in the settings.
      let listing = try await bench.shoebox(["list", "--config", file])
      #expect(listing.status == 65)
      #expect(listing.output.isEmpty)
      #expect(listing.errors.contains("line 4: jobs: its value must be a number from 1 to 1024"))
      #expect(listing.errors.split(separator: "\n").count == expected.count - 1)
    }

    @Test func `what is shown is the same configuration`() async throws {
      let bench = try Workbench()
      let configurations = [
        "# nothing",
        #"""
        catalog: '/a b/#1: "x" \.sqlite'
        roots: [~/Pictures, "*", '- a', "true", "~", "12", 'a: b', 'a #b', "tab\tline\nend ", "Ünï 😀"]
        exclude: ["*.tmp", "/cache/", "!keep", "&a", "[ab]*", '%x', "@x", "`x", "'x", '"x', "{a}"]
        oneFileSystem: true
        followLinks: yes
        jobs: 3
        nightly:
          wait: 90s
          backup: "/b/off"
          backupsKept: 3
          thumbnails: no
          verify: 20GB
          maximumLoss: 33.3%
          exports:
            - --type images --to '/srv/share/For everyone' --update
            - --to "/srv/it's" --where 'camera ~ "a\\b"' --name '{index:4}{ext}'
            - --to=~/share\ x
          report: '/r: x/report.html'
          metrics: "null"
        notify:
          command: [mail, -s, "Shoebox: {summary}", "", "~/x", "-", "--"]
          when: problems
        log: {format: off, level: warning}
        """#,
        "nightly: {verify: 0.07123456789%, wait: 1:00:05, maximumLoss: 2/3}\nlog: {format: json}",
        "nightly: {verify: off, wait: 0.5s, maximumLoss: 0.071}", "nightly: {verify: all}",
      ]
      for yaml in configurations {
        try bench.configure(yaml)
        let first = try await shown(in: bench)
        try bench.configure(first.text)
        let second = try await shown(in: bench)
        #expect(second.values == first.values)
        #expect(second.text == first.text)
      }
    }

    /// What `config show` prints, as text and as JSON.
    private func shown(in bench: Workbench) async throws -> (text: String, values: String) {
      let command = ["config", "show", "--config", bench.folder + "/config.yaml", "--format"]
      let environment = ["SHOEBOX_CATALOG": ""]
      let text = try await bench.shoebox(command + ["table"], environment: environment)
      #expect(text.status == 0, "\(text.errors)")
      let values = try await bench.shoebox(command + ["json"], environment: environment)
      return (text.output, values.output)
    }

    @Test func `a setting without a value has its default`() async throws {
      let bench = try Workbench()
      try bench.configure("jobs:\nroots: ~\nnightly:\n  backup:\n  exports: null\nlog:\n")
      let outcome = try await bench.shoebox(
        ["config", "check", "--config", bench.folder + "/config.yaml"])
      #expect(outcome.status == 0, "\(outcome.errors)")
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
