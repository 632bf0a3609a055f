import Foundation
import Testing
import Workbench

/// What exported videos say of themselves, as exiftool reads it.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Half.isAtHand))
struct MovieMetadataTests {
  /// A few frames of each are enough: the metadata does not depend on the length.
  private static let short = ["--max-duration", "0.3"]

  private func export(
    _ preset: String, _ arguments: [String], _ name: String
  ) async throws -> CorpusExport {
    try await CorpusExport.make(
      ["--type", "videos", "--video-preset", preset] + arguments, in: "\(name)-\(preset)")
  }

  /// The tags that say when, where, by whom and what, by the names that exiftool has for them.
  private static let kept = [
    "QuickTime:CreateDate", "Keys:CreationDate", "Keys:GPSCoordinates", "UserData:GPSCoordinates",
    "UserData:LocationInformation", "Keys:Make", "Keys:Model", "Keys:Software", "UserData:Make",
    "UserData:Model", "Keys:AndroidMake", "Keys:AndroidModel", "Keys:ContentIdentifier",
    "Keys:Title", "Keys:DisplayName", "ItemList:Title", "UserData:Title", "ItemList:Artist",
    "Keys:AndroidVersion", "UserData:SamsungModel", "Keys:AndroidTimeZone",
  ]

  @Test(arguments: ["compatible", "1280x720", "Passthrough"])
  func `time, place, maker, model, identifier and title are the source's`(
    preset: String
  ) async throws {
    let export = try await export(preset, Self.short, "told")
    let made = export.lines.compactMap { line in
      line.result.map { (source: line.source, result: $0) }
    }
    let tags = try await export.scanned.bench.exiftool(
      "-a -G1 -n", made.flatMap { [$0.source, $0.result] })
    var compared = 0
    for (source, result) in made {
      let (before, after) = (try #require(tags[source]), try #require(tags[result]))
      for tag in Self.kept {
        guard let expected = before[tag].map(String.init(describing:)),
          expected != "0000:00:00 00:00:00"
        else { continue }
        compared += 1
        let now = after[tag].map(String.init(describing:))
        #expect(now == expected, "\(export.below(source)): \(tag)")
      }
    }
    #expect(compared > 50)
  }

  @Test(arguments: ["compatible", "1280x720", "HEVC1920x1080", "Passthrough", "current"])
  func `videos without the location contain no place`(preset: String) async throws {
    // Copies are whole files; what is cut has come through a new container.
    let arguments = preset == "current" ? [] : Self.short
    let export = try await export(preset, ["--strip-location"] + arguments, "movies-placeless")
    #expect(export.lines.filter { $0.result != nil }.count > 40)
    for line in export.lines where preset == "current" && line.action == "failed" {
      #expect(KnownExports.unstrippable[export.below(line.source)] != nil)
    }
    try await export.expectNoPlace()
  }

  @Test func `the corpus has videos that contain a place`() async throws {
    let export = try await export("current", [], "movies-placed")
    let tags = try await export.scanned.bench.exiftool("-a -G1 -ee3 -r", [export.target])
    let located = tags.values.filter { all in
      all.contains { Place.isTold(by: $0.key, String(describing: $0.value)) }
    }
    #expect(located.count >= 3)
  }

  @Test(arguments: ["compatible", "Passthrough"])
  func `videos without metadata do not contain who, when or where`(preset: String) async throws {
    let export = try await export(preset, ["--strip-metadata"] + Self.short, "movies-bare")
    #expect(export.lines.filter { $0.result != nil }.count > 40)
    try await export.expectNoPlace()
    let tags = try await export.scanned.bench.exiftool("-a -G1 -ee3 -r", [export.target])
    for (file, all) in tags {
      for (key, value) in all {
        let name = key.split(separator: ":").last ?? ""
        let text = String(describing: value)
        let isTime =
          ["CreateDate", "MediaCreateDate", "TrackCreateDate", "CreationDate", "DateTimeOriginal"]
          .contains(name) && !text.hasPrefix("0000")
        let isPerson = ["Make", "Model", "Author", "Artist", "ContentIdentifier", "Software"]
          .contains(name)
        #expect(!isTime && !isPerson, "\(file.split(separator: "/").last ?? ""): \(key) = \(text)")
      }
    }
  }
}
