import Foundation
import Testing
import Workbench

extension ScanTests {
  /// The program as a script meets it.
  @Suite struct Program {
    @Test func `it loads no library that opens media`() async throws {
      let bench = try Workbench()
      let libraries = try await bench.bash("ldd '\(bench.program)'")
      #expect(libraries.contains("libc.so"))
      for name in [
        "libavformat", "libavcodec", "libavutil", "libheif", "libexif", "libtiff", "libturbojpeg",
      ] {
        #expect(!libraries.contains("\(name)"), "shoebox loads \(name)")
      }
    }

    @Test(arguments: [
      (["frobnicate"], 64), (["list", "--type"], 64), (["list", "--type", "screnshots"], 65),
      (["list", "--since", "the other day"], 65), (["scan"], 64),
    ])
    func `wrong words are refused with the status for them`(
      arguments: [String], status: Int
    ) async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      if arguments != ["scan"] { _ = try await bench.scan([bench.library]) }
      let outcome = try await bench.shoebox(arguments)
      #expect(outcome.status == status)
      #expect(!outcome.errors.isEmpty)
      #expect(outcome.output.isEmpty)
    }

    @Test func `an unknown type names the ones that may have been meant`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["list", "--type", "screnshots"])
      #expect(outcome.errors.contains("screenshots"))
    }

    @Test func `a listing that matches nothing is silent and well`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      _ = try await bench.scan([bench.library])
      for format in ["table", "jsonl", "csv", "paths", "paths0"] {
        let outcome = try await bench.shoebox(
          ["list", "--type", "panoramas", "--format", format])
        #expect(outcome.status == 0)
        #expect(format == "csv" || outcome.output.isEmpty, "\(format)")
      }
      let array = try await bench.shoebox(["list", "--type", "panoramas", "--format", "json"])
      #expect(array.output.filter { !$0.isWhitespace } == "[]")
    }

    /// Programs such as Node.js make such pipes. The pipe takes a part of the results only.
    @Test func `results are complete in a pipe that does not block`() async throws {
      let bench = try Workbench()
      try bench.addPictures(40)
      _ = try await bench.scan([bench.library])
      let lines = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        python3 - <<'END'
        import fcntl, os, subprocess, time
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
        listing = subprocess.Popen(['\(bench.program)', 'list', '--format', 'jsonl'], stdout=writing)
        os.close(writing)
        time.sleep(0.5)
        with os.fdopen(reading) as results:
            print(len(results.readlines()), listing.wait(60))
        END
        """, seconds: 60)
      #expect(lines == "40 0\n")
    }

    @Test func `a catalog that is something else is left as it is`() async throws {
      let bench = try Workbench()
      try await bench.bash("printf 'not a database, but still needed' >catalog.sqlite")
      let outcome = try await bench.shoebox(["scan", bench.library])
      #expect(outcome.status == 74)
      #expect(
        try await bench.bash("cat catalog.sqlite") == "not a database, but still needed")
    }

    @Test func `a reader that stops reading is not an error`() async throws {
      let bench = try Workbench()
      try bench.addPictures(400, perFolder: 400)
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        '\(bench.program)' list --format jsonl | head -n 1 | cut -c 1-6
        """)
      #expect(said == "{\"id\":\n")
    }

    @Test func `the status of a scan is that of its files, whether its report is read or not`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(1)
      try await bench.bash("printf 'GIF89a' >library/damaged.gif")
      let statuses = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        for form in table json; do
          { sleep 1; status=0; '\(bench.program)' scan library --format $form || status=$?
            echo $status >>statuses; } | true
        done
        cat statuses
        """)
      #expect(statuses == "1\n1\n")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a catalog that is a FIFO is refused`() async throws {
      let bench = try Workbench()
      try await bench.bash("mkfifo fifo; ln -s fifo link")
      for name in ["fifo", "link"] {
        for command in [["list"], ["scan", bench.library]] {
          let outcome = try await bench.shoebox(
            command + ["--catalog", bench.folder + "/" + name], seconds: 20)
          #expect(outcome.status == 74 && outcome.errors.contains("is not a catalog"))
        }
      }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["INT", "TERM"])
    func `a signal ends the picker and its server`(signal: String) async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      _ = try await bench.scan([bench.library])
      let ended = try await bench.bash(
        """
        set -m
        '\(bench.program)' pick --no-browser --catalog catalog.sqlite >out 2>errors & pid=$!
        until grep -q http errors; do sleep 0.1; done
        server=$(pgrep -P $pid)
        kill -\(signal) $pid
        wait $pid || echo $?
        while kill -0 $server 2>/dev/null; do sleep 0.1; done
        cat out
        """)
      #expect(ended == "130\n")
    }

    @Test func `help and version are for everyone`() async throws {
      let bench = try Workbench()
      let version = try await bench.shoebox(["--version"])
      #expect(version.status == 0)
      #expect(version.output.wholeMatch(of: /(shoebox )?\d+\.\d+\.\d+\S*\n/) != nil)
      for command in ["scan", "list", "show", "roots list", "stats", "scans list", "doctor"] {
        let words = command.split(separator: " ").map(String.init)
        let help = try await bench.shoebox(words + ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("--catalog"), "\(command)")
      }
      #expect(!FileManager.default.fileExists(atPath: bench.catalog))
    }

    @Test func `doctor finds the codec program well`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["doctor"])
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("libheif"))
      let broken = try await bench.shoebox(
        ["doctor"], environment: ["SHOEBOX_CODEC": "/nowhere/shoebox-codec"])
      #expect(broken.status != 0)
      #expect((broken.output + broken.errors).contains("/nowhere/shoebox-codec"))
    }
  }
}
