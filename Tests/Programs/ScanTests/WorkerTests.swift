import Foundation
import Testing
import Workbench

extension ScanTests {
  /// What a codec process may do, and that none holds up `shoebox`.
  @Suite struct Workers {
    private static var isSuperuser: Bool { getuid() == 0 }

    /// Starts the codec program as `shoebox` does, with more arguments, and runs lines of bash when it has
    /// greeted; `$worker` is its process ID.
    private func whileServing(
      _ arguments: String = "", on bench: Workbench, _ lines: String
    ) async throws -> String {
      try await bench.bash(
        """
        mkfifo requests replies
        '\(bench.codec)' --memory-limit 4294967296 --file-timeout 60 \(arguments) <requests >replies &
        worker=$!
        exec 5>requests 6<replies
        head -c 4 <&6 >/dev/null
        \(lines)
        exec 5>&-
        cat <&6 >/dev/null
        wait $worker
        """)
    }

    @Test func `a codec process finds an empty environment and no open file`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      let codec = try bench.addProgram(
        "noting",
        """
        cat /proc/$$/environ >'\(bench.folder)/environment'
        ls /proc/$$/fd >'\(bench.folder)/descriptors'
        exec '\(bench.codec)' "$@"
        """)
      let scan = try await bench.scan(
        [bench.library],
        environment: [
          "SHOEBOX_CODEC": codec, "LIBHEIF_PLUGIN_PATH": "/nowhere", "LD_BIND_NOW": "1", "HOME": "",
        ])
      #expect(scan.status == 0)
      let environment = try await bench.bash("tr '\\0' '\\n' <environment")
      #expect(environment == "SWIFT_BACKTRACE=enable=no\n")
      // The shell holds its script open, under a number of its own choice from 10 on.
      let descriptors = try await bench.bash("grep -E '^.$' descriptors | tr '\\n' ' '")
      #expect(descriptors.hasPrefix("0 1 2 "))
      #expect(!descriptors.contains("4"))
    }

    @Test func `a codec process that reads cannot write files or get privileges`() async throws {
      let bench = try Workbench()
      let status = try await whileServing(on: bench, "cat /proc/$worker/status")
      #expect(status.contains(/NoNewPrivs:\s+1\n/))
      // CAP_DAC_READ_SEARCH and CAP_FOWNER of the superuser's, none of others'.
      let kept = Self.isSuperuser ? "000000000000000c" : "0000000000000000"
      for set in ["CapPrm", "CapEff"] { #expect(status.contains("\(set):\t\(kept)\n"), "\(set)") }
      #expect(status.contains("CapInh:\t0000000000000000\n"))
      if Self.isSuperuser { #expect(status.contains("CapBnd:\t0000000000000000\n")) }
    }

    @Test func `a codec process has limits`() async throws {
      let bench = try Workbench()
      let limits = try await whileServing(on: bench, "tr -s ' ' </proc/$worker/limits")
      #expect(limits.contains("Max file size 0 0 "))
      #expect(limits.contains("Max core file size 0 0 "))
      #expect(limits.contains("Max open files 256 256 "))
      #expect(limits.contains("Max address space 4294967296 4294967296 "))
    }

    @Test func `a codec process that makes files may write them`() async throws {
      let bench = try Workbench()
      let limits = try await whileServing(
        "--make-files", on: bench, "cat /proc/$worker/limits /proc/$worker/status | tr -s ' '")
      #expect(!limits.contains("Max file size 0 "))
      // CAP_DAC_OVERRIDE as well: others' folders are written into.
      if Self.isSuperuser { #expect(limits.contains("CapEff:\t000000000000000e\n")) }
    }

    @Test func `a codec process dies with the process that started it`() async throws {
      let bench = try Workbench()
      // Its input stays open, and it is stopped: it cannot notice anything by itself.
      try await bench.bash(
        """
        mkfifo requests replies
        exec 5<>requests 6<>replies
        bash -c '"$0" --memory-limit 4294967296 --file-timeout 60 <&5 >&6 & echo $! >worker; wait' \\
          '\(bench.codec)' & parent=$!
        head -c 4 <&6 >/dev/null
        worker=$(cat worker)
        kill -STOP $worker
        kill -KILL $parent
        while [ -d /proc/$worker ] && ! grep -q '^State:.Z' /proc/$worker/status; do sleep 0.05; done
        """, seconds: 20)
    }

    @Test(.enabled("this user may open other users' files") { isSuperuser })
    func `the superuser scans and exports for other users`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2)
      try await bench.bash(
        """
        mkdir results
        chown -R 12345:12345 library results
        chmod -R go= library results
        """)
      let scan = try await bench.scan([bench.library])
      #expect(scan.status == 0)
      #expect(scan.report.added == 2)
      let export = try await bench.shoebox(["export", "--to", "results", "--preset", "compatible"])
      #expect(export.status == 0, "\(export.errors)")
      #expect(try await bench.bash("find results -name 'picture*' | wc -l") == "2\n")
    }

    @Test(
      .enabled("a disk with faults can be mounted in a namespace") {
        await Workbench.canMountOddDisks
      })
    func `a read that never returns costs its file alone`() async throws {
      let bench = try Workbench(environment: ["SHOEBOX_FILE_TIMEOUT": "1"])
      for name in ["a", "b", "stuck", "z"] { try bench.addPicture("../stock/\(name).gif") }
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --hanging-read stuck
        scan library --jobs 1
        """)
      #expect(scans.map(\.status) == [1])
      #expect(scans[0].report.added == 3)
      #expect(
        scans[0].report.failures.map(\.error) == [
          "Reading timed out: its disk or network share does not respond."
        ])
    }

    @Test(
      .enabled("a disk with faults can be mounted in a namespace") {
        await Workbench.canMountOddDisks
      })
    func `a disk that does not answer at all ends the scan with its reason`() async throws {
      let bench = try Workbench(environment: ["SHOEBOX_FILE_TIMEOUT": "1"])
      for index in 0..<16 { try bench.addPicture("../stock/\(index).gif") }
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        \(Workbench.inNamespace)
        odd_disk stock library --hanging-read gif
        status=0; '\(bench.program)' scan library --jobs 8 2>said || status=$?
        echo $status
        END
        """)
      #expect(status == "74\n")
      #expect(try await bench.bash("cat said").contains("does not respond"))
    }

    @Test(
      .enabled("a disk with faults can be mounted in a namespace") {
        await Workbench.canMountOddDisks
      })
    func `a disk that does not answer does not hold up an interruption`() async throws {
      let bench = try Workbench()
      try bench.addPicture("../stock/stuck.gif")
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        \(Workbench.inNamespace)
        odd_disk stock library --hanging-read stuck
        set -m
        '\(bench.program)' scan library >printed 2>said & scan=$!
        until pgrep -P $scan >children; do sleep 0.05; done
        sleep 1
        kill -TERM $scan
        status=0; wait $scan || status=$?
        echo $status
        END
        """, seconds: 40)
      #expect(status == "130\n")
    }

    @Test func `a stopped codec process does not hold up an interruption`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      let codec = try bench.addProgram(
        "stopping", "echo $$ >'\(bench.folder)/worker'; kill -STOP $$; exec '\(bench.codec)' \"$@\""
      )
      let status = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)' SHOEBOX_CODEC='\(codec)'
        set -m
        '\(bench.program)' scan library >printed 2>said & scan=$!
        until [ -s worker ]; do sleep 0.02; done
        kill -INT $scan
        status=0; wait $scan || status=$?
        echo $status
        while [ -d /proc/$(cat worker) ]; do sleep 0.05; done
        """, seconds: 30)
      #expect(status == "130\n")
    }
  }

  /// What the operating system may lack.
  @Suite struct Surroundings {
    @Test func `too few open files are a plain error`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      let lines = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        for limit in {5..11} {12..44..4} {45..50} 60; do
          status=0
          timeout -k 1 20 prlimit --nofile=$limit '\(bench.program)' scan library >printed 2>said || status=$?
          echo "$status $(cat said)"
        done
        """, seconds: 300
      ).split(separator: "\n")
      #expect(lines.count == 23)
      for line in lines where !line.hasPrefix("0 ") {
        #expect(line.hasPrefix("74 "), "\(line)")
        #expect(line.contains("Too many open files"), "\(line)")
        #expect(line.contains("ulimit -n"), "\(line)")
      }
      #expect(lines.first?.hasPrefix("74 ") == true)
      #expect(lines.last?.hasPrefix("0 ") == true)
    }

    /// The soft limit is the user's to raise; `shoebox` does so.
    @Test func `a low soft limit of open files is raised`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash(
        "ulimit -S -n 12; SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' scan library 2>said"
      )
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `without a process file system every command says so`() async throws {
      let bench = try Workbench()
      let lines = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        \(Workbench.inNamespace)
        umount --lazy /proc
        for words in 'scan library' list doctor --version; do
          status=0
          '\(bench.program)' $words >printed 2>said || status=$?
          echo "$status $(wc -c <printed) $(cat said)"
        done
        END
        """
      ).split(separator: "\n")
      #expect(lines.count == 4)
      for line in lines {
        #expect(line.hasPrefix("74 0 shoebox: /proc is not mounted"), "\(line)")
      }
      #expect(!FileManager.default.fileExists(atPath: bench.catalog))
    }
  }
}
