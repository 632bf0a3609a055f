import Testing
import Workbench

extension SettlementTests {
  /// Time zones that neighbours in the same folder have, and places.
  @Suite struct Zones {
    private static let clip = "clip.MOV 2024-06-01T10:15:48+02:00 quicktime:mvhd+neighbor"
    private static let unknown = "clip.MOV 2024-06-01T08:15:48+00:00 quicktime:mvhd"

    private func times(_ bench: Workbench) async throws -> [String] {
      #expect(try await CatalogInvariants.violations(on: bench) == [])
      return try await bench.list(["--sort", "name"]).map { asset in
        [
          String(asset.path.dropFirst(bench.library.count + 1)), asset.captureDate,
          asset.captureDateSource, asset.timeZoneEvidence,
        ].compactMap(\.self).joined(separator: " ")
      }
    }

    @Test func `a clip in UTC is listed after the picture taken 18 s before it`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["clip.MOV": "clip-u1.mov", "away/IMG_1.JPG": "still-n1.jpg"])
      #expect(try await times(bench).first == Self.unknown, "the picture is in another folder")

      try await bench.bash("mv library/away/IMG_1.JPG library/")
      _ = try await bench.scan()
      #expect(try await times(bench).first == Self.clip + " 18 s after IMG_1.JPG")
      #expect(
        try await bench.list().map(\.path).map { $0.hasSuffix("clip.MOV") } == [true, false],
        "the latest first")
      let shown = try await bench.shoebox(["show", "--no-tags", bench.library + "/clip.MOV"])
      #expect(shown.output.contains("inferred: taken 18 s after IMG_1.JPG"))

      // The evidence follows the name; the zone goes with the picture, and comes back.
      try await bench.bash("mv library/IMG_1.JPG library/IMG_2.JPG")
      _ = try await bench.scan()
      #expect(try await times(bench).first == Self.clip + " 18 s after IMG_2.JPG")
      try await bench.bash("mv library/IMG_2.JPG .")
      _ = try await bench.scan()
      #expect(try await times(bench) == [Self.unknown])
      try await bench.bash("mv IMG_2.JPG library/")
      _ = try await bench.scan()
      #expect(try await times(bench).first == Self.clip + " 18 s after IMG_2.JPG")

      // A later picture with another zone contradicts; a still later one does not matter.
      try await bench.lay(["z.JPG": "still-z3.jpg"])
      #expect(try await times(bench).first == Self.unknown)
      try await bench.lay(["b.JPG": "still-n1.jpg"])
      try await bench.bash(
        "exiftool -q -overwrite_original '-DateTimeOriginal=2024:06:01 12:00:00' library/b.JPG")
      _ = try await bench.scan()
      #expect(try await times(bench).contains(Self.clip + " 18 s after IMG_2.JPG"))
    }

    @Test func `names of exports have the local time`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["clip.MOV": "clip-u1.mov", "IMG_1.JPG": "still-n1.jpg"])
      _ = try await bench.shoebox([
        "export", "--to", bench.folder + "/out", "--name", "{captureDate:HHmmss}{ext}",
        "--sidecars", "xmp", "--preset", "current",
      ])
      let names = try await bench.bash("ls out; grep -h DateTimeOriginal out/*MOV.xmp")
      #expect(names.contains("101548.MOV"))
      #expect(names.contains("2024-06-01T10:15:48+02:00"))
      let own = try await bench.bash("exiftool -s3 -CreateDate out/101548.MOV")
      #expect(own.contains("2024:06:01 08:15:48"), "the file is as it was")
    }

    @Test func `a time in UTC from a sidecar gets a zone, and loses it with the sidecar`()
      async throws
    {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n0.jpg library/IMG_0001.JPG; cp pool/takeout.json library/IMG_0001.JPG.json
        cp pool/still-n1.jpg library/IMG_0002.JPG
        sed -i 's/47.5606/0.0/; s/7.5949/0.0/' library/IMG_0001.JPG.json
        """)
      _ = try await bench.scan([bench.library])
      let dated =
        "IMG_0001.JPG 2024-06-01T10:15:30+02:00 takeout:photoTakenTime+neighbor same time as IMG_0002.JPG"
      #expect(try await times(bench).first == dated)
      try await bench.bash("sed -i 's/river/brook/' library/IMG_0001.JPG.json")
      _ = try await bench.scan()
      #expect(try await times(bench).first == dated)
      try await bench.bash("rm library/IMG_0001.JPG.json")
      _ = try await bench.scan()
      #expect(try await times(bench).first == "IMG_0001.JPG")
    }

    /// As drones write it, whose names show that the header is local time; and as phones do, by the standard.
    @Test func `a header that equals the time in the name is local time at the place`() async throws
    {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        for name in DJI_20240601141530_0001_D VID_20240601_161530 DJI_0002; do
          ffmpeg -v error -f lavfi -i color=red:size=32x24:rate=5:duration=2 -c:v mpeg4 \
            -metadata creation_time=2024-06-01T14:15:30Z -metadata location=+47.5606+007.5949/ $name.mp4
        done
        """)
      _ = try await bench.scan([bench.library])
      #expect(
        try await times(bench) == [
          "DJI_0002.mp4 2024-06-01T16:15:30+02:00 quicktime:mvhd+place at this place",
          "DJI_20240601141530_0001_D.mp4 2024-06-01T14:15:30+02:00 quicktime:mvhd+name+place "
            + "at this place",
          "VID_20240601_161530.mp4 2024-06-01T16:15:30+02:00 quicktime:mvhd+name",
        ])
    }

    @Test func `a place has its zone, and a new place another one`() async throws {
      let bench = try await Workbench.withMediaPool()
      let json = "library/IMG_0001.JPG.json"
      try await bench.bash(
        "cp pool/still-n0.jpg library/IMG_0001.JPG; cp pool/takeout.json \(json)")
      _ = try await bench.scan([bench.library])
      #expect(
        try await times(bench) == [
          "IMG_0001.JPG 2024-06-01T10:15:30+02:00 takeout:photoTakenTime+place at this place"
        ])
      let shown = try await bench.shoebox(["show", "--no-tags", bench.library + "/IMG_0001.JPG"])
      #expect(shown.output.contains("inferred: taken at this place"))
      // From Basel to the south of Nigeria.
      try await bench.bash("sed -i 's/47.5606/5.5606/' \(json)")
      _ = try await bench.scan()
      #expect(
        try await times(bench) == [
          "IMG_0001.JPG 2024-06-01T09:15:30+01:00 takeout:photoTakenTime+place at this place"
        ])
      // To the open sea.
      try await bench.bash("sed -i 's/5.5606/-50.5606/' \(json)")
      _ = try await bench.scan()
      #expect(
        try await times(bench) == [
          "IMG_0001.JPG 2024-06-01T08:15:30+00:00 takeout:photoTakenTime"
        ])
    }

    @Test func `the clip of a live photo has its own time`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["IMG_1.JPG": "still-n1.jpg", "x.MOV": "clip-u1.mov"])
      #expect(try await times(bench).count == 2)
      try await bench.bash(
        """
        ffmpeg -v error -i library/x.MOV -c copy -metadata creation_time=2024-06-01T08:15:30Z x.mov
        rm library/x.MOV; mv x.mov library/IMG_1.MOV
        """)
      _ = try await bench.scan()
      #expect(
        try await times(bench) == [
          "IMG_1.JPG 2024-06-01T10:15:30+02:00 exif:DateTimeOriginal+OffsetTimeOriginal"
        ])
      #expect(
        try await bench.query("SELECT capture_date FROM assets WHERE is_video AND NOT is_missing")
          == ["2024-06-01T08:15:30+00:00"])
    }
  }
}
