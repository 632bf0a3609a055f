import Testing
import Workbench

extension ScanTests {
  /// The whole sample library. The script that makes it states what is expected.
  @Suite struct SampleLibrary {
    private func scanned() async throws -> (Workbench, ScanReport) {
      let bench = try Workbench()
      try await bench.addSampleLibrary()
      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 1, "it holds two files that cannot be read")
      return (bench, report)
    }

    @Test func `every file is accounted for`() async throws {
      let (bench, report) = try await scanned()
      #expect(report.addsUp)
      #expect(report.scanned == 18)
      #expect(report.added == 16)
      #expect(report.pairs == 1)
      #expect(
        Set(report.failures.map(\.path)) == [
          "\(bench.library)/Odd/cut-off.heic", "\(bench.library)/Odd/empty.jpg",
        ])
      #expect(report.failures.allSatisfy { isSentence($0.error) })
      #expect(try await bench.list().count == 17)

      let again = try await bench.scan()
      #expect(again.report.unchanged == 16)
      #expect(again.report.added == 0)
      #expect(again.report.changed == 0)
    }

    @Test func `each kind of file has the facts that were written into it`() async throws {
      let (bench, _) = try await scanned()
      let assets = try await bench.list()
      func asset(_ path: String) throws -> ListedAsset {
        try #require(assets.first { $0.path == "\(bench.library)/\(path)" }, "\(path)")
      }

      let live = try asset("DCIM/100APPLE/IMG_0001.HEIC")
      #expect(live.subtypes?.contains("livePhoto") == true)
      #expect(live.captureDate == "2024-06-01T10:15:30.123+02:00")
      #expect(live.location?.isNear(latitude: 47.5596, longitude: 7.5886) == true)
      #expect([live.camera?.make, live.camera?.model] == ["Apple", "iPhone 13 Pro"])
      #expect(live.resources?.map(\.type) == ["photo", "pairedVideo"])
      #expect(live.resources?.last?.path == "\(bench.library)/DCIM/100APPLE/IMG_0001.MOV")

      let upright = try asset("DCIM/100APPLE/IMG_0002.JPG")
      #expect([upright.pixelWidth, upright.pixelHeight, upright.orientation] == [480, 640, 6])
      #expect(upright.location?.isNear(latitude: -33.8568, longitude: 151.2153) == true)
      #expect(upright.resources?.contains { $0.type == "adjustmentData" } == true)

      let movie = try asset("DCIM/100APPLE/IMG_0003.MOV")
      #expect(movie.mediaType == "video")
      #expect(movie.captureDate == "2024-06-03T09:00:00+02:00")
      #expect([movie.video?.codec, movie.video?.audioCodec] == ["hevc", "aac"])
      #expect(movie.uniformType == "com.apple.quicktime-movie")

      let turned = try asset("Camera/VID_20230714_183005.mp4")
      #expect([turned.pixelWidth, turned.pixelHeight] == [360, 640])
      #expect(turned.captureDate == "2023-07-14T18:30:05+02:00")

      #expect(try asset("Camera/DSC_0100.JPG").captureDate == "2019-12-24T17:05:00")
      #expect(
        try asset("Takeout/Trip to Basel/rhine.jpg").captureDate == "2019-07-31T12:00:00+02:00")
      #expect(try asset("Odd/really-a-png.jpg").uniformType == "public.png")
      #expect(try asset("Web/garden.avif").uniformType == "public.avif")
      #expect(try asset("Web/poster.webp").pixelWidth == 320)
    }

    @Test func `screenshots are found by their marks and by their names`() async throws {
      let (bench, _) = try await scanned()
      let found = try await bench.list(["--type", "screenshots"]).map(\.path).sorted()
      #expect(
        found == [
          "\(bench.library)/DCIM/100APPLE/IMG_0004.PNG",
          "\(bench.library)/Screenshots/Screenshot 2024-03-02 at 9.41.07\u{202F}PM.png",
        ])
    }

    @Test func `show finds a picture by its path, its id and a unique prefix of its id`()
      async throws
    {
      let (bench, _) = try await scanned()
      let path = "\(bench.library)/DCIM/100APPLE/IMG_0001.HEIC"
      let identifier = try #require(try await bench.list().first { $0.path == path }?.id)
      for name in [path, identifier, String(identifier.prefix(8))] {
        let shown = try await bench.shoebox(["show", name])
        #expect(shown.status == 0)
        #expect(shown.output.contains("iPhone 13 Pro"))
      }
      #expect(try await bench.shoebox(["show", "\(bench.library)/nothing.jpg"]).status != 0)
    }

    /// Whether an error reads as one sentence for a person.
    private func isSentence(_ text: String) -> Bool {
      text.hasSuffix(".") && !text.contains("\n") && text.first?.isUppercase == true
    }
  }
}
