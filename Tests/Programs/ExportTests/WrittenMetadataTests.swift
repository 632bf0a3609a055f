import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// The facts of sidecars and names in results, by `--write-metadata`, as exiftool reads them.
  @Suite struct WrittenMetadata {
    private static let pictures = ["a.jpg", "b.png", "c.webp", "d.tif", "e.heic", "f.avif"]
    private static let movies = ["g.mp4", "h.mov"]

    /// Files without metadata of their own in each format; the MOV has its header in front of its samples.
    private static let pool = Task {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -size 64x48 gradient:red-blue -strip a.jpg
        for name in b.png c.webp d.tif e.heic f.avif i.gif; do convert a.jpg -strip $name; done
        ffmpeg -v error -f lavfi -i testsrc=d=1:s=64x48:r=10 -f lavfi -i sine=d=1 -c:v libx264 -pix_fmt yuv420p \
          -fflags +bitexact g.mp4
        ffmpeg -v error -i g.mp4 -c copy -movflags +faststart -fflags +bitexact h.mov
        """)
      return bench
    }

    private static let takeout = """
      {"title": "NAME", "description": "River & <sea> ü", "photoTakenTime": {"timestamp": "1717229730"},
       "geoData": {"latitude": 47.5606, "longitude": -7.5949, "altitude": -2.5},
       "people": [{"name": "Zoë"}], "favorited": true}
      """

    /// A library with these files of the pool, each with a Takeout file.
    private func bench(_ names: [String]) async throws -> Workbench {
      let pool = try await Self.pool.value
      let bench = try Workbench()
      for name in names {
        try await bench.bash("cp '\(pool.folder)/\(name)' library/")
        try Self.takeout.replacingOccurrences(of: "NAME", with: name).write(
          toFile: bench.library + "/\(name).supplemental-metadata.json", atomically: true,
          encoding: .utf8)
      }
      _ = try await bench.scan([bench.library])
      return bench
    }

    private func tags(_ bench: Workbench, _ file: String, _ names: [String]) async throws
      -> [String]
    {
      return try await Tool.exiftool.run(
        ["-n", "-s", "-s", "-s", "-f", "-charset", "utf8"] + names.map { "-\($0)" }
          + [bench.folder + "/" + file]
      ).split(separator: "\n").map(String.init)
    }

    /// Digests of the pixels or of the packets of all tracks.
    private func contentDigest(_ bench: Workbench, _ file: String) async throws -> String {
      if Self.movies.contains(where: file.hasSuffix) {
        return try await bench.bash(
          "ffmpeg -v error -i '\(file)' -map 0 -c copy -f streamhash -hash md5 -")
      }
      if file.hasSuffix(".heic") || file.hasSuffix(".avif") {
        return try await bench.bash(
          "heif-convert '\(file)' decoded.png >decoded.log && identify -format '%#' decoded.png")
      }
      return try await bench.bash("identify -quiet -format '%#' '\(file)'")
    }

    @Test func `copies have the facts, and their pictures and samples stay`() async throws {
      let names = Self.pictures + Self.movies
      let bench = try await bench(names)
      let (status, summary) = try await bench.export(["--write-metadata"])
      #expect(status == 0 && summary.failed == 0)
      let exported = try await bench.bash("ls out").split(separator: "\n").map(String.init)
      #expect(exported == names)
      for name in names {
        #expect(
          try await contentDigest(bench, "out/" + name)
            == contentDigest(bench, "library/" + name), "\(name)")
        let wanted = [
          "XMP-iptcExt:PersonInImage", "XMP-fstop:Favorite", "XMP-digiKam:PickLabel",
          "Composite:GPSPosition",
        ]
        #expect(
          try await tags(bench, "out/" + name, wanted) == ["Zoë", "1", "3", "47.5606 -7.5949"],
          "\(name)")
      }
      for name in Self.pictures {
        let wanted = [
          "ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal", "IFD0:ImageDescription",
          "XMP-exif:DateTimeOriginal", "XMP-dc:Description", "GPS:GPSAltitude",
          "GPS:GPSAltitudeRef",
        ]
        #expect(
          try await tags(bench, "out/" + name, wanted) == [
            "2024:06:01 08:15:30", "+00:00", "River & <sea> ü", "2024:06:01 08:15:30+00:00",
            "River & <sea> ü", "2.5", "1",
          ], "\(name)")
      }
      for name in Self.movies {
        let wanted = ["Keys:CreationDate", "QuickTime:CreateDate", "Keys:Description"]
        #expect(
          try await tags(bench, "out/" + name, wanted) == [
            "2024:06:01 08:15:30+00:00", "2024:06:01 08:15:30", "River & <sea> ü",
          ], "\(name)")
      }
      // exiftool finds nothing wrong in them, and originals are as they were.
      #expect(
        try await bench.bash("exiftool -q -q -if '$error or $warning' -p '$filename' out || true")
          == "")
      #expect(try await bench.export(["--write-metadata", "--update"]).summary.skipped == 8)
    }

    @Test func `re-encoded files have the facts`() async throws {
      let names = ["c.webp", "d.tif", "e.heic", "h.mov"]
      let bench = try await bench(names)
      #expect(
        try await bench.export(["--write-metadata"], preset: "compatible").status == 0)
      for name in ["c.jpg", "d.jpg", "e.jpg", "h.mp4"] {
        let wanted = [
          "Composite:GPSPosition", "XMP-iptcExt:PersonInImage",
          name == "h.mp4" ? "Keys:CreationDate" : "XMP-exif:DateTimeOriginal",
        ]
        #expect(
          try await tags(bench, "out/" + name, wanted) == [
            "47.5606 -7.5949", "Zoë", "2024:06:01 08:15:30+00:00",
          ], "\(name)")
      }
    }

    @Test func `a file's own values precede Takeout's`() async throws {
      let bench = try await bench(["a.jpg"])
      try await bench.bash(
        """
        exiftool -q -overwrite_original -DateTimeOriginal='2020:01:02 03:04:05' -ImageDescription=own \
          -GPSLatitude=1 -GPSLatitudeRef=N -GPSLongitude=2 -GPSLongitudeRef=E library/a.jpg
        """)
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--write-metadata"])
      let wanted = [
        "ExifIFD:DateTimeOriginal", "IFD0:ImageDescription", "Composite:GPSPosition",
        "XMP-dc:Description", "XMP-iptcExt:PersonInImage",
      ]
      #expect(
        try await tags(bench, "out/a.jpg", wanted) == [
          "2020:01:02 03:04:05", "own", "1 2", "-", "Zoë",
        ])
    }

    @Test func `an XMP sidecar's texts replace the file's own, and nothing else is lost`()
      async throws
    {
      let bench = try await bench(["a.jpg"])
      try await bench.bash(
        """
        rm library/*.json; cd library
        exiftool -q -overwrite_original -XMP-dc:Title=old -XMP-dc:Title-de=alt -XMP-dc:Subject=own -XMP-xmp:Rating=1 \
          -XMP-dc:Creator=Ann -XMP-xmp:Label=Red -Make=Acme -ImageDescription=old a.jpg
        exiftool -q -XMP-dc:Title=new -XMP-dc:Description=text -XMP-dc:Subject=added -XMP-xmp:Rating=5 -o a.xmp
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.export(["--write-metadata"]).status == 0)
      let wanted = [
        "XMP-dc:Title", "XMP-dc:Title-de", "XMP-dc:Subject", "XMP-xmp:Rating", "XMP-dc:Creator",
        "XMP-xmp:Label", "IFD0:Make", "IFD0:ImageDescription", "XMP-dc:Description",
      ]
      #expect(
        try await tags(bench, "out/a.jpg", wanted) == [
          "new", "alt", "own, added", "5", "Ann", "Red", "Acme", "text", "text",
        ])
    }

    @Test func `removed metadata is not written back`() async throws {
      let bench = try await bench(["a.jpg", "g.mp4"])
      _ = try await bench.export(["--write-metadata", "--strip-location"])
      let wanted = ["Composite:GPSPosition", "Description", "XMP-iptcExt:PersonInImage"]
      for name in ["a.jpg", "g.mp4"] {
        #expect(
          try await tags(bench, "out/" + name, wanted) == ["-", "River & <sea> ü", "Zoë"])
      }
      _ = try await bench.export(["--write-metadata", "--strip-captions", "--overwrite"])
      for name in ["a.jpg", "g.mp4"] {
        #expect(try await tags(bench, "out/" + name, wanted) == ["47.5606 -7.5949", "-", "Zoë"])
      }
      _ = try await bench.export(["--write-metadata", "--strip-metadata", "--overwrite"])
      for name in ["a.jpg", "g.mp4"] {
        #expect(try await tags(bench, "out/" + name, wanted) == ["-", "-", "-"])
      }
    }

    /// Other facts do not bring back what the same settings have left out of an earlier result.
    @Test func `changed facts are no danger to an export without the location`() async throws {
      let bench = try await bench(["a.jpg"])
      let options = ["--write-metadata", "--strip-location"]
      #expect(try await bench.export(options).status == 0)
      try await bench.bash("sed -i 's/River/Brook/' library/*.json")
      _ = try await bench.scan([bench.library])
      let (status, summary) = try await bench.export(options)
      #expect(status == 0 && summary.skipped == 1 && summary.failed == 0)
      let (updated, changed) = try await bench.export(options + ["--update"])
      #expect(updated == 0 && changed.skipped == 0)
      let wanted = ["Composite:GPSPosition", "XMP-dc:Description"]
      #expect(try await tags(bench, "out/a.jpg", wanted) == ["-", "Brook & <sea> ü"])
      // Other settings are: the result may have what they leave out.
      #expect(try await bench.export(["--strip-captions"]).summary.failed == 1)
    }

    @Test func `a clip that stays has what the same settings left in it`() async throws {
      let bench = try await bench(["a.jpg", "h.mov"])
      try await bench.pairUp("a.jpg", "h.mov")
      let options = ["--write-metadata", "--strip-location"]
      #expect(try await bench.export(options).status == 0)
      let (status, summary) = try await bench.export(
        options + ["--live-photo", "still", "--update"])
      #expect(status == 0 && summary.failed == 0)
      // Without removal the earlier clip may have the place.
      try await bench.bash("rm -r out")
      #expect(try await bench.export(["--write-metadata"]).status == 0)
      #expect(
        try await bench.export(options + ["--live-photo", "still", "--update"]).summary.failed == 1)
    }

    @Test func `a file that cannot contain facts gets an XMP file`() async throws {
      let bench = try await bench(["a.jpg", "i.gif"])
      _ = try await bench.export(["--write-metadata"])
      #expect(
        try await bench.bash("cd out; ls; cmp i.gif ../library/i.gif")
          == "a.jpg\ni.gif\ni.gif.xmp\n")
      #expect(
        try await tags(bench, "out/i.gif.xmp", ["XMP-dc:Description"]) == ["River & <sea> ü"])
      #expect(try await bench.export(["--write-metadata", "--update"]).summary.skipped == 2)
      // A change of the sidecars changes both.
      try await bench.bash("sed -i 's/River/Brook/' library/*.json")
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--write-metadata", "--update"])
      for name in ["a.jpg", "i.gif.xmp"] {
        #expect(
          try await tags(bench, "out/" + name, ["XMP-dc:Description"]) == ["Brook & <sea> ü"])
      }
    }

    /// The new item locations have four bytes a number and are shorter than the old ones by more than the facts.
    @Test func `facts fit into a picture with many wide item locations`() async throws {
      let bench = try await bench(["e.heic"])
      let tool = Workbench.supportFolder + "/OddFiles/widen-item-locations"
      try await bench.bash("'\(tool)' library/e.heic wide.heic 300; mv wide.heic library/e.heic")
      _ = try await bench.scan([bench.library])
      let (status, summary) = try await bench.export(["--write-metadata"])
      #expect(status == 0 && summary.failed == 0)
      #expect(try await tags(bench, "out/e.heic", ["Composite:GPSPosition"]) == ["47.5606 -7.5949"])
      #expect(
        try await contentDigest(bench, "out/e.heic") == contentDigest(bench, "library/e.heic"))
    }

    /// A zone that only a catalog had, Takeout's UTC here, is no evidence for files that lack one.
    @Test(arguments: ["a.jpg", "g.mp4"])
    func `written zones are not taken for recorded ones`(name: String) async throws {
      let bench = try await bench([name])
      _ = try await bench.export(["--write-metadata"])
      try await bench.bash(
        """
        mkdir again; mv 'out/\(name)' again/
        convert -size 40x80 xc:red 'again/Screenshot_20240601-081700.png'
        """)
      _ = try await bench.scan([bench.folder + "/again"])
      #expect(
        try await bench.query(
          "SELECT ifnull(capture_offset, 'none') FROM assets WHERE capture_date LIKE '2024-06-01T08:17:00%'"
        )
          == ["none"])
    }

    @Test func `the time in a name is written, and nothing into files without facts`() async throws
    {
      let bench = try await bench(["a.jpg"])
      try await bench.bash(
        "cd library; rm *.json; cp a.jpg IMG_20240501_101112.jpg; convert a.jpg -quality 50 a.jpg")
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--write-metadata"])
      #expect(
        try await tags(bench, "out/IMG_20240501_101112.jpg", ["ExifIFD:DateTimeOriginal"])
          == ["2024:05:01 10:11:12"])
      #expect(try await bench.bash("cmp out/a.jpg library/a.jpg") == "")
    }
  }
}
