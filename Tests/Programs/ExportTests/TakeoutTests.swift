import Foundation
import Testing
import Workbench

extension ExportTests {
  /// Takeouts of all layouts, from the JSON files to the XMP files of an export.
  @Suite struct Takeouts {
    /// A bench with a scanned library.
    private func bench(_ maker: TakeoutMaker) async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-media-pool' pool")
      try await maker.write(to: bench)
      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 0)
      #expect(report.failures.isEmpty)
      return bench
    }

    /// All assets by their paths below the library, as `list --format json` prints them.
    private func assets(_ bench: Workbench) async throws -> [String: JSON] {
      let outcome = try await bench.shoebox(["list", "--format", "json"])
      let list = try JSONDecoder().decode(JSON.self, from: Data(outcome.output.utf8))
      return Dictionary(
        list.list.map { asset in
          (String((asset["path"].text ?? "").dropFirst(bench.library.count + 1)), asset)
        }, uniquingKeysWith: { $1 })
    }

    @Test func `every JSON file describes its picture, in every layout`() async throws {
      let maker = TakeoutMaker.everyLayout
      let bench = try await bench(maker)
      let assets = try await assets(bench)
      #expect(assets.count == maker.items.count)
      for item in maker.items {
        let asset = try #require(assets[item.media], "\(item.media)")
        // The place may have given it a zone.
        let captured = try Date(try #require(asset["captureDate"].text), strategy: .iso8601)
        #expect(try captured == Date(item.isoTime + "Z", strategy: .iso8601), "\(item.media)")
        #expect(asset["description"].text == item.description, "\(item.media)")
        #expect(number(asset["location"]["latitude"]) == item.place?.latitude, "\(item.media)")
        #expect(number(asset["location"]["longitude"]) == item.place?.longitude, "\(item.media)")
        if !item.isEntes {
          #expect(asset["people"].texts.sorted() == item.people.sorted(), "\(item.media)")
          #expect(asset["isFavorite"] == (item.isFavorite ? true : nil), "\(item.media)")
          #expect(
            number(asset["location"]["altitude"]) == item.place?.altitude, "\(item.media)")
        }
        #expect(asset["originalName"].text == item.title, "\(item.media)")
        let folder = (item.media as NSString).deletingLastPathComponent
        #expect(asset["album"].text == maker.albums[folder], "\(item.media)")
      }
      // And they are found by it.
      func found(_ condition: String) async throws -> Set<String> {
        let list = try await bench.list(["--where", condition])
        return Set(list.map { String($0.path.dropFirst(bench.library.count + 1)) })
      }
      let takeouts = maker.items.filter { !$0.isEntes }
      #expect(
        try await found("favorite") == Set(takeouts.filter(\.isFavorite).map(\.media)))
      #expect(
        try await found("person = 'ZOË müller'")
          == Set(takeouts.filter { !$0.people.isEmpty }.map(\.media)))
      #expect(
        try await found("album = 'zürich: sommer & see'")
          == Set(maker.items.filter { $0.media.contains("2017-07-14") }.map(\.media)))
    }

    @Test func `the XMP files have the facts of the JSON files, as exiftool reads them`()
      async throws
    {
      let maker = TakeoutMaker.everyLayout
      let bench = try await bench(maker)
      let (status, _) = try await bench.export(["--sidecars", "xmp"])
      #expect(status == 0)
      let text = try await bench.bash(
        "cd out; exiftool -j -G1 -n -struct -r -ext xmp -charset filename=utf8 .")
      let files = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)).list
      #expect(files.count == maker.items.count)
      let byName = Dictionary(
        files.map { (String(($0["SourceFile"].text ?? "").dropFirst(2)), $0) },
        uniquingKeysWith: { $1 })
      for item in maker.items {
        let file = try #require(byName[item.result + ".xmp"], "\(item.media)")
        for tag in ["XMP-exif:DateTimeOriginal", "XMP-photoshop:DateCreated"] {
          let text = try #require(file[tag].text)
          let written = text.prefix(10).replacing(":", with: "-") + "T" + text.dropFirst(11)
          #expect(
            try Date(String(written), strategy: .iso8601)
              == Date(item.isoTime + "Z", strategy: .iso8601), "\(item.media)")
        }
        #expect(file["XMP-dc:Description"].text == item.description, "\(item.media)")
        for (tag, value) in [
          ("XMP-exif:GPSLatitude", item.place?.latitude),
          ("XMP-exif:GPSLongitude", item.place?.longitude),
        ] {
          let read = number(file[tag])
          #expect((read == nil) == (value == nil), "\(item.media)")
          if let read, let value { #expect(abs(read - value) < 1e-7, "\(item.media)") }
        }
        let people = item.isEntes ? [] : item.people.sorted()
        #expect(file["XMP-iptcExt:PersonInImage"].texts.sorted() == people, "\(item.media)")
        #expect(
          file["XMP-digiKam:TagsList"].texts.sorted() == people.map { "People/" + $0 },
          "\(item.media)")
        let isFavorite = item.isFavorite && !item.isEntes
        #expect((number(file["XMP-fstop:Favorite"]) == 1) == isFavorite, "\(item.media)")
        #expect((number(file["XMP-digiKam:PickLabel"]) == 3) == isFavorite, "\(item.media)")
        #expect(file["XMP-xmpMM:PreservedFileName"].text == item.title, "\(item.media)")
        let folder = (item.media as NSString).deletingLastPathComponent
        #expect(
          file["XMP-mwg-coll:Collections"][0]["CollectionName"].text
            == maker.albums[folder] ?? (folder as NSString).lastPathComponent, "\(item.media)")
      }
      // A library of the results has the same facts, without any JSON file.
      let again = try Workbench()
      try await again.bash("rmdir library; mv '\(bench.target)' library")
      _ = try await again.scan([again.library])
      let (old, new) = (try await assets(bench), try await assets(again))
      for item in maker.items {
        for key in ["captureDate", "description", "people", "isFavorite"] {
          #expect(old[item.media]?[key] == new[item.result]?[key], "\(item.media): \(key)")
        }
      }
    }

    @Test func `XMP files obey the options that remove metadata`() async throws {
      var maker = TakeoutMaker()
      maker.add("Takeout/a.jpg", "a.jpg.json")
      maker.add("Takeout/b.jpg", "b.jpg.json")
      maker.addAlbum("Takeout", title: "Trip to Basel", file: "metadata.json")
      let bench = try await bench(maker)
      try await bench.bash(
        """
        sed -i 's/"title": "b.jpg"/"title": "Basel.jpg", "people": [{"name": "geo:lat=47.5"}, {"name": "Zoë"}]/' \
          library/Takeout/b.jpg.json
        sed -E -i 's/("latitude": )[-0-9.]+/\\147.5606/g; s/("longitude": )[-0-9.]+/\\17.5949/g' \
          library/Takeout/b.jpg.json
        """)
      _ = try await bench.scan()
      _ = try await bench.export(["--sidecars", "xmp", "--strip-location"])
      let text = try await bench.bash("cat out/Takeout/*.xmp")
      #expect(!text.contains("Basel") && !text.contains("GPS") && !text.contains("geo:"))
      #expect(text.contains("+00:00") && !text.contains("+02:00"), "the zone of the place")
      #expect(text.contains("Zoë") && text.contains("Nº 1"))
      _ = try await bench.export(["--sidecars", "xmp", "--strip-captions", "--overwrite"])
      let captionless = try await bench.bash("cat out/Takeout/*.xmp")
      #expect(captionless.contains("GPS") && !captionless.contains("Nº 1"))
      #expect(captionless.contains("+02:00"))
      #expect(!captionless.contains("PreservedFileName"))
    }

    @Test func `facts come and go with their JSON file, and a second scan changes nothing`()
      async throws
    {
      let maker = TakeoutMaker.everyLayout
      let bench = try await bench(maker)
      let before = try await assets(bench)
      // The files were so young that the second scan reads them again.
      _ = try await bench.scan()
      let state = "SELECT sum(revision) FROM assets"
      let revisions = try await bench.query(state)
      let (_, second) = try await bench.scan()
      #expect(second.unchanged == maker.items.count && second.changed == 0)
      #expect(try await bench.query(state) == revisions)
      #expect(try await bench.query("SELECT count(*) FROM unsettled_families") == ["0"])

      try await bench.bash(
        "cd library; find . -name '*.json' | tar cf ../json.tar -T -; find . -name '*.json' -delete"
      )
      _ = try await bench.scan()
      for (path, asset) in try await assets(bench) {
        for key in ["description", "location", "people", "isFavorite", "album", "originalName"] {
          #expect(asset[key] == nil, "\(path): \(key)")
        }
      }
      try await bench.bash("cd library; tar xf ../json.tar")
      _ = try await bench.scan()
      #expect(try await assets(bench) == before)
      // Pictures that come after their JSON files, and folders that are renamed.
      try await bench.bash("mv 'library/Ente Photos/Ferien/E1.jpg' .")
      _ = try await bench.scan()
      try await bench.bash("mv E1.jpg 'library/Ente Photos/Ferien/'")
      _ = try await bench.scan()
      #expect(try await assets(bench) == before)
      try await bench.bash(
        "mv 'library/Ente Photos/Ferien/metadata' 'library/Ente Photos/Ferien/m'")
      _ = try await bench.scan()
      #expect(try await assets(bench)["Ente Photos/Ferien/E1.jpg"]?["description"].text == nil)
      try await bench.bash(
        "mv 'library/Ente Photos/Ferien/m' 'library/Ente Photos/Ferien/metadata'")
      _ = try await bench.scan()
      #expect(try await assets(bench) == before)
    }

    @Test func `a JSON file that may describe several pictures describes none`() async throws {
      var maker = TakeoutMaker()
      maker.add("Takeout/a.jpg", "a.json", title: "a")
      maker.add("Takeout/a.png", nil)
      maker.add("Takeout/b.jpg", "c.jpg.json")
      maker.addAlbum("Takeout", title: "Trip", file: "metadata.json")
      let bench = try await bench(maker)
      for (_, asset) in try await assets(bench) {
        #expect(asset["captureDate"].text == nil && asset["description"].text == nil)
      }
      for (name, reason) in [
        ("a.json", "'a' that it describes, or several"), ("c.jpg.json", "'b.jpg'"),
        ("metadata.json", "title of the album, 'Trip'"),
      ] {
        let outcome = try await bench.shoebox(["show", "\(bench.library)/Takeout/\(name)"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("describes no picture or video: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      }
    }

    /// Takeout and the headers of movies know UTC only.
    @Test func `a local time in the name gives the zone of a time in UTC`() async throws {
      let bench = try Workbench()
      try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-media-pool' pool")
      func json(_ time: String) -> String { #"{"photoTakenTime": {"timestamp": "\#(time)"}}"# }
      try await bench.bash(
        """
        cd library
        for name in IMG_20190731_120001 IMG_20190731_054501 IMG_20190731_100001 IMG_20190731_123456 \
          PXL_20190731_120001000 IMG-20190731-WA0001; do
          cp ../pool/still-n0.jpg $name.jpg; printf $name >>$name.jpg; echo '\(json("1564567200"))' >$name.jpg.json
        done
        for name in VID_20190731_080000 VID_20190731_075958 VID_20190731_081000; do
          ffmpeg -v error -f lavfi -i color=red:size=32x24:rate=5:duration=2 -c:v mpeg4 \
            -metadata creation_time=2019-07-31T12:00:00Z $name.mp4
        done
        """)
      _ = try await bench.scan([bench.library])
      let found = try await bench.list().map { asset in
        "\(asset.path.split(separator: "/").last ?? "") \(asset.captureDate ?? "") \(asset.captureDateSource ?? "")"
      }
      let takeout = "takeout:photoTakenTime"
      #expect(
        found.sorted() == [
          "IMG-20190731-WA0001.jpg 2019-07-31T10:00:00+00:00 \(takeout)",
          "IMG_20190731_054501.jpg 2019-07-31T10:00:00+00:00 \(takeout)",
          "IMG_20190731_100001.jpg 2019-07-31T10:00:00+00:00 \(takeout)",
          "IMG_20190731_120001.jpg 2019-07-31T12:00:00+02:00 \(takeout)+name",
          "IMG_20190731_123456.jpg 2019-07-31T10:00:00+00:00 \(takeout)",
          "PXL_20190731_120001000.jpg 2019-07-31T10:00:00+00:00 \(takeout)",
          "VID_20190731_075958.mp4 2019-07-31T08:00:00-04:00 quicktime:mvhd+name",
          "VID_20190731_080000.mp4 2019-07-31T08:00:00-04:00 quicktime:mvhd+name",
          "VID_20190731_081000.mp4 2019-07-31T12:00:00+00:00 quicktime:mvhd",
        ])
    }

    @Test func `the XMP file of a picture names the albums of its copies`() async throws {
      var maker = TakeoutMaker()
      maker.add("Takeout/Photos from 2019/a.jpg", "a.jpg.json")
      maker.addAlbum("Takeout/Trip_ 1", title: "Trip: 1", file: "metadatos.json")
      let bench = try await bench(maker)
      try await bench.bash("cp library/Takeout/Photos*/a.jpg* 'library/Takeout/Trip_ 1/'")
      _ = try await bench.scan()
      let (_, summary) = try await bench.export([
        "--sidecars", "xmp", "--not-type", "spareCopies",
      ])
      #expect(summary.copied == 1)
      let names = try await bench.bash(
        "exiftool -b -sep '|' -XMP-mwg-coll:CollectionName -r -ext xmp out")
      #expect(Set(names.split(separator: "|").map(String.init)) == ["Photos from 2019", "Trip: 1"])
    }

    @Test func `copies in one album hide no other`() async throws {
      let bench = try Workbench()
      try bench.addPicture("own/x.gif")
      try await bench.bash(
        """
        mkdir library/aaa library/zzz
        for i in $(seq 110); do cp library/own/x.gif library/aaa/$i.gif; done
        cp library/own/x.gif library/zzz
        """)
      _ = try await bench.scan([bench.library])
      _ = try await bench.shoebox([
        "export", bench.library + "/own/x.gif", "--sidecars", "xmp", "--to", bench.folder + "/out",
      ])
      let names = try await bench.bash(
        "exiftool -b -sep '|' -XMP-mwg-coll:CollectionName -r -ext xmp out")
      #expect(Set(names.split(separator: "|").map(String.init)) == ["own", "aaa", "zzz"])
    }

    private func number(_ value: JSON) -> Double? {
      if case .number(let number) = value { number } else { nil }
    }
  }
}

extension TakeoutMaker.Item {
  /// The name of the result, which has the extension of its content.
  fileprivate var result: String {
    media.replacing(".png", with: ".jpg").replacing(".HEIC", with: ".jpg")
  }

  /// Whether Ente has written the JSON file, which has no people and favorites.
  fileprivate var isEntes: Bool { json?.contains("/") == true }

  fileprivate var isoTime: String {
    String(Date(timeIntervalSince1970: Double(time)).formatted(.iso8601).dropLast())
  }
}
