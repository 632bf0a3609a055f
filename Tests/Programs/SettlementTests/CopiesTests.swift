import Testing
import Workbench

extension SettlementTests {
  /// A live photo can be spared only if both of its halves are there a second time.
  @Suite struct Copies {
    @Test func `a live photo counts as a duplicate only if its clip is one too`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "a/IMG_0001.JPG": "still-a1.jpg", "a/IMG_0001.MOV": "clip-a1.mov",
        "b/IMG_0001.JPG": "still-a1.jpg",
      ])
      #expect(try await bench.livePhotos() == ["a/IMG_0001.JPG": "a/IMG_0001.MOV"])
      #expect(try await bench.duplicates() == ["b/IMG_0001.JPG"], "the copy of the still alone")
      #expect(try await bench.duplicates("spareCopies") == ["b/IMG_0001.JPG"])

      try await bench.lay(["b/IMG_0001.MOV": "clip-a1.mov"])
      #expect(try await bench.livePhotos().count == 2)
      #expect(try await bench.duplicates() == ["a/IMG_0001.JPG", "b/IMG_0001.JPG"])
      #expect(try await bench.duplicates("spareCopies") == ["b/IMG_0001.JPG"])
      let sets = try await bench.shoebox(
        ["list", "--format", "csv", "--columns", "duplicateSet", "--type", "duplicates"])
      let values = sets.output.split(whereSeparator: \.isNewline).dropFirst()
      #expect(values.count == 2 && Set(values).count == 1)

      // Another clip of the same name and identifier: the still has its copy, the clip none.
      try await bench.bash("printf '\\0\\0\\0\\10free' >>library/b/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.livePhotos().count == 2)
      #expect(try await bench.duplicates().isEmpty)
      #expect(try await bench.duplicates("spareCopies").isEmpty)

      try await bench.bash("rm library/b/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.duplicates() == ["b/IMG_0001.JPG"])
    }

    @Test func `hard links are not copies, and the last copy is never spare`() async throws {
      let bench = try Workbench()
      for name in ["a.gif", "b.gif"] { try bench.addPicture(name) }
      try await bench.bash("ln library/a.gif library/link.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.duplicates().isEmpty)
      // A true copy of what has two names: one of the three may go.
      try await bench.bash("cp library/a.gif library/copy.gif; cp library/b.gif library/b2.gif")
      _ = try await bench.scan()
      #expect(
        try await bench.duplicates() == ["a.gif", "b.gif", "b2.gif", "copy.gif", "link.gif"])
      #expect(try await bench.duplicates("spareCopies") == ["b2.gif", "copy.gif"])
      try await bench.bash(
        "'\(bench.program)' list --catalog catalog.sqlite --type spareCopies --format paths0 | xargs -0 rm"
      )
      _ = try await bench.scan()
      #expect(try await bench.list().count == 3)
      #expect(try await bench.duplicates("spareCopies").isEmpty)
    }

    @Test func `the copy that a sidecar describes is kept, whenever the sidecar comes`()
      async throws
    {
      let bench = try Workbench()
      for name in ["a.gif", "c.gif"] { try bench.addPicture(name) }
      // Of copies that are equal in all else the one is kept that the catalog has first.
      _ = try await bench.scan([bench.library])
      try await bench.bash("cp library/a.gif library/b.gif; cp library/c.gif library/d.gif")
      let described =
        #"{"title":"d.gif","description":"Lake","photoTakenTime":{"timestamp":"1588489872"}}"#
      try await bench.bash("echo '\(described)' >library/d.gif.json")
      _ = try await bench.scan()
      #expect(try await bench.duplicates("spareCopies") == ["b.gif", "c.gif"])

      try await bench.bash(
        "sed s/d.gif/b.gif/ library/d.gif.json >library/b.gif.json; rm library/d.gif.json")
      _ = try await bench.scan()
      #expect(try await bench.duplicates("spareCopies") == ["a.gif", "d.gif"])
    }
  }
}

extension Workbench {
  /// The paths of the assets that have copies.
  fileprivate func duplicates(_ kind: String = "duplicates") async throws -> [String] {
    try await list(["--type", kind])
      .map { String($0.path.dropFirst(library.count + 1)) }.sorted()
  }
}
