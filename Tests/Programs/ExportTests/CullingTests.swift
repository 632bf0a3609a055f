import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Labels, picks and hierarchical keywords of Lightroom, digiKam, darktable and Windows: exiftool writes them, and reads
  /// what an export writes.
  @Suite struct Culling {
    /// What is expected of each file, from the tags that exiftool was given.
    private static let expected: [String: String] = [
      "lightroom.jpg": "Red picked Places|Europe|Rome",
      "digikam.jpg": "Green pending Places|Asia|Tokyo",
      "darktable.jpg": "Blue rejected ",
      "windows.jpg": "nil nil Places|Europe|Paris",
      "good.jpg": "nil rejected ",
      "unflagged.jpg": "Yellow nil ",
      "sidecar.jpg": "Purple picked Animals|Birds,Places|Europe|Rome",
      "plain.jpg": "nil nil ",
    ]

    private struct Line: Decodable {
      var path: String
      var label: String?
      var pick: String?
      var keywordPaths: [String]?
    }

    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        for name in lightroom digikam darktable windows good unflagged sidecar plain; do
          convert -size 32x24 "xc:rgb($((${#name} * 9)),0,$(printf %d "'$name"))" $name.jpg
        done
        exiftool -q -overwrite_original -XMP-xmp:Label=Red -XMP-xmpDM:Good=True \
          -XMP-lr:HierarchicalSubject='Places|Europe|Rome' -XMP-dc:Subject=Rome lightroom.jpg
        exiftool -q -overwrite_original -XMP-digiKam:ColorLabel=4 -XMP-digiKam:PickLabel=2 \
          -XMP-digiKam:TagsList='Places/Asia/Tokyo' -XMP-digiKam:TagsList='People/Ann' digikam.jpg
        exiftool -q -overwrite_original -XMP-microsoft:LastKeywordXMP='Places/Europe/Paris' windows.jpg
        exiftool -q -overwrite_original -XMP-xmpDM:Good=False good.jpg
        # The flag that Lightroom has taken back, over what the picture says.
        exiftool -q -overwrite_original -XMP-digiKam:PickLabel=3 -XMP-digiKam:ColorLabel=3 unflagged.jpg
        exiftool -q -XMP-digiKam:PickLabel=0 -o unflagged.jpg.xmp
        exiftool -q -overwrite_original -XMP-xmp:Label=Red -XMP-digiKam:PickLabel=1 \
          -XMP-lr:HierarchicalSubject='Animals|Birds' sidecar.jpg
        exiftool -q -XMP-xmp:Label=Purple -XMP-digiKam:PickLabel=3 \
          -XMP-lr:HierarchicalSubject='Places|Europe|Rome' -o sidecar.xmp
        cat >darktable.jpg.xmp <<'X'
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:darktable="http://darktable.sf.net/"
          xmp:Rating="-1"><darktable:colorlabels><rdf:Seq><rdf:li>3</rdf:li><rdf:li>0</rdf:li></rdf:Seq></darktable:colorlabels>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        X
        """)
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// Label, pick and paths by the file's name.
    private func found(_ bench: Workbench, _ filters: [String] = []) async throws
      -> [String: String]
    {
      let outcome = try await bench.shoebox(["list", "--format", "jsonl"] + filters)
      let lines = try outcome.lines.map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }
      return Dictionary(
        lines.map { line in
          (
            String(line.path.split(separator: "/").last ?? ""),
            "\(line.label ?? "nil") \(line.pick ?? "nil") \((line.keywordPaths ?? []).sorted().joined(separator: ","))"
          )
        }, uniquingKeysWith: { first, _ in first })
    }

    private func names(_ bench: Workbench, _ expression: String) async throws -> [String] {
      try await found(bench, ["--where", expression]).keys.map { String($0.dropLast(4)) }.sorted()
    }

    @Test func `labels, picks and paths are read and found`() async throws {
      let bench = try await bench()
      #expect(try await found(bench) == Self.expected)
      #expect(try await names(bench, "label = red") == ["lightroom"])
      #expect(
        try await names(bench, "has(label) and label != red")
          == ["darktable", "digikam", "sidecar", "unflagged"])
      #expect(try await names(bench, "label ~ \"E\" and label like \"*e*n\"") == ["digikam"])
      #expect(try await names(bench, "pick = picked") == ["lightroom", "sidecar"])
      #expect(try await names(bench, "pick = rejected") == ["darktable", "good"])
      #expect(try await names(bench, "pick = pending") == ["digikam"])
      #expect(try await names(bench, "pick = none") == ["plain", "unflagged", "windows"])
      #expect(try await names(bench, "not has(pick)") == ["plain", "unflagged", "windows"])
      #expect(
        try await names(bench, "keyword = \"Places|Europe|Rome\"") == ["lightroom", "sidecar"])
      #expect(
        try await names(bench, "keyword = \"places|EUROPE\"") == [
          "lightroom", "sidecar", "windows",
        ])
      #expect(
        try await names(bench, "keyword = \"Places/Europe\"") == [
          "lightroom", "sidecar", "windows",
        ])
      #expect(
        try await names(bench, "keyword = Places and not keyword = Europe") == ["digikam"])
      #expect(try await names(bench, "keyword = \"Europe|Rome\"") == [])
      #expect(try await names(bench, "keyword like \"places|*|t*\"") == ["digikam"])
      #expect(
        try await names(bench, "keyword = Tokyo or keyword = Birds") == ["digikam", "sidecar"])
      #expect(try await names(bench, "search(\"europe\")") == ["lightroom", "sidecar", "windows"])
      #expect(try await names(bench, "person = Ann") == ["digikam"])
      let show = try await bench.shoebox(["show", "library/digikam.jpg"])
      for text in ["Green", "pending", "Places|Asia|Tokyo"] { #expect(show.output.contains(text)) }
    }

    @Test func `levels with a slash are found as they are shown`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        convert -size 8x8 xc:red slash.jpg; convert -size 8x8 xc:blue other.jpg
        exiftool -q -overwrite_original -XMP-lr:HierarchicalSubject='A/B|C' slash.jpg
        exiftool -q -overwrite_original -XMP-lr:HierarchicalSubject='A|B|D' other.jpg
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await found(bench)["slash.jpg"] == "nil nil A/B|C")
      #expect(try await names(bench, "keyword = \"a/b|c\"") == ["slash"])
      #expect(try await names(bench, "keyword like \"a/b|*\"") == ["other", "slash"])
      #expect(try await names(bench, "keyword = \"A/B\"") == ["other", "slash"])
      #expect(try await names(bench, "keyword = \"A/B/D\"") == ["other"])
    }

    @Test func `what records a place is in no XMP file without the location`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        convert -size 8x8 xc:red a.jpg
        exiftool -q -overwrite_original -XMP-xmp:Label='47.3769, 8.5417' -XMP-dc:Subject='47.3769, 8.5418' \
          -XMP-lr:HierarchicalSubject='47.3769, 8.5419|Lake' -XMP-lr:HierarchicalSubject='Trip|47.3769, 8.5420' \
          -XMP-lr:HierarchicalSubject='geo:lat=47.3769|Hill' -XMP-lr:HierarchicalSubject='Places|Rome' a.jpg
        """)
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--sidecars", "xmp"])
      #expect(try await bench.bash("grep -o '47[.]3769' out/a.jpg.xmp | wc -l") != "0\n")
      _ = try await bench.export(["--sidecars", "xmp", "--strip-location", "--overwrite"])
      #expect(try await bench.bash("grep -c '47[.]3769' out/a.jpg.xmp || true") == "0\n")
      #expect(
        try await tags(bench, "a.jpg.xmp").contains("HierarchicalSubject: Places|Rome"))
    }

    @Test func `a sidecar that goes gives back what the picture says`() async throws {
      let bench = try await bench()
      try await bench.bash(
        "rm library/sidecar.xmp library/unflagged.jpg.xmp library/darktable.jpg.xmp")
      _ = try await bench.scan()
      let after = try await found(bench)
      #expect(after["sidecar.jpg"] == "Red rejected Animals|Birds")
      #expect(after["unflagged.jpg"] == "Yellow picked ")
      #expect(after["darktable.jpg"] == "nil nil ")
      #expect(try await names(bench, "keyword = Europe") == ["lightroom", "windows"])
    }

    /// The values of tags of an exported file, by exiftool.
    private func tags(_ bench: Workbench, _ file: String) async throws -> [String] {
      let names = [
        "XMP-xmp:Label", "XMP-xmp:Rating", "XMP-digiKam:ColorLabel", "XMP-digiKam:PickLabel",
        "XMP-digiKam:TagsList", "XMP-lr:HierarchicalSubject", "XMP-xmpDM:Good",
      ]
      return try await Tool.exiftool.run(
        ["-n", "-S"] + names.map { "-\($0)" } + [bench.target + "/" + file]
      ).split(separator: "\n").map(String.init)
    }

    @Test func `exports write them as exiftool reads them, and a scan reads the same`() async throws
    {
      let bench = try await bench()
      #expect(try await bench.export(["--sidecars", "xmp", "--write-metadata"]).status == 0)
      #expect(
        try await tags(bench, "lightroom.jpg.xmp") == [
          "Label: Red", "ColorLabel: 1", "PickLabel: 3", "TagsList: Places/Europe/Rome",
          "HierarchicalSubject: Places|Europe|Rome", "Good: True",
        ])
      #expect(
        try await tags(bench, "digikam.jpg.xmp") == [
          "Label: Green", "ColorLabel: 4", "PickLabel: 2",
          "TagsList: Places/Asia/Tokyo, People/Ann",
          "HierarchicalSubject: Places|Asia|Tokyo",
        ])
      #expect(
        try await tags(bench, "darktable.jpg") == ["Label: Blue", "Rating: -1", "ColorLabel: 5"])
      let sidecar = try await tags(bench, "sidecar.jpg")
      #expect(sidecar.contains("Label: Purple") && sidecar.contains("PickLabel: 3"))
      #expect(sidecar.contains("HierarchicalSubject: Animals|Birds, Places|Europe|Rome"))
      #expect(try await tags(bench, "unflagged.jpg").contains("PickLabel: 0"))
      #expect(try await tags(bench, "plain.jpg") == [])

      // From the pictures alone, from the XMP files alone.
      for lines in ["rm out/*.xmp", "exiftool -q -overwrite_original -all= out/*.jpg"] {
        try await bench.bash("rm -rf out *.sqlite*")
        _ = try await bench.scan([bench.library])
        _ = try await bench.export(["--sidecars", "xmp", "--write-metadata"])
        try await bench.bash("\(lines); rm *.sqlite*")
        _ = try await bench.scan([bench.target])
        #expect(try await found(bench) == Self.expected, "\(lines)")
      }
    }
  }
}
