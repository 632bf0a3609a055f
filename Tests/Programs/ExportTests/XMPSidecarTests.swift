import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// The XMP files of `--sidecars xmp`, as exiftool reads them.
  @Suite struct XMPSidecars {
    /// A bench with files of known times at hand as `pool`.
    private static let pool = Task {
      let bench = try Workbench()
      try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-media-pool' pool")
      return bench
    }

    private static func emptyBench() async throws -> Workbench {
      let pool = try await Self.pool.value
      let bench = try Workbench()
      try await bench.bash("ln -s '\(pool.folder)/pool' pool")
      return bench
    }

    /// A picture with a Takeout file, a TIFF with XMP of its own, and a video.
    private func bench() async throws -> Workbench {
      let bench = try await Self.emptyBench()
      try await bench.bash(
        """
        mkdir library/Basel; cp pool/still-n0.jpg library/Basel/a.jpg
        echo '{"title": "a.jpg", "description": "River & <sea>", "photoTakenTime": {"timestamp": "1717229730"},
          "geoData": {"latitude": 47.5606, "longitude": -7.5949, "altitude": -2.5}}' \
          >library/Basel/a.jpg.supplemental-metadata.json
        cp pool/picture.tif library/b.tif; cp pool/clip-n1.mov library/c.mov
        exiftool -q -overwrite_original -XMP:Title='Schnee ❄' -XMP:Rating=4 -XMP:Subject=own \
          -XMP:Subject='two words' -XMP:Subject='geo:lat=47.56' -DateTimeOriginal='2024:06:01 10:15:30' -SubSecTimeOriginal=25 \
          -OffsetTimeOriginal=-03:30 library/b.tif
        """)
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// The values of some tags of a file, without those that it does not have.
    private func tags(_ bench: Workbench, _ file: String) async throws -> [String] {
      let names = [
        "XMP-exif:DateTimeOriginal", "XMP-photoshop:DateCreated", "XMP-xmp:CreateDate",
        "Composite:GPSPosition", "Composite:GPSAltitude", "XMP-dc:Title", "XMP-dc:Description",
        "XMP-dc:Subject", "XMP-xmp:Rating", "XMP-mwg-coll:CollectionName",
        "XMP-xmpMM:PreservedFileName",
      ]
      return try await Tool.exiftool.run(
        ["-n", "-S", "-charset", "utf8"] + names.map { "-\($0)" } + [bench.target + "/" + file]
      ).split(separator: "\n").map(String.init)
    }

    @Test func `the XMP file of a result has what the catalog knows`() async throws {
      let bench = try await bench()
      let (status, summary) = try await bench.export(
        ["--sidecars", "xmp"], preset: "compatible")
      #expect(status == 0)
      #expect(summary.failed == 0)
      #expect(
        try await bench.bash("cd out; find . -type f -not -name '.*' | sort") == """
          ./Basel/a.jpg
          ./Basel/a.jpg.xmp
          ./b.jpg
          ./b.jpg.xmp
          ./c.mp4
          ./c.mp4.xmp

          """)
      #expect(
        try await tags(bench, "Basel/a.jpg.xmp") == [
          "DateTimeOriginal: 2024:06:01 08:15:30+00:00", "DateCreated: 2024:06:01 08:15:30+00:00",
          "CreateDate: 2024:06:01 08:15:30+00:00", "GPSPosition: 47.5606 -7.5949",
          "GPSAltitude: -2.5", "Description: River & <sea>", "CollectionName: Basel",
          "PreservedFileName: a.jpg",
        ])
      #expect(
        try await tags(bench, "b.jpg.xmp") == [
          "DateTimeOriginal: 2024:06:01 10:15:30.25-03:30",
          "DateCreated: 2024:06:01 10:15:30.25-03:30",
          "CreateDate: 2024:06:01 10:15:30.25-03:30", "Title: Schnee ❄",
          "Subject: geo:lat=47.56, own, two words",
          "Rating: 4", "CollectionName: library", "PreservedFileName: b.tif",
        ])
      #expect(
        try await tags(bench, "c.mp4.xmp").first == "DateTimeOriginal: 2024:06:01 10:15:29+02:00")
      // As a result, it is well-formed and has the time of the picture.
      #expect(
        try await bench.bash("cd out; exiftool -validate -s3 ./*.xmp; stat -c %y b.jpg.xmp")
          .contains("2024-06-01 13:45:30"))
    }

    @Test func `the user's albums are collections, and may be folders of results`() async throws {
      let bench = try await bench()
      for title in ["For Zoë", "Best of"] {
        let added = try await bench.shoebox(
          ["albums", "add", title, "library/Basel/a.jpg", "library/b.tif"])
        #expect(added.status == 0)
      }
      _ = try await bench.export(["--sidecars", "xmp", "--name", "{album}/{stem}{ext}"])
      #expect(
        try await bench.bash("cd out; find . -name '*.xmp' | sort")
          == "./Best of/a.jpg.xmp\n./Best of/b.tif.xmp\n./library/c.mov.xmp\n")
      #expect(
        try await tags(bench, "Best of/a.jpg.xmp").contains(
          "CollectionName: Basel, Best of, For Zoë"))
      #expect(try await tags(bench, "library/c.mov.xmp").contains("CollectionName: library"))
      // Into the picture go only those that are not its folder's name.
      try await bench.bash("rm -r out")
      _ = try await bench.export(["--write-metadata"])
      #expect(try await tags(bench, "b.tif").contains("CollectionName: Best of, For Zoë"))
      try await bench.bash("rm -r out")
      _ = try await bench.export(["--write-metadata", "--sidecars", "xmp", "--strip-location"])
      #expect(
        try await bench.bash("grep -rlE 'Best of|Zo' out || true") == "")
    }

    @Test func `a second scan reads the same from the XMP files`() async throws {
      let bench = try await bench()
      _ = try await bench.export(["--sidecars", "xmp"])
      // Without metadata of their own.
      try await bench.bash("exiftool -q -overwrite_original -all= out/Basel/a.jpg out/b.tif")
      _ = try await bench.scan([bench.target])
      let facts = """
        SELECT name, capture_date, round(latitude, 6), round(longitude, 6), altitude, title, caption,
          rating, (SELECT group_concat(keyword) FROM keywords WHERE asset_id = assets.id)
        FROM assets WHERE name IN ('a.jpg', 'b.tif') AND absorbed_by IS NULL ORDER BY name
        """
      let rows = try await bench.query(facts)
      #expect(rows.count == 4)
      #expect(Set(rows).count == 2, "\(rows)")
    }

    @Test func `both files of a live photo get an XMP file`() async throws {
      let bench = try await Self.emptyBench()
      try await bench.bash(
        "cp pool/still-a1.jpg library/IMG_1.JPG; cp pool/clip-a1.mov library/IMG_1.MOV")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.export(["--sidecars", "xmp", "--manifest", "list"]).status == 0)
      #expect(
        try await bench.bash("ls out") == "IMG_1.JPG\nIMG_1.JPG.xmp\nIMG_1.MOV\nIMG_1.MOV.xmp\n")
      for name in ["IMG_1.JPG", "IMG_1.MOV"] {
        #expect(
          try await tags(bench, name + ".xmp").first
            == "DateTimeOriginal: 2024:06:01 10:15:30+02:00")
      }
      let manifest = try await bench.bash("cat list")
      let line = try JSONDecoder().decode(ManifestLine.self, from: Data(manifest.utf8))
      #expect(line.livePhoto?.mediaURL.hasSuffix("/IMG_1.MOV") == true)
      #expect(manifest.contains("/IMG_1.JPG.xmp\"") && manifest.contains("/IMG_1.MOV.xmp\""))
      // The clip alone.
      try await bench.bash("rm -r out")
      _ = try await bench.export(["--sidecars", "xmp", "--live-photo", "motion"])
      #expect(try await bench.bash("ls out") == "IMG_1.MOV\nIMG_1.MOV.xmp\n")
    }

    @Test func `XMP files have no metadata that is removed`() async throws {
      let bench = try await bench()
      let flags = ["--sidecars", "xmp", "--overwrite"]
      _ = try await bench.export(flags + ["--strip-location"])
      #expect(
        try await tags(bench, "Basel/a.jpg.xmp").dropFirst(3) == ["Description: River & <sea>"])
      #expect(
        try await bench.bash(
          "cat out/Basel/a.jpg.xmp out/b.tif.xmp | grep -ciE 'basel|gps|geo:' || true")
          == "0\n")
      #expect(try await tags(bench, "b.tif.xmp").contains("Subject: own, two words"))
      _ = try await bench.export(flags + ["--strip-captions"])
      #expect(
        try await tags(bench, "b.tif.xmp").dropFirst(3)
          == ["Subject: geo:lat=47.56, own, two words", "Rating: 4", "CollectionName: library"])
      #expect(try await tags(bench, "Basel/a.jpg.xmp").contains { $0.hasPrefix("GPSPosition") })
      try await bench.bash("rm -r out")
      #expect(try await bench.export(flags + ["--strip-metadata"]).status == 0)
      #expect(try await bench.bash("find out -name '*.xmp'") == "")
    }

    @Test func `an XMP file that may contain what is removed does not stay`() async throws {
      let bench = try await bench()
      _ = try await bench.export(["--sidecars", "xmp"])
      let kept = try await bench.export(["--strip-location", "--update"])
      #expect(kept.status == 1)
      #expect(kept.summary.failed == 3)
      let replaced = try await bench.export(["--strip-location", "--update", "--sidecars", "xmp"])
      #expect(replaced.status == 0)
      #expect(try await bench.bash("grep -rl GPS out || true") == "")
      // What is left has no location.
      #expect(try await bench.export(["--strip-location", "--update"]).summary.skipped == 3)
    }

    @Test func `an update writes only the XMP files that differ`() async throws {
      let bench = try await bench()
      _ = try await bench.export()
      let media = "cd out; stat -c '%n %i' Basel/a.jpg b.tif c.mov"
      let before = try await bench.bash(media)
      #expect(try await bench.export(["--sidecars", "xmp"]).summary.copied == 3)
      #expect(try await bench.bash(media) == before)
      for flags in [[], ["--update"]] {
        #expect(try await bench.export(["--sidecars", "xmp"] + flags).summary.skipped == 3)
      }
      let files = "cd out; stat -c '%n %i' b.tif.xmp c.mov.xmp; ls Basel"
      let others = try await bench.bash(files)
      try await bench.bash("sed -i s/River/Rhine/ library/Basel/*.json")
      _ = try await bench.scan()
      #expect(try await bench.export(["--sidecars", "xmp"]).summary.skipped == 3)
      let (_, summary) = try await bench.export(["--sidecars", "xmp", "--update"])
      #expect((summary.copied, summary.skipped) == (1, 2))
      #expect(try await bench.bash("grep -c Rhine out/Basel/a.jpg.xmp") == "1\n")
      #expect(try await bench.bash(media) == before)
      #expect(try await bench.bash(files) == others)
      // A file edited in the target stays.
      try await bench.bash("echo mine >out/b.tif.xmp; touch library/b.tif; rm out/c.mov.xmp")
      #expect(try await bench.export(["--sidecars", "xmp", "--update"]).status == 0)
      #expect(
        try await bench.bash("cat out/b.tif.xmp; ls out/c.mov.xmp") == "mine\nout/c.mov.xmp\n")
    }

    @Test func `no file of another origin is overwritten`() async throws {
      let bench = try await bench()
      try await bench.bash("mkdir out; echo mine >out/b.tif.xmp")
      #expect(try await bench.export(["--sidecars", "xmp"]).status == 0)
      #expect(
        try await bench.bash("cat out/b.tif.xmp; ls out")
          == "mine\nBasel\nb (2).tif\nb (2).tif.xmp\nb.tif.xmp\nc.mov\nc.mov.xmp\n")
      // A result that exists keeps its name.
      try await bench.bash("rm -r out")
      _ = try await bench.export()
      try await bench.bash("echo mine >out/b.tif.xmp")
      let outcome = try await bench.shoebox([
        "export", "--preset", "current", "--to", bench.target, "--sidecars", "xmp",
      ])
      #expect(outcome.status == 1)
      #expect(outcome.lines.contains { $0.contains("b.tif.xmp exists") }, "\(outcome.lines)")
      #expect(
        try await bench.bash("cat out/b.tif.xmp; ls out/c.mov.xmp") == "mine\nout/c.mov.xmp\n")
      #expect(try await bench.export(["--sidecars", "xmp", "--overwrite"]).status == 0)
      #expect(try await bench.bash("grep -c Schnee out/b.tif.xmp") == "1\n")
    }

    @Test func `a copied sidecar of the same name gets another one`() async throws {
      let bench = try await Self.emptyBench()
      try await bench.bash(
        "cp pool/still-n1.jpg library/a.jpg; cp pool/rated.xmp library/a.jpg.xmp")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.export(["--sidecars", "xmp", "--resources", "all"]).status == 0)
      #expect(try await bench.bash("ls out") == "a.jpg\na.jpg-2.xmp\na.jpg.xmp\n")
      #expect(
        try await bench.bash("cmp out/a.jpg-2.xmp library/a.jpg.xmp; grep -c Shoebox out/a.jpg.xmp")
          == "1\n")
    }

    @Test func `XMP files and copied sidecars of one name can follow each other`() async throws {
      let bench = try await Self.emptyBench()
      try await bench.bash(
        "cp pool/still-n1.jpg library/a.jpg; cp pool/rated.xmp library/a.jpg.xmp")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.export(["--sidecars", "xmp"]).status == 0)
      let described = try await bench.bash("sha256sum out/a.jpg.xmp; stat -c %i out/a.jpg")
      for _ in 0..<2 {
        #expect(try await bench.export(["--resources", "all", "--update"]).status == 0)
        #expect(try await bench.bash("ls out") == "a.jpg\na.jpg-2.xmp\na.jpg.xmp\n")
        #expect(try await bench.bash("cmp out/a.jpg-2.xmp library/a.jpg.xmp").isEmpty)
      }
      #expect(try await bench.export(["--sidecars", "xmp", "--update"]).status == 0)
      #expect(
        try await bench.bash("sha256sum out/a.jpg.xmp") == described.prefix { $0 != "\n" } + "\n")

      // The copy has the only name that the XMP file may have.
      try await bench.bash("rm -r out")
      #expect(try await bench.export(["--resources", "all"]).status == 0)
      for options in [[], ["--resources", "all"], ["--update"]] {
        let outcome = try await bench.shoebox(
          ["export", "--preset", "current", "--to", bench.target, "--sidecars", "xmp"] + options)
        #expect(outcome.status == 1)
        #expect(
          outcome.lines.contains { $0.contains("a.jpg.xmp is a sidecar that an earlier export") },
          "\(outcome.lines)")
        #expect(try await bench.bash("cmp out/a.jpg.xmp library/a.jpg.xmp").isEmpty)
      }
      let both = ["--sidecars", "xmp", "--resources", "all"]
      #expect(try await bench.export(both + ["--overwrite"]).status == 0)
      #expect(try await bench.bash("ls out") == "a.jpg\na.jpg-2.xmp\na.jpg.xmp\n")
      #expect(
        try await bench.bash("cmp out/a.jpg-2.xmp library/a.jpg.xmp; grep -c Shoebox out/a.jpg.xmp")
          == "1\n")
    }

    @Test func `a result whose name is too long for its XMP file gets a shorter one`() async throws
    {
      let bench = try await Self.emptyBench()
      func name(_ count: Int) -> String { String(repeating: "x", count: count) + ".jpg" }
      try await bench.bash("cp pool/still-n0.jpg library/\(name(251))")
      _ = try await bench.scan([bench.library])
      #expect(try await bench.export().status == 0)
      let results = [name(247), name(247) + ".xmp", name(251)]
      for _ in 0..<2 {
        let (status, summary) = try await bench.export(["--sidecars", "xmp"])
        #expect(status == 0 && summary.failed == 0)
        #expect(try await bench.bash("ls -U out | sort") == results.joined(separator: "\n") + "\n")
      }
    }
  }
}
