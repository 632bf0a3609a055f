import Testing
import Workbench

extension ExportTests {
  /// What `--overwrite` does not replace.
  @Suite struct Overwriting {
    /// Exports with `--overwrite`, which must refuse the only asset and leave the file as it is.
    private func expectRefusal(
      of file: String, _ sentence: String, _ bench: Workbench, _ arguments: [String] = []
    ) async throws {
      let state = "find \(file) -type f -printf '%p %i %T@\\n' -exec sha256sum {} +"
      let before = try await bench.bash(state)
      #expect(!before.isEmpty)
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--overwrite", "--to", bench.target] + arguments)
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.output.contains(sentence), "\(outcome.output)")
      #expect(try await bench.bash(state) == before)
      #expect(try await bench.leftovers().isEmpty)
    }

    /// The catalog has another inode of an original that was saved again since the scan.
    @Test(arguments: [false, true])
    func `an original in the target that a scan has found through a link stays`(
      isSavedAgain: Bool
    ) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try await bench.bash("mkdir out; mv library/a.gif out; ln -s ../out/a.gif library/a.gif")
      #expect(try await bench.shoebox(["scan", "--follow-links", bench.library]).status == 0)
      if isSavedAgain { try await bench.bash("cp -p out/a.gif new; mv new out/a.gif") }
      try await expectRefusal(of: "out/a.gif", "originals are never overwritten", bench)
    }

    /// A file of another asset has the name of a result.
    @Test func `an original of another asset that a scan has found through a link stays`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPicture("a.gif", words: "first")
      try bench.addPicture("sub/b.gif", words: "second")
      try await bench.bash(
        "mkdir out; mv library/sub/b.gif out/a.gif; ln -s ../../out/a.gif library/sub/b.gif")
      #expect(try await bench.shoebox(["scan", "--follow-links", bench.library]).status == 0)
      try await expectRefusal(
        of: "out/a.gif", "originals are never overwritten", bench, [bench.library + "/a.gif"])
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `an original in a folder of the library that is mounted twice stays`() async throws {
      let bench = try Workbench()
      try bench.addPicture("2023/a.gif")
      _ = try await bench.scan([bench.library])
      let before = try await bench.originals()
      let said = try await bench.bash(
        """
        mkdir out
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG='\(bench.catalog)' $enter bash -eu -c '
          mount --bind library/2023 out
          status=0
          "$0" export --preset current --flatten --overwrite --to out 2>&1 || status=$?
          echo "status $status"
          rm out/.shoebox-*
        ' '\(bench.program)'
        """)
      #expect(said.contains("originals are never overwritten"), "\(said)")
      #expect(said.hasSuffix("status 1\n"), "\(said)")
      #expect(try await bench.originals() == before)
    }

    /// With an XMP file the result exchanges its name with the file that it replaces.
    @Test(arguments: [[], ["--sidecars", "xmp"]])
    func `a folder with the name of a result stays`(flags: [String]) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash("mkdir -p out/a.gif; echo mine >out/a.gif/file")
      try await expectRefusal(of: "out/a.gif", "out/a.gif is a folder: move it away", bench, flags)
    }

    /// To the disk both are `ass.gif`.
    @Test(
      .enabled("a disk with faults can be mounted in a namespace") {
        await Workbench.canMountOddDisks
      })
    func `a result stays whose name the disk takes for that of another result`() async throws {
      let bench = try Workbench()
      for name in ["aß.gif", "aẞ.gif"] { try bench.addPicture(name) }
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        mkdir stock out; printf x >stock/aß.gif
        \(Workbench.inNamespace)
        odd_disk stock out --case-blind
        status=0
        '\(bench.program)' export --to out --preset current --overwrite >said || status=$?
        echo "status $status" >>said
        END
        """)
      let said = try await bench.bash("cat said")
      #expect(said.contains("was created by another process"), "\(said)")
      #expect(said.hasSuffix("\n1 copied, 1 failed\nstatus 1\n"), "\(said)")
      #expect(try await bench.bash("ls stock | wc -l") == "1\n")
      #expect(try await bench.leftovers().isEmpty)
    }
  }
}
