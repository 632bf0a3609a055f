import Testing
import Workbench

extension SettlementTests {
  /// Pairs whose halves appear, disappear and move between scans.
  @Suite struct LaterScans {
    private static let halves = ["IMG_0001.JPG": "still-a1.jpg", "IMG_0001.MOV": "clip-a1.mov"]

    @Test(arguments: ["IMG_0001.JPG", "IMG_0001.MOV"])
    func `the half that comes a scan later finds the other`(first: String) async throws {
      let bench = try await Workbench.withMediaPool()
      let second = first.hasSuffix("JPG") ? "IMG_0001.MOV" : "IMG_0001.JPG"
      for (name, pairs) in [(first, 0), (second, 1)] {
        let source = try #require(Self.halves[name])
        let report = try await bench.lay([name: source])
        #expect(report.pairs == pairs)
      }
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "IMG_0001.MOV"])
      #expect(try await bench.videos().isEmpty)
    }

    @Test(arguments: ["a", "n"])
    func
      `a clip whose still disappears is a video with its old id, and a clip again when the still returns`(
        identifier: String
      ) async throws
    {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.MOV": "clip-\(identifier)1.mov"])
      let alone = try await bench.identifiers()
      try await bench.lay(["IMG_0001.JPG": "still-\(identifier)1.jpg"])
      let paired = try await bench.list()
      #expect(paired.map(\.mediaType) == ["image"])

      try await bench.bash("mv library/IMG_0001.JPG away.jpg")
      let gone = try await bench.scan().report
      #expect([gone.pairs, gone.missing] == [0, 1])
      #expect(try await bench.identifiers() == alone)

      try await bench.bash("mv away.jpg library/IMG_0001.JPG")
      #expect(try await bench.scan().report.pairs == 1)
      #expect(try await bench.list() == paired)
    }

    @Test func `a still whose clip disappears is no longer a live photo`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.JPG": "still-n1.jpg"])
      let alone = try await bench.list()
      try await bench.lay(["IMG_0001.MOV": "clip-n1.mov"])
      #expect(try await bench.list().first?.duration == 2.5)
      try await bench.bash("rm library/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.list() == alone)
    }

    @Test func `a half that moves stays paired by its identifier, not by its name`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.JPG": "still-a1.jpg", "IMG_0001.MOV": "clip-a1.mov",
        "IMG_0002.JPG": "still-n1.jpg", "IMG_0002.MOV": "clip-n1.mov",
      ])
      let before = try await bench.identifiers()
      #expect(before.count == 2)
      try await bench.bash("mkdir library/clips; mv library/*.MOV library/clips/")
      let report = try await bench.scan().report
      #expect([report.moved, report.pairs] == [2, 1])
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "clips/IMG_0001.MOV"])
      #expect(try await bench.videos() == ["clips/IMG_0002.MOV"])

      try await bench.bash("mv library/clips/*.MOV library/")
      _ = try await bench.scan()
      #expect(try await bench.identifiers() == before)
    }

    @Test(arguments: ["stills", "clips"])
    func `a half whose root is forgotten leaves the other unpaired`(root: String) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        "mkdir stills clips; cp pool/still-a1.jpg stills; cp pool/clip-a1.mov clips")
      let folders = ["stills", "clips"].map { bench.folder + "/" + $0 }
      #expect(try await bench.scan(folders).report.pairs == 1)
      #expect(try await bench.shoebox(["roots", "forget", "\(bench.folder)/\(root)"]).status == 0)
      #expect(
        try await CatalogInvariants.violations(on: bench).allSatisfy { $0.contains("unsettled") })
      #expect(try await bench.scan().report.pairs == 0)
      #expect(try await CatalogInvariants.violations(on: bench).isEmpty)
      #expect(try await bench.list().map(\.resources?.count) == [1])
    }

    @Test func `a moved clip leaves its place to another`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["a/IMG_0001.JPG": "still-n1.jpg", "a/IMG_0001.MOV": "clip-n1.mov"])
      try await bench.bash(
        "mkdir library/b; mv library/a/*.MOV library/b/; cp -p pool/clip-n1.mov library/a/IMG_0001.MP4"
      )
      _ = try await bench.scan()
      #expect(try await bench.livePhotos() == ["a/IMG_0001.JPG": "a/IMG_0001.MP4"])
      #expect(try await bench.videos() == ["b/IMG_0001.MOV"])
    }

    @Test func `halves that are both replaced are parted`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.JPG": "still-a1.jpg", "IMG_0001.MOV": "clip-a1.mov"])
      try await bench.bash(
        "cat pool/still-n0.jpg >library/IMG_0001.JPG; cat pool/long-n1.mov >library/IMG_0001.MOV")
      let report = try await bench.scan().report
      #expect([report.changed, report.pairs] == [2, 0])
      #expect(try await bench.videos() == ["IMG_0001.MOV"])
    }

    @Test func `slow motion that edits chose goes with them`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.MOV": "fast-n1.mov"])
      let plain = try await bench.dump()
      try await bench.lay(["IMG_0001.AAE": "edits.aae"])
      #expect(try await bench.list(["--type", "slomoVideos"]).isEmpty, "a trim, say")
      #expect(try await bench.list(["--type", "edited"]).count == 1)
      try await bench.lay(["IMG_0001.AAE": "slow.aae"])
      #expect(try await bench.list(["--type", "slomoVideos"]).count == 1)
      try await bench.bash("rm library/IMG_0001.AAE")
      _ = try await bench.scan()
      #expect(try await bench.dump() == plain)
    }

    @Test func `edits of a picture with a RAW are the picture's`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.DNG": "raw-n1.dng", "IMG_0001.JPG": "still-n1x.jpg", "IMG_0001.AAE": "edits.aae",
      ])
      let assets = try await bench.list(["--type", "edited"])
      #expect(
        assets.map { $0.resources?.map(\.type).sorted() }
          == [["adjustmentData", "alternatePhoto", "photo"]])
    }

    @Test func `an edited picture with a RAW is one asset of three`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.DNG": "raw-n1.dng", "IMG_0001.JPG": "still-n1x.jpg",
        "IMG_E0001.JPG": "still-n0.jpg",
      ])
      let assets = try await bench.list()
      #expect(
        assets.map { $0.resources?.map(\.type).sorted() }
          == [["alternatePhoto", "fullSizePhoto", "photo"]])
      #expect(assets.first?.path.hasSuffix("/IMG_0001.JPG") == true)
    }
  }
}
