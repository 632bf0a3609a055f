import Testing
import Workbench

extension ScanTests {
  /// What comes to a place where something is missing.
  @Suite struct MissingFiles {
    /// A new file often gets the inode of one that was just deleted: here it surely does.
    @Test func `what comes to the place of a missing file is that file if it has its content`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(5)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("cp library/folder0/picture3.gif away.gif")
      for _ in 1...2 {
        try await bench.bash("mv library/folder0/picture3.gif aside")
        #expect(try await bench.scan().report.missing == 1)
        try await bench.bash("cat away.gif >aside; mv aside library/folder0/picture3.gif")
        let (status, report) = try await bench.scan()
        #expect(status == 0)
        #expect(report.addsUp)
        #expect(report.changed == 1 && report.unchanged == 4)
        #expect(try await bench.identifiers() == before)
        #expect(try await bench.list(["--missing"]).isEmpty)
        let listed = try await bench.list(["--name", "picture3.gif"])
        #expect(listed.map(\.pixelWidth) == [4])
      }
    }

    @Test func `other content at the place of a missing file is another file`() async throws {
      let bench = try Workbench()
      try bench.addPictures(5)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      // The very inode, as a file system gives it to the next file.
      try await bench.bash("mv library/folder0/picture3.gif aside")
      #expect(try await bench.scan().report.missing == 1)
      try await bench.bash("cat library/folder0/picture4.gif >aside; printf x >>aside")
      try await bench.bash("mv aside library/folder0/picture3.gif")
      let (status, report) = try await bench.scan()
      #expect(status == 0)
      #expect(report.addsUp)
      #expect(report.added == 1 && report.unchanged == 4)
      let after = try await bench.identifiers()
      #expect(after["folder0/picture3.gif"] != before["folder0/picture3.gif"])
      let missing = try await bench.list(["--missing"])
      #expect(missing.map(\.id) == [before["folder0/picture3.gif"]])
    }

    @Test func `a file that has moved to the place of a missing one is the one it was`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(5)
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("rm library/folder0/picture3.gif")
      _ = try await bench.scan()
      try await bench.bash("cd library/folder0; cp picture2.gif picture3.gif; rm picture2.gif")
      let (_, report) = try await bench.scan()
      #expect(report.moved == 1 && report.added == 0)
      let after = try await bench.identifiers()
      #expect(after["folder0/picture3.gif"] == before["folder0/picture2.gif"])
      let missing = try await bench.list(["--missing"])
      #expect(missing.map(\.id) == [before["folder0/picture3.gif"]])
    }

    @Test func `what is missing where its very content is is forgotten`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "b.gif"] { try bench.addPicture(name, words: "the same") }
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("mv library/b.gif library/a.gif")
      #expect(try await bench.scan().report.moved == 1)
      #expect(try await bench.list(["--missing"]).isEmpty)
      #expect(try await bench.identifiers()["a.gif"] == before["b.gif"])
    }

    @Test func `a copy in its place does not keep a moved file from being known`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "b.gif"] { try bench.addPicture(name, words: "the same") }
      _ = try await bench.scan([bench.library])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mkdir z; mv a.gif z; mv b.gif a.gif")
      #expect(try await bench.scan().report.moved == 2)
      let after = try await bench.identifiers()
      #expect(after == ["z/a.gif": before["a.gif"], "a.gif": before["b.gif"]])
    }
  }
}
