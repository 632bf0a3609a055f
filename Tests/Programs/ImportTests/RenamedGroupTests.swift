import Foundation
import MediaTools
import Testing
import Workbench

/// Groups whose names are not those of one stem, imported under another name: what a scan of the card finds to belong together,
/// the library has together, with captions, places and people.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .imageMagick)))
struct RenamedGroupTests {
  private static let longName = "A very long name of a picture that is longer than Takeout likes"

  /// Makes a card with Takeout's JSON files, Apple's edited versions and a Pixel's RAW files.
  private func makeCard(_ bench: Workbench) async throws {
    try await bench.bash(
      """
      mkdir -p card/DCIM/takeout card/DCIM/apple card/DCIM/pixel
      picture() {
        convert -size 32x24 "xc:$2" -strip "$1"
        exiftool -q -overwrite_original -Make=Acme -Model="${4:-One}" -DateTimeOriginal="$3" \\
          -OffsetTimeOriginal=+02:00 "$1"
      }
      json() {
        printf '{"title":"%s","description":"%s","photoTakenTime":{"timestamp":"1717229730"},"people":[{"name":"%s"}],
          "geoData":{"latitude":47.5,"longitude":7.25,"altitude":1}}' "$2" "$3" "Ann $3" >"$1"
      }
      cd card/DCIM/takeout
      picture 'IMG_1.jpg' red 2024:06:01T10:15:30
      json IMG_1.jpg.supplemental-metadata.json IMG_1.jpg first
      picture 'IMG_1(2).jpg' green 2024:06:01T10:15:40
      picture 'IMG_1-bearbeitet(2).jpg' lime 2024:06:01T10:15:40
      json 'IMG_1.jpg.supplemental-metadata(2).json' IMG_1.jpg second
      long='\(Self.longName)'
      picture "${long:0:47}.jpg" blue 2024:06:01T10:15:50
      json "${long:0:46}.json" "$long.jpg" third
      picture 'short name that is exactly forty-three long.jpg' navy 2024:06:01T10:15:55
      json 'short name that is exactly forty-three long.jp.json' \\
        'short name that is exactly forty-three long.jpg' fourth
      cd ../apple
      picture IMG_0001.JPG purple 2024:06:01T10:16:00
      picture IMG_E0001.JPG pink 2024:06:01T10:16:00
      for name in IMG_0001 IMG_O0001; do
        printf '<plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>%s</string></dict></plist>' \\
          "com.apple.$name" >$name.AAE
      done
      echo '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"/></rdf:RDF></x:xmpmeta>' >IMG_E0001.JPG.xmp
      cd ../pixel
      picture PXL_20240601_081700123.RAW-01.COVER.jpg cyan 2024:06:01T10:17:00
      convert -size 32x24 xc:olive -strip raw.tif
      cp raw.tif PXL_20240601_081700123.RAW-02.ORIGINAL.dng
      exiftool -q -overwrite_original -DNGVersion=1.4.0.0 -Make=Acme -Model=One \\
        -DateTimeOriginal=2024:06:01T10:17:00 -OffsetTimeOriginal=+02:00 *.dng
      rm raw.tif
      """)
  }

  private struct Listed: Decodable {
    struct Resource: Decodable { var type, path: String }
    var description: String?
    var people: [String]?
    var rating: Int?
    var adjustments: [String]?
    var resources: [Resource]?
  }

  /// All assets of a folder, with what their files contain.
  private func assets(
    _ bench: Workbench, _ folder: String, _ catalog: String
  ) async throws -> [String] {
    let contents = Dictionary(
      uniqueKeysWithValues: try await bench.contents(folder).map { name, digest in
        ("\(folder)/\(name)", digest)
      })
    let outcome = try await bench.shoebox([
      "list", "--format", "jsonl", "--catalog", catalog,
    ])
    return try outcome.lines.map { line in
      let asset = try JSONDecoder().decode(Listed.self, from: Data(line.utf8))
      let files = (asset.resources ?? []).map { file in
        "\(file.type) \(contents[file.path]?.prefix(8) ?? "?")"
      }
      return
        "\(asset.description ?? "") \(asset.people ?? []) \(asset.rating ?? 0) "
        + "\(asset.adjustments ?? []) \(files.sorted())"
    }.sorted()
  }

  /// All groups have one name, so that they get numbers, or another stem than their own.
  @Test(arguments: ["{captureDate:yyyy}/{stem}", "{type}s/photo{ext}", "{stem}-x"])
  func `what belongs together stays together`(template: String) async throws {
    let bench = try Workbench()
    try await makeCard(bench)
    try await bench.letFilesAge()
    let own = bench.folder + "/card.sqlite"
    #expect(try await bench.shoebox(["scan", bench.card, "--catalog", own]).status == 0)
    let expected = try await assets(bench, bench.card, own)
    #expect(expected.count == 6, "\(expected)")
    #expect(expected.count { $0.contains("Ann") } == 4, "\(expected)")
    let name = ["--name", template]
    let outcome = try await bench.importCard(name)
    #expect(outcome.status == 0)
    #expect(outcome.report.left == 0)
    #expect(try await assets(bench, bench.library, bench.catalog) == expected)
    #expect(try await bench.importCard(name).report.copied == 0)
    // Without a catalog, files are found by their names and content.
    try await bench.bash("rm catalog.sqlite*")
    #expect(try await bench.importCard(name).report.copied == 0)
  }
}
