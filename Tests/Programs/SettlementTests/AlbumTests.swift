import Testing
import Workbench

extension SettlementTests {
  /// The user's albums keep what the user has put into them, whatever becomes of the files.
  @Suite struct Albums {
    /// The files of an album, below the library.
    private func album(_ bench: Workbench, _ title: String) async throws -> [String] {
      try await bench.list(["--album", title]).map {
        String($0.path.dropFirst(bench.library.count + 1))
      }.sorted()
    }

    private func add(_ bench: Workbench, _ title: String, _ files: String...) async throws {
      let outcome = try await bench.shoebox(["albums", "add", title] + files)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `moved, missing, returning and edited files stay in their album`() async throws {
      let bench = try Workbench()
      try bench.addPictures(6, perFolder: 3)
      _ = try await bench.scan([bench.library])
      try await add(
        bench, "Best", "library/folder0/picture0.gif", "library/folder0/picture1.gif",
        "library/folder1/picture4.gif")
      let before = try await bench.identifiers()
      // A file and a folder are moved, one file is renamed over its place.
      try await bench.bash(
        "mkdir library/new; mv library/folder0/picture0.gif library/new/a.gif; mv library/folder1 library/far"
      )
      _ = try await bench.scan()
      #expect(
        try await album(bench, "best") == [
          "far/picture4.gif", "folder0/picture1.gif", "new/a.gif",
        ])
      try await bench.bash("mv library/new aside")
      _ = try await bench.scan()
      #expect(try await album(bench, "best") == ["far/picture4.gif", "folder0/picture1.gif"])
      #expect(
        try await bench.list(["--album", "Best", "--missing"]).map(\.id)
          == [before["folder0/picture0.gif"]])
      let listed = try await bench.shoebox(["albums", "--format", "csv"])
      #expect(listed.output == "kind,title,count,missingCount\r\nuser,Best,2,1\r\n")
      // Other content in the place of one, and everything is read again.
      try await bench.bash(
        "mv aside library/new; printf ';' >>library/folder0/picture1.gif")
      _ = try await bench.scan()
      #expect(
        try await bench.shoebox(["scan", "--rebuild"]).status == 0)
      #expect(
        try await album(bench, "BEST") == [
          "far/picture4.gif", "folder0/picture1.gif", "new/a.gif",
        ])
      #expect(try await CatalogInvariants.violations(on: bench) == [])
    }

    @Test func `a copy in the place of a file takes its place in the album`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "b.gif"] { try bench.addPicture(name, words: "the same") }
      _ = try await bench.scan([bench.library])
      try await add(bench, "Best", "library/a.gif")
      let before = try await bench.identifiers()
      try await bench.bash("mv library/b.gif library/a.gif")
      _ = try await bench.scan()
      #expect(try await bench.identifiers() == ["a.gif": before["b.gif"]])
      #expect(try await album(bench, "Best") == ["a.gif"])
    }

    @Test func `a clip that becomes part of a live photo brings it into the album`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.MOV": "clip-a1.mov", "b.MOV": "clip-b2.mov"])
      try await add(bench, "Clips", "library/IMG_0001.MOV")
      try await bench.lay(["IMG_0001.JPG": "still-a1.jpg"])
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "IMG_0001.MOV"])
      #expect(try await album(bench, "Clips") == ["IMG_0001.JPG"])
      // The still goes: its clip is what is left of the picture.
      try await bench.bash("mv library/IMG_0001.JPG aside")
      _ = try await bench.scan()
      #expect(try await album(bench, "Clips") == ["IMG_0001.MOV"])
      try await bench.bash("mv aside library/IMG_0001.JPG")
      _ = try await bench.scan()
      #expect(try await album(bench, "Clips") == ["IMG_0001.JPG"])
      // A part that is taken out takes the asset along, and it does not come back.
      _ = try await bench.shoebox(["albums", "remove", "Clips", "library/IMG_0001.MOV"])
      #expect(try await album(bench, "Clips") == [])
      try await bench.bash("touch -d 2001-01-01 library/IMG_0001.JPG library/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await album(bench, "Clips") == [])
      #expect(try await CatalogInvariants.violations(on: bench) == [])
    }

    @Test func `a RAW is in the albums of its picture, also when it is alone`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["X.JPG": "still-n1.jpg", "X.DNG": "raw-n1.dng"])
      #expect(try await bench.list().count == 1)
      try await add(bench, "Both", "library/X.JPG")
      try await bench.bash("rm library/X.JPG")
      _ = try await bench.scan()
      #expect(try await album(bench, "Both") == ["X.DNG"])
    }
  }
}
