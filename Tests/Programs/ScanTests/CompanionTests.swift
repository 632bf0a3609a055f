import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Files that belong together, when one of them comes, goes or moves.
  @Suite struct Companions {
    private func scannedSample() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.addSampleLibrary()
      _ = try await bench.scan([bench.library])
      return bench
    }

    private func asset(_ name: String, on bench: Workbench) async throws -> ListedAsset {
      let assets = try await bench.list()
      return try #require(assets.first { $0.path.hasSuffix("/" + name) }, "\(name)")
    }

    @Test
    func
      `a live photo whose clip disappears is a photo, and a live photo again when the clip returns`()
      async throws
    {
      let bench = try await scannedSample()
      let live = try await asset("IMG_0001.HEIC", on: bench)
      #expect(live.subtypes?.contains("livePhoto") == true)

      try await bench.bash("mv library/DCIM/100APPLE/IMG_0001.MOV away.mov")
      _ = try await bench.scan()
      let plain = try await asset("IMG_0001.HEIC", on: bench)
      #expect(plain.id == live.id)
      #expect(plain.subtypes?.contains("livePhoto") != true)
      #expect(plain.resources?.map(\.type) == ["photo"])

      try await bench.bash("mv away.mov library/DCIM/100APPLE/IMG_0001.MOV")
      _ = try await bench.scan()
      let again = try await asset("IMG_0001.HEIC", on: bench)
      #expect(again == live)
    }

    @Test func `the history has the counts of the report`() async throws {
      let bench = try await scannedSample()
      let report = try await bench.shoebox(["scan", "--format", "json"])
      let history = try await bench.shoebox(["scans", "--format", "json", "--last", "1"])
      let counts =
        ["scanned", "added", "changed", "moved", "missing", "unchanged", "unreadable"]
        + ["sidecars", "ignored", "pairs"]
      func read(_ json: String) throws -> [Int?] {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let scan = (object as? [[String: Any]])?.first ?? object as? [String: Any]
        return counts.map { scan?[$0] as? Int }
      }
      let sidecars = try await bench.bash(
        "find library -iname '*.xmp' -o -iname '*.aae' -o -iname '*.json' | wc -l")
      let reported = try read(report.output)
      #expect(reported[7].map { "\($0)\n" } == sidecars && reported[7] != 0)
      #expect(try read(history.output) == reported)
    }

    @Test func `a clip whose still disappears becomes a separate video`() async throws {
      let bench = try await scannedSample()
      try await bench.bash("rm library/DCIM/100APPLE/IMG_0001.HEIC")
      _ = try await bench.scan()
      let clip = try await asset("IMG_0001.MOV", on: bench)
      #expect(clip.mediaType == "video")
      #expect(clip.status == "present")
    }

    @Test func `a live photo that is moved stays one asset`() async throws {
      let bench = try await scannedSample()
      let before = try await asset("IMG_0001.HEIC", on: bench)
      try await bench.bash(
        "mkdir library/Best; mv library/DCIM/100APPLE/IMG_0001.* library/Best/")
      let (_, report) = try await bench.scan()
      #expect(report.moved == 2)
      let after = try await asset("IMG_0001.HEIC", on: bench)
      #expect(after.id == before.id)
      #expect(
        after.resources?.map(\.path) == [
          "\(bench.library)/Best/IMG_0001.HEIC", "\(bench.library)/Best/IMG_0001.MOV",
        ])
    }

    @Test func `what a sidecar says comes and goes with it`() async throws {
      let bench = try await scannedSample()
      let described = try await asset("rhine.jpg", on: bench)
      #expect(described.captureDate == "2019-07-31T12:00:00+02:00")
      #expect(described.location?.isNear(latitude: 47.5606, longitude: 7.5949) == true)
      let words = "SELECT title, rating FROM assets WHERE name = 'DSC_0100.JPG'"
      #expect(try await bench.query(words) == ["Christmas Eve|4"])

      try await bench.bash(
        "mv 'library/Takeout/Trip to Basel/rhine.jpg.json' library/Camera/DSC_0100.xmp .")
      let (_, report) = try await bench.scan()
      #expect(report.addsUp)
      let bare = try await asset("rhine.jpg", on: bench)
      #expect(bare.captureDate == nil)
      #expect(bare.location == nil)
      #expect(try await bench.query(words) == ["|"])

      try await bench.bash(
        "mv rhine.jpg.json 'library/Takeout/Trip to Basel/'; mv DSC_0100.xmp library/Camera/")
      _ = try await bench.scan()
      #expect(try await asset("rhine.jpg", on: bench) == described)
      #expect(try await bench.query(words) == ["Christmas Eve|4"])
    }

    /// The edited version is a part of the asset, but what is said of it may be older or about another place.
    @Test func `the sidecars of the own file have priority`() async throws {
      let bench = try Workbench()
      for name in ["IMG_1", "IMG_1_edited", "IMG_2", "IMG_2_edited"] {
        try bench.addPicture(name + ".gif", width: name.utf8.count)
      }
      try await bench.bash(
        """
        xmp() {
          printf '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
            xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            exif:GPSLatitude="%s,0.0N" exif:GPSLongitude="8,0.0E" xmp:Rating="%s" %s/></rdf:RDF></x:xmpmeta>'             "$2" "$3" "${4:-}" >"library/$1.gif.xmp"
        }
        xmp IMG_1 47 5; xmp IMG_1_edited 20 2 'xmp:Label="Red"'; xmp IMG_2_edited 20 2
        """)
      _ = try await bench.scan([bench.library])
      let found = try await bench.query(
        """
        SELECT name, latitude, rating, label FROM assets WHERE is_listed ORDER BY name
        """)
      #expect(found == ["IMG_1.gif|47.0|5|Red", "IMG_2.gif|20.0|2|"])
    }

    @Test func `what a camera keeps beside a video is listed only without it`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        mkdir -p library; cd library
        ffmpeg -v error -f lavfi -i testsrc=s=64x48:d=0.2 -c:v mpeg4 GX010001.MP4
        ffmpeg -v error -f lavfi -i testsrc=s=32x24:d=0.2 -c:v mpeg4 -f mp4 GL010001.LRV
        convert -size 16x12 xc:red jpg:GX010001.THM
        """)
      let (_, report) = try await bench.scan([bench.library])
      #expect(report.ignored == 2)
      #expect(try await bench.list().map { $0.path.hasSuffix("/GX010001.MP4") } == [true])
      try await bench.bash("mv library/GX010001.MP4 .")
      _ = try await bench.scan()
      #expect(try await bench.list().count == 2)
      try await bench.bash("mv GX010001.MP4 library/")
      _ = try await bench.scan()
      #expect(try await bench.list().map { $0.path.hasSuffix("/GX010001.MP4") } == [true])
    }

    @Test func `a picture edited in place keeps its id and has its new facts`() async throws {
      let bench = try await scannedSample()
      let before = try await asset("IMG_0002.JPG", on: bench)
      try await bench.bash(
        "exiftool -q -overwrite_original -Orientation#=1 library/DCIM/100APPLE/IMG_0002.JPG")
      let (_, report) = try await bench.scan()
      #expect(report.changed == 1)
      let after = try await asset("IMG_0002.JPG", on: bench)
      #expect(after.id == before.id)
      #expect([after.pixelWidth, after.pixelHeight, after.orientation] == [640, 480, 1])
    }

    @Test func `the edits of a picture are named, and follow their file`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        convert -size 64x48 xc:red IMG_0001.JPG
        convert -size 48x64 xc:blue IMG_0002.JPG
        exiftool -q -overwrite_original -n -Orientation=6 IMG_0002.JPG
        """)
      let corner = """
        [{'identifier': 'Crop', 'enabled': True,
        'settings': {'xOrigin': 0, 'yOrigin': 0, 'width': WIDTH, 'height': 48}}]
        """
      func edits(_ name: String) async throws -> [String]? {
        try await asset(name, on: bench).adjustments
      }
      try await bench.writeEdits(
        "IMG_0001.AAE", "[{'identifier': 'SmartTone'}, {'identifier': 'Effect', 'enabled': True}]")
      try await bench.writeEdits(
        "IMG_0002.AAE", corner.replacing("WIDTH", with: "64"), orientation: 6, isBinary: true)
      _ = try await bench.scan([bench.library])
      #expect(try await edits("IMG_0001.JPG") == ["light", "filter"])
      let shown = try await bench.shoebox(["show", "--no-tags", bench.library + "/IMG_0001.JPG"])
      #expect(shown.lines.contains("  edited  light, filter (IMG_0001.AAE)"))
      // Nothing but the whole picture, in the orientation of the file: 48×64 pixels, shown as 64×48.
      #expect(try await edits("IMG_0002.JPG") == nil)
      let plain = try await bench.shoebox(["show", "--no-tags", bench.library + "/IMG_0002.JPG"])
      #expect(plain.lines.contains("  edited  adjustmentData"))

      func revision() async throws -> [String] {
        try await bench.query("SELECT revision FROM assets WHERE name = 'IMG_0002.JPG'")
      }
      let before = try await revision()
      try await bench.letFilesAge()
      try await bench.writeEdits(
        "IMG_0002.AAE", corner.replacing("WIDTH", with: "60"), orientation: 3)
      _ = try await bench.scan()
      #expect(try await edits("IMG_0002.JPG") == ["crop", "rotation"])
      #expect(try await edits("IMG_0001.JPG") == ["light", "filter"])
      #expect(try await revision() != before, "who follows changes learns of it")
      try await bench.writeEdits("IMG_0002.AAE", "[]", format: "com.example.editor")
      _ = try await bench.scan()
      #expect(try await edits("IMG_0002.JPG") == ["com.example.editor"])
      try await bench.bash("rm library/IMG_0002.AAE")
      _ = try await bench.scan()
      #expect(try await edits("IMG_0002.JPG") == nil)
    }
  }
}
