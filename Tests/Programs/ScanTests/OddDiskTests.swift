import Testing
import Workbench

extension ScanTests {
  /// Disks that answer as network, FUSE and FAT file systems do.
  @Suite(
    .enabled("a disk with faults can be mounted in a namespace") {
      await Workbench.canMountOddDisks
    })
  struct OddDisks {
    @Test func `a name that is listed twice is one file`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "sub/b.gif"] { try bench.addPicture("../stock/\(name)") }
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --doubled-names
        scan library
        scan
        cp stock/a.gif stock/c.gif
        scan
        """)
      #expect(scans.map(\.status) == [0, 0, 0])
      #expect(scans.map(\.report.added) == [2, 0, 1])
      #expect(scans.map(\.report.scanned) == [2, 2, 3])
      #expect(try await bench.list().count == 3)
    }

    @Test func `a name that changes its case or its Unicode form is a rename`() async throws {
      let bench = try Workbench()
      for name in ["IMG_1.GIF", "Sub/x.gif", "caf\u{E9}.gif"] {
        try bench.addPicture("../stock/\(name)")
      }
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --case-blind
        scan library
        '\(bench.program)' list --format jsonl | grep -o '"id":"[^"]*"' | sort >before
        mv stock/IMG_1.GIF stock/img_1.gif
        mv stock/Sub stock/SUB
        mv stock/caf\u{E9}.gif stock/cafe\u{301}.gif
        scan
        '\(bench.program)' list --format jsonl | grep -o '"id":"[^"]*"' | sort >after
        """)
      #expect(scans.map(\.status) == [0, 0])
      #expect(scans[1].report.moved == 3)
      #expect(scans[1].report.missing == 0)
      try await bench.bash("diff before after")
      #expect(try await bench.list(["--missing"]).isEmpty)
    }

    @Test func `a rewrite within a step of the disk's clock is seen`() async throws {
      let bench = try Workbench()
      try bench.addPicture("../stock/a.gif", width: 20)
      try bench.addPicture("../other.gif", width: 30, words: "../stock/a.gif")
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --time-step 2
        # Right after a step of two seconds.
        until (( $(date +%s) % 2 == 0 )); do sleep 0.05; done
        cat stock/a.gif >copy
        cat copy >stock/a.gif
        scan library
        cat other.gif >stock/a.gif
        scan
        sleep 2.2
        scan
        scan
        """)
      #expect(scans.map(\.status) == [0, 0, 0, 0])
      #expect(scans[1].report.changed == 1)
      // Read again when it is old enough, and found unchanged.
      #expect(scans[2].report.unchanged == 1)
      #expect(scans[3].report.unchanged == 1)
      #expect(try await bench.list().map(\.pixelWidth) == [30])
    }

    @Test func `a file that moves during the walk into a folder that was read is not missing`()
      async throws
    {
      let bench = try Workbench()
      for name in ["a/y", "z/x", "z/trip/v"] {
        try bench.addPicture("../stock/\(name).gif")
      }
      let scans = try await bench.script(
        mounting: true,
        """
        odd_disk stock library --held-folder '/z$' --gate gate
        scan library
        touch gate
        scan & scanning=$!
        until [[ -e gate-reached ]]; do sleep 0.02; done
        mv stock/z/x.gif stock/z/trip stock/a
        rm gate
        wait $scanning
        scan
        """)
      #expect(scans.map(\.status) == [0, 0, 0])
      #expect(scans[1].report.missing == 0)
      #expect(scans[1].report.moved == 2)
      #expect(scans[1].report.addsUp)
      #expect(scans[2].report.unchanged == 3)
    }

    /// One call after the other would take 20 s, in one folder as in many.
    @Test(.timeLimit(.minutes(1)), arguments: [500, 10])
    func `a scan of a slow disk does not wait for one status after the other`(
      perFolder: Int
    ) async throws {
      let bench = try Workbench()
      for index in 0..<500 {
        try bench.addPicture("../stock/\(index / perFolder)/\(index).gif")
      }
      try await bench.letFilesAge()
      let scans = try await bench.script(
        mounting: true,
        """
        mount --bind stock library
        scan library
        umount library
        odd_disk stock library --slow-status 0.04
        SECONDS=0
        scan
        [[ $SECONDS -lt 10 ]]
        """)
      #expect(scans.map(\.report.added) == [500, 0])
      #expect(scans[1].report.unchanged == 500)
    }

    /// To open the files of one request takes 2.5 times as long as the limit for one file.
    @Test func `a slow disk costs no file`() async throws {
      let bench = try Workbench()
      for index in 0..<50 { try bench.addPicture("../stock/\(index).gif") }
      let scans = try await bench.script(
        mounting: true,
        """
        export SHOEBOX_FILE_TIMEOUT=1
        odd_disk stock library --slow-open 0.08
        scan library --jobs 1
        """)
      #expect(scans.map(\.report.unreadable) == [0])
      #expect(scans.map(\.report.added) == [50])
    }
  }
}
