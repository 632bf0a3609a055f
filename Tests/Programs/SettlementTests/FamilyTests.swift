import Testing
import Workbench

extension SettlementTests {
  /// Files of one exposure: edited live photos, and what sidecars of a RAW say of its picture.
  @Suite struct Families {
    private func resources(_ bench: Workbench) async throws -> [[String]] {
      try await bench.list(["--sort", "name"]).map { asset in
        (asset.resources ?? []).map {
          "\($0.type) \($0.path.split(separator: "/").last ?? "")"
        }
      }
    }

    private let whole = [
      [
        "photo IMG_0001.JPG", "pairedVideo IMG_0001.MOV", "pairedVideo IMG_E0001.MOV",
        "fullSizePhoto IMG_E0001.JPG",
      ]
    ]

    @Test func `an edited live photo is one asset with both clips`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay([
        "IMG_0001.JPG": "still-a1.jpg", "IMG_0001.MOV": "clip-a1.mov",
        "IMG_E0001.JPG": "still-a1.jpg", "IMG_E0001.MOV": "clip-a0.mov",
      ])
      #expect(try await resources(bench) == whole)
      #expect(try await CatalogInvariants.violations(on: bench) == [])
      // Edited versions are none of its bytes.
      let own = try await bench.bash(
        "stat -c %s library/IMG_0001.* | awk '{ sum += $1 } END { print sum }'")
      let total = try await bench.shoebox(["stats", "--format", "jsonl"]).lines.first
      #expect(total?.contains(#""bytes":\#(own.dropLast())}"#) == true, "\(total ?? "")")
      let id = try await bench.list().first?.id
      for name in ["IMG_0001.MOV", "IMG_E0001.JPG", "IMG_E0001.MOV"] {
        let shown = try await bench.shoebox(
          ["show", "--no-tags", "--format", "jsonl", bench.library + "/" + name])
        #expect(id.map(shown.output.contains) == true, "\(name)")
      }
      // Without the original the edited one is a live photo by itself.
      try await bench.bash("mv library/IMG_0001.* .")
      _ = try await bench.scan()
      #expect(
        try await resources(bench) == [["photo IMG_E0001.JPG", "pairedVideo IMG_E0001.MOV"]])
      try await bench.bash("mv IMG_0001.* library/")
      _ = try await bench.scan()
      #expect(try await resources(bench) == whole)
      #expect(try await bench.list().map(\.id) == [id])
      #expect(try await CatalogInvariants.violations(on: bench) == [])
    }

    /// An edit made on another device gives an edited picture, but no edited clip.
    @Test func `an edited live photo whose clip is the original's is reported`() async throws {
      let bench = try await Workbench.withMediaPool()
      func shown(_ options: [String]) async throws -> String {
        try await bench.shoebox(
          ["show", "--no-tags"] + options + [bench.library + "/IMG_0001.JPG"]
        )
        .output
      }
      try await bench.lay([
        "IMG_0001.JPG": "still-a1.jpg", "IMG_0001.MOV": "clip-a1.mov",
        "IMG_E0001.JPG": "still-a1.jpg",
      ])
      #expect(try await shown([]).contains("not edited: IMG_E0001.JPG has no clip of its own"))
      #expect(try await shown(["--format", "json"]).contains("\"isMotionUnedited\""))
      try await bench.lay(["IMG_E0001.MOV": "clip-a0.mov"])
      #expect(try await !shown([]).contains("not edited"))
      #expect(try await !shown(["--format", "json"]).contains("isMotionUnedited"))
    }

    /// Adobe writes `X.xmp` for `X.DNG`, darktable and digiKam `X.DNG.xmp`.
    @Test(arguments: ["X.xmp", "X.DNG.xmp", "X.JPG.xmp"])
    func `the sidecar of a RAW describes its picture`(sidecar: String) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n1.jpg library/X.JPG; cp pool/raw-n1.dng library/X.DNG
        exiftool -q -overwrite_original -Make=Canon library/X.JPG
        cp pool/rated.xmp library/\(sidecar)
        """)
      _ = try await bench.scan([bench.library])
      let facts =
        "SELECT name, rating, title FROM assets WHERE absorbed_by IS NULL AND status = 'present'"
      #expect(try await bench.query(facts) == ["X.JPG|1|Sea & sand"])
      #expect(
        try await resources(bench) == [
          ["photo X.JPG", "alternatePhoto X.DNG", "sidecar \(sidecar)"]
        ])
      // Another file in the folder changes nothing.
      try await bench.bash("touch library/notes.txt")
      _ = try await bench.scan()
      #expect(try await bench.query(facts) == ["X.JPG|1|Sea & sand"])
      // A sidecar that goes takes its words along.
      try await bench.bash("mv library/*.xmp .")
      _ = try await bench.scan()
      #expect(try await bench.query(facts) == ["X.JPG||"])
      try await bench.bash("mv ./*.xmp library/")
      _ = try await bench.scan()
      #expect(try await bench.query(facts) == ["X.JPG|1|Sea & sand"])
      // And so does a RAW, where the sidecar belongs to nothing else.
      try await bench.bash("mv library/X.DNG .")
      _ = try await bench.scan()
      #expect(
        try await bench.query(facts) == [sidecar == "X.DNG.xmp" ? "X.JPG||" : "X.JPG|1|Sea & sand"])
      #expect(try await CatalogInvariants.violations(on: bench) == [])
    }

    @Test func `an older Takeout file describes the picture that its title names`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n0.jpg library/IMG_1.jpg; cp pool/still-b2.jpg library/IMG_2.jpg
        echo '{"title": "IMG_1.jpg", "description": "Sea", "photoTakenTime": {"timestamp": "1564567200"}}' \
          >library/IMG_1.json
        """)
      _ = try await bench.scan([bench.library])
      #expect(
        try await bench.query("SELECT name FROM assets WHERE caption = 'Sea'") == ["IMG_1.jpg"])
    }

    /// Layouts that users of GooglePhotosTakeoutHelper and immich-go have described.
    @Test func `each variant of a Takeout's names ties the JSON to its file`() async throws {
      let bench = try await Workbench.withMediaPool()
      let long = "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios"
      let pairs = [
        ("A.jpg", "A.json"), ("B.jpg", "B.jpg.json"),
        ("C.jpg", "C.jpg.supplemental-metadata.json"), ("D.jpg", "D.jpg.supplem.json"),
        ("E(1).jpg", "E.jpg(1).json"), ("F(1).jpg", "F.jpg.supplemental-metadata(1).json"),
        ("\(long).jpg", "\(long.prefix(46)).json"),
      ]
      for (index, (media, sidecar)) in pairs.enumerated() {
        try await bench.bash(
          """
          cp pool/still-n0.jpg 'library/\(media)'; printf '\(index)' >>'library/\(media)'
          echo '{"description": "\(sidecar)", "photoTakenTime": {"timestamp": "1564567200"}}' \
            >'library/\(sidecar)'
          """)
      }
      try await bench.bash(
        """
        cp pool/still-n0.jpg library/C-editado.jpg; printf edited >>library/C-editado.jpg
        echo '{"photoTakenTime": {"timestamp": "1564567200"}}' >library/X.json
        cp pool/still-n0.jpg library/X.jpg; cp pool/picture.png library/X.png
        """)
      _ = try await bench.scan([bench.library])
      let captions = try await bench.query(
        "SELECT name, caption FROM assets WHERE caption IS NOT NULL AND absorbed_by IS NULL ORDER BY name"
      )
      #expect(captions == pairs.map { "\($0)|\($1)" }.sorted())
      #expect(
        try await bench.query(
          "SELECT name FROM assets WHERE capture_date = '2019-07-31T10:00:00+00:00' AND name LIKE 'C%' ORDER BY 1"
        )
          == ["C-editado.jpg", "C.jpg"])
      // Two files have the stem: the JSON belongs to neither.
      #expect(
        try await bench.query(
          "SELECT count(*) FROM assets WHERE name LIKE 'X.%' AND capture_wall IS NOT NULL") == ["0"]
      )
    }

    @Test func `the picture's own sidecar comes first`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash(
        """
        cp pool/still-n1.jpg library/X.JPG; cp pool/raw-n1.dng library/X.DNG
        exiftool -q -overwrite_original -Make=Canon library/X.JPG
        cp pool/rated.xmp library/X.xmp; sed s/sand/wind/ pool/rated.xmp >library/X.JPG.xmp
        """)
      _ = try await bench.scan([bench.library])
      #expect(
        try await bench.query("SELECT title FROM assets WHERE absorbed_by IS NULL")
          == ["Sea & wind"])
    }

    /// `a.png.xmp` is about `a.png` alone, `a.xmp` about all files with its stem, and a user's programs write neither JSON.
    @Test func `of several sidecars the first has priority for each fact, and JSON for the time`()
      async throws
    {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library; convert -size 8x8 xc:red a.png
        exiftool -q -o a.png.xmp -XMP:Title=own -XMP-exif:GPSLatitude=10.5 -XMP-exif:GPSLongitude=20.5 \
          '-XMP-exif:DateTimeOriginal=2019:05:05 05:05:05+02:00'
        exiftool -q -o a.xmp -XMP:Title=family -XMP:Rating=1 -XMP:Description=family
        echo '{"title": "a.png", "description": "Google", "photoTakenTime": {"timestamp": "1600000000"},
          "geoData": {"latitude": 1.0, "longitude": 2.0, "altitude": 0}}' >a.png.json
        """)
      _ = try await bench.scan([bench.library])
      let facts = """
        SELECT title, rating, caption, latitude, substr(s.name, 1, 7) FROM assets AS a \
        JOIN capture_sources AS s ON s.id = a.capture_source_id
        """
      #expect(try await bench.query(facts) == ["own|1|family|10.5|takeout"])
    }
  }
}
