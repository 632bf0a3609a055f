import Foundation
import Testing
import Workbench

extension ScanTests {
  /// What all commands have in common.
  @Suite struct Conventions {
    private let bench: Workbench

    init() async throws {
      bench = try Workbench()
      try bench.addPictures(2)
      _ = try await bench.scan([bench.library])
    }

    /// Every command that help lists, and nested ones.
    private static let commands = [
      "scan", "list", "show", "sheet", "export", "presets", "presets list", "presets show",
      "presets check", "stats", "searches", "searches show", "searches delete", "roots",
      "roots list", "roots forget", "roots move", "scans", "failures", "report", "nightly",
      "config",
      "config show", "config check", "duplicates", "pick", "import", "backup", "verify", "doctor",
    ].map { $0.split(separator: " ").map(String.init) }

    @Test func `the short help is short, and the long one explains more`() async throws {
      for command in Self.commands + [[]] {
        let short = try await bench.shoebox(command + ["-h"])
        let long = try await bench.shoebox(command + ["--help"])
        #expect(short.status == 0 && long.status == 0)
        #expect(short.lines.count <= 40, "\(command): \(short.lines.count)")
        #expect(short.lines.allSatisfy { $0.count <= 80 }, "\(command)")
        #expect(short.output.contains("Usage: shoebox"))
        #expect(long.output.hasPrefix("OVERVIEW:"))
        #expect(!short.output.contains("OVERVIEW"))
      }
      let list = try await bench.shoebox(["list", "-h"])
      #expect(list.lines.contains { $0.hasPrefix("  -o, --to <file> ") })
      #expect(list.output.contains("--camera"))
      // The letter is a value here.
      #expect(try await bench.shoebox(["list", "--search", "-h"]).status == 0)
      #expect(try await bench.shoebox(["list", "--search", "-h"]).output.isEmpty)
    }

    @Test func `wrong arguments end with 64 and begin with one prefix`() async throws {
      var wrong = Self.commands.flatMap { command in
        [["--bogus"], ["--catalog"], ["--color", "nope"], ["-q", "-v"]].map { command + $0 }
      }
      wrong += [
        ["nope"], ["--bogus"], ["picker", "nope"], ["scan", "--jobs", "x"], ["scan", "-j", "0"],
        ["list", "--limit", "x"], ["list", "--limit", "-1"], ["list", "--sort", "x"],
        ["list", "--format"], ["list", "-0", "--format", "csv"], ["stats", "-0"], ["sheet"],
        ["sheet", "-o", ""], ["sheet", "-o", "a.html", "--heading", "week"], ["export"], ["import"],
        ["duplicates", "--threshold", "9"], ["scans", "--last", "x"], ["backup"],
        ["verify", "--slice", "1/2", "--limit-bytes", "1"],
      ]
      for arguments in wrong {
        let outcome = try await bench.shoebox(arguments)
        #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("shoebox: "), "\(arguments): \(outcome.errors)")
        #expect(!outcome.errors.hasPrefix("shoebox: Un"), "\(arguments): \(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
      // Values of filters are data: sysexits.h.
      for arguments in [["--type", "nope"], ["--where", "nope"], ["--since", "nope"]] {
        #expect(try await bench.shoebox(["list"] + arguments).status == 65)
      }
    }

    @Test(arguments: [
      (["list", "--typ", "raw"], "did you mean --type?"), (["lst"], "did you mean list?"),
      (["list", "--type", "phto"], "did you mean photo?"),
      (["list", "--sort", "siz"], "did you mean size?"),
    ])
    func `near words are suggested`(_ arguments: [String], _ suggestion: String) async throws {
      let outcome = try await bench.shoebox(arguments)
      #expect(outcome.errors.contains(suggestion), "\(outcome.errors)")
    }

    @Test(arguments: [
      ["list", "--xyz"], ["list", "--zip"], ["xyzzy"], ["list", "--type", "qqq"],
      ["list", "--sort", "qqq"],
    ])
    func `others are not`(_ arguments: [String]) async throws {
      let outcome = try await bench.shoebox(arguments)
      #expect(!outcome.errors.lowercased().contains("did you mean"), "\(outcome.errors)")
    }

    @Test func `-0 ends paths with NUL`() async throws {
      let long = try await bench.shoebox(["list", "--format", "paths0"])
      #expect(long.outputBytes.filter { $0 == 0 }.count == 2)
      #expect(try await bench.shoebox(["list", "-0"]).outputBytes == long.outputBytes)
      let roots = try await bench.shoebox(["roots", "-0"])
      #expect(roots.outputBytes == Array(bench.library.utf8) + [0])
    }

    @Test func `a quiet command prints nothing but errors`() async throws {
      let commands = [
        ["scan"], ["scan", "--dry-run"], ["list"], ["list", "--under", "/nowhere"], ["roots"],
        ["sheet", "-o", "q.html"], ["sheet", "-o", "r.html", "--renditions"], ["stats"], ["scans"],
        ["export", "--to", "out"], ["export", "--to", "out", "--dry-run", "--manifest", "m"],
        ["export", "--type", "raw", "--to", "out"], ["duplicates"],
        ["duplicates", "--similar", "--format", "sheet", "--to", "s.html"], ["verify"],
        ["backup", "b.sqlite"], ["failures"], ["report"], ["list", "--save", "x", "--type", "raw"],
        ["searches"], ["searches", "delete", "x"], ["presets"], ["doctor"], ["config"],
        ["nightly", "--no-notify"], ["roots", "forget", bench.library],
      ]
      for command in commands {
        for arguments in [command + ["--quiet"], ["-q"] + command] {
          if command.contains("delete") || command.contains("forget"), arguments[0] == "-q" {
            continue
          }
          let outcome = try await bench.shoebox(arguments)
          #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
          #expect(outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
        }
      }
      let failed = try await bench.shoebox(["show", "-q", "nowhere.jpg"])
      #expect(failed.errors.hasPrefix("shoebox: "))
    }

    @Test func `general options may be anywhere`() async throws {
      for arguments in [
        ["-q", "roots", "list"], ["roots", "-q", "list"], ["roots", "list", "-q"],
        ["roots", "--catalog", bench.catalog, "list"],
      ] {
        let outcome = try await bench.shoebox(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        #expect(outcome.output.contains(bench.library))
      }
    }

    /// Long names end in the part that distinguishes them.
    @Test func `narrow tables keep dates and the ends of names`() async throws {
      let deep = "a folder with a long name/and another one/and the last"
      try bench.addPicture("\(deep)/picture with a long name.gif")
      _ = try await bench.scan([bench.library])
      let column = try await lines("list --columns addedDate,camera,name,path", width: 60)
      #expect(column.count == 4)
      let row = try #require(column.first { $0.hasSuffix("name.gif") })
      #expect(row.contains(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/))

      let list = try await lines("list", width: 60)
      // None of them has a date or a duration.
      #expect(list.first?.split(separator: " ") == ["KIND", "SIZE", "PIXELS", "PATH"])
      #expect(list.contains { $0.hasSuffix("long name.gif") })
      for command in ["list", "stats", "roots", "scans", "duplicates", "failures"] {
        for width in [20, 40, 60, 80] {
          #expect(try await lines(command, width: width).allSatisfy { $0.count <= width })
        }
      }
      let scans = try await lines("scans", width: 60)
      #expect(scans.dropFirst().allSatisfy { $0.contains(/^ *\d+ +\d{4}-\d\d-\d\d \d\d:\d\d/) })
    }

    /// The lines that a command prints on a terminal of this width.
    private func lines(_ command: String, width: Int) async throws -> [String] {
      let output = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)' NO_COLOR=1 COLUMNS=\(width)
        script -qec "'\(bench.program)' \(command)" /dev/null </dev/null
        """)
      let lines = output.split(whereSeparator: \.isNewline).map(String.init)
      // What is printed to standard error is on the terminal, too.
      return lines.filter { !$0.contains(/^(\d+ asset|no duplicates)/) }
    }
  }

  /// Progress where standard error is a file.
  @Suite struct PlainProgress {
    @Test func `long work prints a plain line every ten seconds`() async throws {
      let bench = try Workbench()
      try bench.addPicture("quick.gif", width: 40)
      try bench.addPicture("WAIT.gif", width: 41)
      _ = try await bench.scan([bench.library])
      let codec = try bench.faultyCodec(log: bench.folder + "/log")
      async let made = bench.shoebox(
        ["sheet", "-o", "page.html", "--jobs", "2"], environment: ["SHOEBOX_CODEC": codec])
      // The picture waits for 23 seconds: two lines, then one at the end.
      try await bench.bash("until grep -qs WAIT log; do sleep 0.1; done; sleep 23; touch log-go")
      let outcome = try await made
      #expect(outcome.status == 0)
      let lines = outcome.errors.split(separator: "\n").map(String.init)
      #expect(lines.count == 4, "\(lines)")
      // The remaining time is left out if the recent speed is unknown.
      #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("previews: 1 of 2") }, "\(lines)")
      #expect(lines.dropFirst(2).first == "previews: 2 of 2")
      #expect(lines.last?.hasPrefix("page.html: ") == true)
      #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test func `columns have what the file has`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -size 8x8 xc:red library/a.jpg
        exiftool -q -overwrite_original -ISO=320 -FNumber=2.8 -ExposureTime=0.25 -FocalLength=35 \\
          -XMP-dc:Subject=beach library/a.jpg
        """)
      _ = try await bench.scan([bench.library])
      let table = try await bench.shoebox([
        "list", "--format", "csv", "--columns", "iso,aperture,exposureTime,focalLength,keywords",
      ])
      #expect(table.output.contains("320,2.8,0.25,35.0,beach"), "\(table.output)")
    }
  }
}
