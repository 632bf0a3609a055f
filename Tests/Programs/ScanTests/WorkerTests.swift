import Foundation
import Testing
import Workbench

extension ScanTests {
  /// What a worker may do, and that none delays `shoebox`.
  @Suite struct Workers {
    private static var isSuperuser: Bool { getuid() == 0 }

    /// Starts a worker as `shoebox` does, with more arguments, and runs lines of bash when it has
    /// greeted; `$worker` is its process ID.
    private func whileServing(
      _ program: String, _ arguments: [String] = [], on bench: Workbench, _ lines: String
    ) async throws -> String {
      try Data(lines.utf8).write(to: URL(filePath: bench.folder + "/lines"))
      return try await bench.bash(
        """
        '\(Workbench.supportFolder)/FaultyCodec/serve-worker' "$(cat lines)" '\(program)' \\
          --memory-limit 4294967296 --file-timeout 60 \(arguments.joined(separator: " "))
        """)
    }

    @Test func `a worker finds an empty environment and no open file`() async throws {
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

    @Test func `a worker has no privileges and filtered system calls`() async throws {
      let bench = try Workbench()
      for program in [bench.probe, bench.codec] {
        let status = try await whileServing(program, on: bench, "cat /proc/$worker/status")
        #expect(status.contains(/NoNewPrivs:\s+1\n/))
        #expect(status.contains(/Seccomp:\s+2\n/))
        for set in ["CapPrm", "CapEff", "CapInh"] {
          #expect(status.contains("\(set):\t0000000000000000\n"), "\(set)")
        }
        if Self.isSuperuser { #expect(status.contains("CapBnd:\t0000000000000000\n")) }
      }
    }

    @Test func `a worker has limits`() async throws {
      let bench = try Workbench()
      let lines = "tr -s ' ' </proc/$worker/limits"
      for program in [bench.probe, bench.codec] {
        let limits = try await whileServing(program, on: bench, lines)
        #expect(limits.contains("Max core file size 0 0 "))
        #expect(limits.contains("Max open files 256 256 "))
        #expect(limits.contains("Max address space 4294967296 4294967296 "))
        // Only the one with the codecs makes files.
        #expect(limits.contains("Max file size 0 0 ") == (program == bench.probe))
      }
    }

    @Test func `a worker's sandbox refuses all forbidden acts`() async throws {
      let bench = try Workbench()
      let doctor = try await bench.shoebox(["doctor", "--format", "json"])
      for program in ["probe", "codec"] {
        #expect(doctor.output.contains("sandbox of the \(program) program"))
      }
      #expect(doctor.output.split(separator: "forbidden acts are refused").count == 3)
      let without = try await bench.shoebox(["doctor", "--format", "json", "--sandbox", "off"])
      #expect(without.output.contains("a worker can: open /etc/passwd; stat /etc/passwd;"))
      #expect(!without.output.contains("forbidden acts are refused"))
    }

    /// The calls of all threads of all workers in a scan and in exports of every kind.
    @Test func `no worker reaches beyond its descriptors`() async throws {
      let bench = try Workbench()
      try bench.addPictures(20)
      try await bench.bash(
        """
        cd library
        convert -size 640x480 plasma: -quality 90 a.jpg
        convert a.jpg a.png
        convert a.jpg a.tiff
        heif-enc -q 50 a.png -o a.heic >/dev/null 2>&1
        ffmpeg -v error -f lavfi -i testsrc=d=1:s=320x240 -f lavfi -i sine=d=1 a.mov
        ffmpeg -v error -f lavfi -i testsrc=d=1:s=320x240 -c:v mjpeg a.avi
        ffmpeg -v error -f lavfi -i testsrc=d=1:s=320x240 -c:v mpeg2video a.mpg
        # The codec reads it, because its header has no duration.
        ffmpeg -v error -f lavfi -i testsrc=d=1:s=320x240 -c:v mpeg4 -f matroska - >a.mkv
        """)
      let trace = "strace -f -qq -s 64 -o"
      let calls = "'\(Workbench.supportFolder)/SystemCalls/worker-calls'"
      let found = try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        \(trace) scanning '\(bench.program)' scan --quiet library >/dev/null
        \(calls) scanning
        for preset in compatible current AVAssetExportPresetHEVC1920x1080 \
          AVAssetExportPresetAppleProRes422LPCM AVAssetExportPresetPassthrough; do
          \(trace) exporting '\(bench.program)' export --quiet --to results-$preset --preset $preset \
            --strip-location >/dev/null || true
          \(calls) exporting
        done
        \(trace) sheet '\(bench.program)' list --format sheet --to sheet.html >/dev/null
        \(calls) sheet
        """, seconds: 240)
      #expect(!found.contains("no greeting"))
      #expect(found.split(separator: "\n").count >= 6, "\(found)")
    }

    @Test func `a worker dies with the process that started it`() async throws {
      let bench = try Workbench()
      // Its input stays open, and it is stopped: it cannot notice anything by itself.
      try await bench.bash(
        """
        cat >keep <<'END'
        echo $worker >worker.new
        mv worker.new worker
        sleep 60
        END
        setsid '\(Workbench.supportFolder)/FaultyCodec/serve-worker' "$(cat keep)" '\(bench.codec)' \
          --memory-limit 4294967296 --file-timeout 60 >/dev/null 2>&1 & parent=$!
        while [ ! -e worker ]; do sleep 0.05; done
        worker=$(cat worker)
        kill -STOP $worker
        kill -KILL $parent
        while [ -d /proc/$worker ] && ! grep -q '^State:.Z' /proc/$worker/status; do sleep 0.05; done
        pkill -KILL -g $parent || true
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
