import Testing
import Workbench

extension SettlementTests {
  /// The ways in which public programs are known to pair live photos wrongly.
  @Suite struct Pairing {
    @Test func `copies of a pair in two folders are two pairs`() async throws {
      let bench = try await Workbench.withMediaPool()
      let report = try await bench.lay([
        "a/IMG_0001.JPG": "still-a1.jpg", "b/IMG_0001.MOV": "clip-a1.mov",
        "b/IMG_0001.JPG": "still-a1.jpg", "a/IMG_0001.MOV": "clip-a1.mov",
      ])
      #expect(report.pairs == 2)
      #expect(
        try await bench.livePhotos() == [
          "a/IMG_0001.JPG": "a/IMG_0001.MOV", "b/IMG_0001.JPG": "b/IMG_0001.MOV",
        ])
      #expect(try await bench.list().count == 2)
    }

    @Test func `of two clips with one identifier one is the pair's`() async throws {
      let bench = try await Workbench.withMediaPool()
      let report = try await bench.lay([
        "IMG_0001 copy.MOV": "clip-a1.mov", "IMG_0001.MOV": "clip-a1.mov",
        "IMG_0001.JPG": "still-a1.jpg",
      ])
      #expect(report.pairs == 1)
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "IMG_0001.MOV"])
      #expect(try await bench.videos() == ["IMG_0001 copy.MOV"])
    }

    @Test func `equal names weeks apart do not make a pair`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.JPG": "still-n2.jpg", "IMG_0001.MOV": "clip-n1.mov"])
      #expect(try await bench.livePhotos().isEmpty)
      #expect(try await bench.videos() == ["IMG_0001.MOV"])
      let reasons = try await bench.query(
        "SELECT evidence FROM labels WHERE subtype = 'livePhoto' AND NOT is_given ORDER BY evidence"
      )
      #expect(
        reasons == [
          "IMG_0001.JPG has its name, but they were taken at different times",
          "IMG_0001.MOV has its name, but they were taken at different times",
        ])
    }

    @Test func `different identifiers never pair, whatever the names and times`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.JPG": "still-a2.jpg", "IMG_0001.MOV": "clip-b2.mov"])
      #expect(try await bench.livePhotos().isEmpty)
    }

    @Test(arguments: [
      ("IMG_0001.JPG", "IMG_0001_HEVC.MOV"), ("IMG_0001(1).JPG", "IMG_0001(1).MOV"),
      ("PXL_20240601_081530.MP.jpg", "PXL_20240601_081530.MP"), ("IMG_0001.JPG", "IMG_0001"),
      ("IMG_0001.JPG", "img_0001.mov"), ("IMG_0001.JPG", "IMG_0001.JPG.mov"),
    ])
    func `names that programs change pair where no identifier can`(
      still: String, clip: String
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n1.jpg 'library/\(still)'; cp pool/clip-n1.mov 'library/\(clip)'
        cp pool/takeout.json 'library/\(still).supplemental-metadata.json'
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.livePhotos() == [still: clip])
      let asset = try await bench.list()
      #expect(
        asset.map { $0.resources?.map(\.type).sorted() }
          == [["pairedVideo", "photo", "sidecar"]])
    }

    @Test func `more files of one name do not come between the halves`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.AAE": "edits.aae", "IMG_0001.JPG": "still-a1.jpg",
        "IMG_0001.MOV": "clip-a1.mov", "IMG_0001.PNG": "picture.png",
        "IMG_0001.TIF": "picture.tif", "IMG_0001.XMP": "rated.xmp",
      ])
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "IMG_0001.MOV"])
      #expect(try await bench.list().count == 3, "other pictures of that name are pictures")
    }

    @Test func `a clip extracted from its motion photo does not become part of a live photo`()
      async throws
    {
      let bench = try await Workbench.withMediaPool()
      let names = ["PXL_20240601_101530.MP.jpg", "PXL_20240601_101530.MP"]
      let report = try await bench.lay([names[0]: "motion-n1.jpg", names[1]: "clip-n1.mov"])
      #expect(report.pairs == 0)
      let assets = try await bench.list()
      #expect(assets.map(\.subtypes) == [["motionPhoto"]])
      #expect(assets.first?.resources?.map(\.type) == ["photo", "pairedVideo", "pairedVideo"])

      // Another clip, and none: only the present content of the folder counts.
      try await bench.bash("cp pool/long-n1.mov library/\(names[1])")
      _ = try await bench.scan()
      #expect(try await bench.videos() == [names[1]])
      try await bench.bash("cp pool/still-n1.jpg library/\(names[0])")
      try await bench.bash("cp pool/clip-n1.mov library/\(names[1])")
      _ = try await bench.scan()
      #expect(try await bench.livePhotos() == [names[0]: names[1]])
    }

    @Test func `an edited video is an asset of its own that says so`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_0001.MOV": "long-n1.mov", "IMG_E0001.MOV": "clip-n1.mov"])
      #expect(try await bench.videos() == ["IMG_0001.MOV", "IMG_E0001.MOV"])
      let edited = try await bench.list(["--type", "edited"])
      #expect(edited.map { $0.path.hasSuffix("/IMG_E0001.MOV") } == [true])
      try await bench.bash("rm library/IMG_0001.MOV")
      _ = try await bench.scan()
      #expect(try await bench.list(["--type", "edited"]).isEmpty)
    }

    @Test func `a picture of another camera is not an edited version`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n1.jpg library/IMG_1234.JPG; cp pool/still-n1.jpg library/IMG_E1234.JPG
        exiftool -q -overwrite_original -Model='iPhone 13' library/IMG_1234.JPG
        exiftool -q -overwrite_original -Model='iPhone X' library/IMG_E1234.JPG
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.list().count == 2)
      #expect(try await bench.list(["--type", "edited"]).isEmpty)
      try await bench.bash(
        "exiftool -q -overwrite_original -Model='iPhone 13' library/IMG_E1234.JPG")
      _ = try await bench.scan()
      #expect(try await bench.list().count == 1)
      try await bench.bash(
        "exiftool -q -overwrite_original -AllDates='2019:07:02 15:00:00' library/IMG_E1234.JPG")
      _ = try await bench.scan()
      #expect(try await bench.list().count == 2)
    }

    @Test func `times from file names do not make a live photo`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "signal-2023-05-06-12-34-56-789.jpg": "still-n0.jpg",
        "signal-2023-05-06-12-34-56-789.mp4": "clip-n0.mov",
      ])
      #expect(try await bench.livePhotos().isEmpty)
      let times = try await bench.list().map(\.captureDate)
      #expect(times == ["2023-05-06T12:34:56.789", "2023-05-06T12:34:56.789"])
    }

    @Test func `a sidecar knows the time better than the name`() async throws {
      let bench = try await Workbench.withMediaPool()
      let name = "IMG-20190704-WA0001.jpg"
      try await bench.lay([name: "still-n0.jpg"])
      #expect(try await bench.list().first?.captureDate == "2019-07-04T00:00:00")
      try await bench.lay([name + ".supplemental-metadata.json": "takeout.json"])
      #expect(try await bench.list().first?.captureDate == "2024-06-01T10:15:30+02:00")
      try await bench.bash("rm library/*.json")
      _ = try await bench.scan()
      #expect(try await bench.list().first?.captureDate == "2019-07-04T00:00:00")
    }

    @Test func `a clip too long takes nothing from the right one`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.JPG": "still-n1.jpg", "IMG_0001.MOV": "long-n1.mov",
        "IMG_0001_HEVC.MOV": "clip-n1.mov",
      ])
      #expect(try await bench.livePhotos() == ["IMG_0001.JPG": "IMG_0001_HEVC.MOV"])
      #expect(try await bench.videos() == ["IMG_0001.MOV"])
    }
  }
}
