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

      try await bench.lay(["b/IMG_0001.MOV": "clip-a1.mov"])
      #expect(try await bench.livePhotos().count == 2)
      #expect(try await bench.duplicates() == ["a/IMG_0001.JPG", "b/IMG_0001.JPG"])

      // Another clip of the same name and identifier: the still has its copy, the clip none.
      try await bench.bash("printf '\\0\\0\\0\\10free' >>library/b/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.livePhotos().count == 2)
      #expect(try await bench.duplicates().isEmpty)

      try await bench.bash("rm library/b/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.duplicates() == ["b/IMG_0001.JPG"])
    }
  }
}

extension Workbench {
  /// The paths of the assets that have copies.
  fileprivate func duplicates() async throws -> [String] {
    try await list(["--type", "duplicates"])
      .map { String($0.path.dropFirst(library.count + 1)) }.sorted()
  }
}
